import ScrollTraceModel

/// The columns of a PresentMon table, and the clock by which its frames are placed.
struct PresentMonHeader {
  enum Clock {
    /// Milliseconds or seconds, converted to nanoseconds.
    case nanoseconds
    case date
    /// Ticks of a counter of unknown frequency.
    case ticks
    /// No times, only the time between frames.
    case lengths
  }

  /// A column of times, and the power of ten that scales it.
  struct TimeColumn {
    let index: Int
    let power: Int
  }

  let delimiter: UInt8
  let count: Int
  /// The minimum number of fields in a row: all that describe a frame.
  let neededCount: Int
  let clock: Clock
  /// The start of work on a frame.
  let start: TimeColumn?
  /// The time it was submitted.
  let present: TimeColumn?
  private let indexes: [PresentMonColumn: Int]

  /// Creates the columns in `line`, or returns `nil` if they are not those of a table of frames.
  init?(_ line: UnsafeRawBufferPointer) {
    guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 }) else { return nil }
    delimiter = TableRow.delimiter(of: line)
    var row = TableRow()
    guard row.read(line, delimiter: delimiter), row.count > 2 else { return nil }
    count = row.count
    var indexes: [PresentMonColumn: Int] = [:]
    for index in 0..<row.count where row.bytes(index).count < 64 {
      guard let column = PresentMonColumn(name: row.text(index)) else { continue }
      // The first of two columns with one meaning; older tables have the ticks after all others.
      if indexes[column] == nil { indexes[column] = index }
    }
    guard indexes[.application] != nil || indexes[.processID] != nil,
      indexes.keys.contains(where: \.isTime)
    else { return nil }
    self.indexes = indexes
    neededCount = (indexes.values.max() ?? 0) + 1
    (clock, start, present) = Self.times(indexes)
  }

  subscript(column: PresentMonColumn) -> Int? { indexes[column] }

  func isUsed(_ index: Int) -> Bool { indexes.values.contains(index) }

  /// Whether the table states which frames were presented.
  var tellsDisplay: Bool { self[.untilDisplayed] != nil || self[.displayLatency] != nil }

  private static func times(
    _ indexes: [PresentMonColumn: Int]
  ) -> (Clock, TimeColumn?, TimeColumn?) {
    func column(_ column: PresentMonColumn, _ power: Int) -> TimeColumn? {
      indexes[column].map { TimeColumn(index: $0, power: power) }
    }
    let choices: [(Clock, TimeColumn?, TimeColumn?)] = [
      (
        .nanoseconds, column(.startMilliseconds, 6),
        column(.presentSeconds, 9) ?? column(.presentMilliseconds, 6)
      ), (.nanoseconds, column(.startMachineMilliseconds, 6), nil),
      (.date, column(.startDate, 0), column(.presentDate, 0)),
      (.ticks, column(.startTicks, 0), column(.presentTicks, 0)),
    ]
    return choices.first { $0.1 != nil || $0.2 != nil } ?? (.lengths, nil, nil)
  }
}

/// The meaning of a column in PresentMon's tables of any generation.
enum PresentMonColumn: CaseIterable {
  case application, processID, swapChain, dropped, syncInterval, allowsTearing
  /// The animation time that the frame displays; only presented frames have it.
  case animationTime
  /// The time the frame was submitted, on the recording's clock.
  case presentSeconds, presentMilliseconds
  /// The start of work on the frame, on the recording's clock.
  case startMilliseconds
  /// The start of work on the frame, on the machine's clock.
  case startMachineMilliseconds
  case presentDate, startDate
  case presentTicks, startTicks
  /// Durations in milliseconds.
  case betweenPresents, inPresent, frameTime, busy, untilDisplayed, displayLatency
  case gpuLatency, gpuTime, gpuBusy

  /// Creates the column with a name, ignoring letter case.
  init?(name: String) {
    guard let column = Self.names[name.lowercased()] else { return nil }
    self = column
  }

  /// Whether the column is a time of a frame, so that its table can be one of frames.
  var isTime: Bool {
    switch self {
    case .application, .processID, .swapChain, .dropped, .syncInterval, .allowsTearing,
      .animationTime, .gpuLatency, .gpuTime, .gpuBusy:
      false
    default: true
    }
  }

  private static let names: [String: PresentMonColumn] = [
    "application": .application, "processid": .processID, "swapchainaddress": .swapChain,
    "dropped": .dropped, "animationtime": .animationTime,
    "syncinterval": .syncInterval, "allowstearing": .allowsTearing,
    "timeinseconds": .presentSeconds, "timeinms": .presentMilliseconds,
    "cpustarttime": .startMilliseconds, "cpustarttimeinms": .startMilliseconds,
    "cpustartqpctime": .startMachineMilliseconds,
    "cpustartqpctimeinms": .startMachineMilliseconds, "timeindatetime": .presentDate,
    "cpustartdatetime": .startDate, "timeinqpc": .presentTicks, "qpctime": .presentTicks,
    "cpustartqpc": .startTicks, "cpuframeqpc": .startTicks,
    "msbetweenpresents": .betweenPresents, "msinpresentapi": .inPresent,
    "frametime": .frameTime, "msbetweenappstart": .frameTime, "cpubusy": .busy,
    "mscpubusy": .busy, "cpuduration": .busy, "cpuwait": .inPresent, "mscpuwait": .inPresent,
    "cpuframepacingstall": .inPresent, "msuntildisplayed": .untilDisplayed,
    "displaylatency": .displayLatency, "gpulatency": .gpuLatency, "msgpulatency": .gpuLatency,
    "gputime": .gpuTime, "msgputime": .gpuTime, "gpubusy": .gpuBusy, "msgpubusy": .gpuBusy,
  ]
}

/// The format of a field: all numbers of a column have equally many decimals.
struct PresentMonFieldShape {
  let hasValue: Bool
  private let hasPoint: Bool
  /// The number of bytes after the decimal point, or of all bytes without a point.
  private let length: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    hasValue = !bytes.isEmpty && !bytes.elementsEqual("NA".utf8)
    let point = bytes.lastIndex(of: UInt8(ascii: "."))
    hasPoint = point != nil
    length = bytes.count - (point.map { $0 + 1 } ?? 0)
  }

  /// Returns whether the field can be a truncated field with the shape `other`.
  func isCut(of other: PresentMonFieldShape) -> Bool {
    // A marker for no value is complete.
    guard hasValue || length == 0 else { return false }
    return hasPoint != other.hasPoint || length < other.length
  }
}

/// A row of a PresentMon table, kept small: a capture has millions.
struct PresentMonFrame {
  /// The start of work on the frame, and the time it was submitted: nanoseconds, or ticks of the
  /// counter.
  var start = Time.unknown
  var present = Time.unknown
  /// The time between the submissions of the previous frame and this one.
  var between = Time.unknown
  /// The time inside the call that submitted it.
  var inPresent = Time.unknown
  /// The time between the starts of work on this frame and the next one.
  var frameTime = Time.unknown
  /// The time from the start of work until the submission.
  var busy = Time.unknown
  /// The time from the submission until it was displayed.
  var untilDisplayed = Time.unknown
  /// The time from the start of work until it was displayed.
  var latency = Time.unknown
  /// The time from the start of work until the GPU began, and its work from then on.
  var gpuLatency = Time.unknown
  var gpuTime = Time.unknown
  var outcome = FrameOutcome.unknown
  /// The number of refreshes for which the app asked the picture to stay.
  var refreshes: UInt8 = 1
  /// Whether the picture may appear in the middle of a refresh.
  var allowsTearing = false

  /// A number of nanoseconds or ticks that can be unknown; results of unknown operands and
  /// overflows are unknown.
  struct Time {
    private var raw: Int64

    static let unknown = Time(Int64.min)

    init(_ raw: Int64) { self.raw = raw }

    var value: Int64? { raw == Int64.min ? nil : raw }

    func known(or other: @autoclosure () -> Time) -> Time { raw == Int64.min ? other() : self }

    static func + (left: Time, right: Time) -> Time {
      guard let first = left.value, let second = right.value else { return unknown }
      return first.plus(second).map(Time.init) ?? unknown
    }

    static func - (left: Time, right: Time) -> Time {
      guard let first = left.value, let second = right.value else { return unknown }
      return first.minus(second).map(Time.init) ?? unknown
    }
  }
}

/// A date with a time of day, such as `2024-5-1 10:30:00.123456789`.
enum PresentMonDate {
  /// Returns the nanoseconds since the start of 1970, ignoring time zones, or `nil` for other
  /// texts.
  static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    let parts = text.split { [0x20, 0x2D, 0x3A, UInt8(ascii: "T")].contains($0) }
    guard parts.count == 6 else { return nil }
    var numbers: [Int64] = []
    for part in parts.prefix(5) {
      guard part.count <= 4, let number = Int64(String(decoding: part, as: UTF8.self)), number >= 0
      else { return nil }
      numbers.append(number)
    }
    guard 1...12 ~= numbers[1], 1...31 ~= numbers[2], numbers[3] < 24, numbers[4] < 60,
      let second = JSONNumber.scaled(UnsafeRawBufferPointer(rebasing: parts[5]), timesTenTo: 9),
      0...60_999_999_999 ~= second
    else { return nil }
    let minutes = (days(numbers[0], numbers[1], numbers[2]) * 24 + numbers[3]) * 60 + numbers[4]
    return minutes.times(60_000_000_000)?.plus(second)
  }

  /// Returns the days from 1970 to a Gregorian date; years start in March, so that a leap day is
  /// the last of its year.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 + day - 1 - 719_468
  }
}

/// The frequency of a counter, derived from a table's ticks and its durations in milliseconds.
struct PresentMonTicks {
  /// The number of ticks per second.
  let frequency: UInt64

  /// The maximum number of rows whose durations are used.
  private static let maximumPairs = 100_000

  /// Creates the frequency at which the ticks of `chains` match their durations, or returns `nil`
  /// if there is none.
  init?(_ chains: [PresentMonChain]) {
    var pairs: [(ticks: Double, nanoseconds: Double)] = []
    for chain in chains {
      for (index, frame) in chain.frames.enumerated() where pairs.count < Self.maximumPairs {
        Self.add(frame.present - frame.start, frame.busy, to: &pairs)
        guard index > 0 else { continue }
        let before = chain.frames[index - 1]
        Self.add(frame.start - before.start, before.frameTime, to: &pairs)
        Self.add(frame.present - before.present, frame.between, to: &pairs)
      }
    }
    let rates = pairs.map { $0.ticks / $0.nanoseconds }.sorted()
    guard !rates.isEmpty else { return nil }
    let middle = rates[rates.count / 2]
    let fitting = pairs.filter { abs($0.ticks / $0.nanoseconds / middle - 1) < 0.002 }
    guard fitting.count * 2 >= pairs.count else { return nil }
    let ticks = fitting.reduce(0) { $0 + $1.ticks }
    let nanoseconds = fitting.reduce(0) { $0 + $1.nanoseconds }
    let measured = (ticks / nanoseconds * 1e9).rounded()
    guard 1000...1e12 ~= measured else { return nil }
    // Durations are rounded; nearly all machines have this one frequency.
    frequency = abs(measured / 1e7 - 1) < 1e-4 ? 10_000_000 : UInt64(measured)
  }

  func nanoseconds(_ ticks: PresentMonFrame.Time) -> PresentMonFrame.Time {
    guard let count = ticks.value, count >= 0 else { return .unknown }
    let product = UInt64(count).multipliedFullWidth(by: 1_000_000_000)
    guard product.high < frequency else { return .unknown }
    let quotient = frequency.dividingFullWidth(product).quotient
    return Int64(exactly: quotient).map(PresentMonFrame.Time.init) ?? .unknown
  }

  /// Adds a difference of ticks and the corresponding duration, if both are long enough.
  private static func add(
    _ ticks: PresentMonFrame.Time, _ length: PresentMonFrame.Time,
    to pairs: inout [(ticks: Double, nanoseconds: Double)]
  ) {
    guard let ticks = ticks.value, let length = length.value, ticks > 0, length >= 1_000_000
    else { return }
    pairs.append((Double(ticks), Double(length)))
  }
}
