import ScrollTraceModel

/// The columns of a table of PresentMon's, and by which clock its frames are placed.
struct PresentMonHeader {
  /// The representation of a table's times.
  enum Clock {
    /// Milliseconds or seconds, as nanoseconds.
    case nanoseconds
    /// A day and a time of it.
    case date
    /// Ticks of a counter of unknown frequency.
    case ticks
    /// No times, but the lengths between the frames.
    case lengths
  }

  /// A column of times and by which power of ten it is to be multiplied.
  struct TimeColumn {
    let index: Int
    let power: Int
  }

  /// What stands between the fields.
  let delimiter: UInt8
  /// How many columns there are.
  let count: Int
  /// How many fields a row has at least: all that say something of a frame.
  let neededCount: Int
  /// The representation of times.
  let clock: Clock
  /// When work on a frame began.
  let start: TimeColumn?
  /// When it was handed over.
  let present: TimeColumn?
  private let places: [PresentMonColumn: Int]

  /// The columns that `line` names, or `nil` if they are not those of a table of frames.
  init?(_ line: UnsafeRawBufferPointer) {
    guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 }) else { return nil }
    delimiter = TableRow.delimiter(of: line)
    var row = TableRow()
    guard row.read(line, delimiter: delimiter), row.count > 2 else { return nil }
    count = row.count
    var places: [PresentMonColumn: Int] = [:]
    for index in 0..<row.count where row.bytes(index).count < 64 {
      guard let column = PresentMonColumn(name: row.text(index)) else { continue }
      // The first of two columns that say the same; older tables name the ticks behind all others.
      if places[column] == nil { places[column] = index }
    }
    guard places[.application] != nil || places[.processID] != nil,
      places.keys.contains(where: \.isTime)
    else { return nil }
    self.places = places
    neededCount = (places.values.max() ?? 0) + 1
    (clock, start, present) = Self.times(places)
  }

  /// Where the column is, or `nil` if it is not.
  subscript(column: PresentMonColumn) -> Int? { places[column] }

  /// Whether the column at `index` says something of a frame.
  func isUsed(_ index: Int) -> Bool { places.values.contains(index) }

  /// Whether the table contains which frames were presented.
  var tellsDisplay: Bool { self[.untilDisplayed] != nil || self[.displayLatency] != nil }

  /// The columns of times, all of one clock.
  private static func times(
    _ places: [PresentMonColumn: Int]
  ) -> (Clock, TimeColumn?, TimeColumn?) {
    func column(_ column: PresentMonColumn, _ power: Int) -> TimeColumn? {
      places[column].map { TimeColumn(index: $0, power: power) }
    }
    let choices: [(Clock, TimeColumn?, TimeColumn?)] = [
      (
        .nanoseconds, column(.startMilliseconds, 6),
        column(.presentSeconds, 9) ?? column(.presentMilliseconds, 6)
      ),
      (.nanoseconds, column(.startMachineMilliseconds, 6), nil),
      (.date, column(.startDate, 0), column(.presentDate, 0)),
      (.ticks, column(.startTicks, 0), column(.presentTicks, 0)),
    ]
    return choices.first { $0.1 != nil || $0.2 != nil } ?? (.lengths, nil, nil)
  }
}

/// What a column of PresentMon's tables says, in any of its generations.
enum PresentMonColumn: CaseIterable {
  case application, processID, swapChain, dropped
  /// When the animation that the frame shows was at; only frames that were seen have it.
  case animationTime
  /// When the frame was handed over, by the recording's clock.
  case presentSeconds, presentMilliseconds
  /// When work on it began, by the recording's clock.
  case startMilliseconds
  /// When work on it began, by the machine's clock.
  case startMachineMilliseconds
  case presentDate, startDate
  case presentTicks, startTicks
  /// Lengths of time, in milliseconds.
  case betweenPresents, inPresent, frameTime, busy, untilDisplayed, displayLatency

  /// The column with a name, in whatever letters.
  init?(name: String) {
    guard let column = Self.names[name.lowercased()] else { return nil }
    self = column
  }

  /// Whether the column is of a frame's time, so that a table with it can be one of frames.
  var isTime: Bool {
    switch self {
    case .application, .processID, .swapChain, .dropped, .animationTime: false
    default: true
    }
  }

  private static let names: [String: PresentMonColumn] = [
    "application": .application, "processid": .processID, "swapchainaddress": .swapChain,
    "dropped": .dropped, "animationtime": .animationTime,
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
    "displaylatency": .displayLatency,
  ]
}

/// How a field is written: numbers of a column all have as many digits behind the point.
struct PresentMonFieldShape {
  /// Whether something stands in the field.
  let hasValue: Bool
  private let hasPoint: Bool
  /// The bytes behind the point, or without a point all of them.
  private let length: Int

  /// The shape of a field with these bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    hasValue = !bytes.isEmpty && !bytes.elementsEqual("NA".utf8)
    let point = bytes.lastIndex(of: UInt8(ascii: "."))
    hasPoint = point != nil
    length = bytes.count - (point.map { $0 + 1 } ?? 0)
  }

  /// Whether the field can be the start of one that is written as `other` is.
  func isCut(of other: PresentMonFieldShape) -> Bool {
    // What says that there is no value is whole.
    guard hasValue || length == 0 else { return false }
    return hasPoint != other.hasPoint || length < other.length
  }
}

/// A row of a table of PresentMon's, kept small: a capture has millions.
struct PresentMonFrame {
  /// When work on it began, and when it was handed over: nanoseconds, or ticks of the counter.
  var start = Time.unknown
  var present = Time.unknown
  /// From the frame before it being handed over until it was.
  var between = Time.unknown
  /// The time inside the call that handed it over.
  var inPresent = Time.unknown
  /// From when work on it began until work on the next one did.
  var frameTime = Time.unknown
  /// From when work on it began until it was handed over.
  var busy = Time.unknown
  /// From when it was handed over until it was seen.
  var untilDisplayed = Time.unknown
  /// From when work on it began until it was seen.
  var latency = Time.unknown
  /// What became of it.
  var outcome = FrameOutcome.unknown

  /// A number of nanoseconds or ticks that may be unknown; so is what is made of unknown ones, and
  /// what does not fit.
  struct Time {
    private var raw: Int64

    /// What nobody knows.
    static let unknown = Time(Int64.min)

    /// A time.
    init(_ raw: Int64) { self.raw = raw }

    /// The number, or `nil` if it is unknown.
    var value: Int64? { raw == Int64.min ? nil : raw }

    /// The time, or where it is unknown the other.
    func known(or other: @autoclosure () -> Time) -> Time { raw == Int64.min ? other() : self }

    /// The sum of two times.
    static func + (left: Time, right: Time) -> Time {
      guard let first = left.value, let second = right.value else { return unknown }
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow ? unknown : Time(sum)
    }

    /// The difference of two times.
    static func - (left: Time, right: Time) -> Time {
      guard let first = left.value, let second = right.value else { return unknown }
      let (difference, overflow) = first.subtractingReportingOverflow(second)
      return overflow ? unknown : Time(difference)
    }
  }
}

/// A day and a time of it, as `2024-5-1 10:30:00.123456789`.
enum PresentMonDate {
  /// Nanoseconds since the start of 1970, without a thought of time zones; `nil` for other texts.
  static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    let parts = text.split { [0x20, 0x2D, 0x3A, UInt8(ascii: "T")].contains($0) }
    guard parts.count == 6 else { return nil }
    var numbers: [Int64] = []
    for part in parts.prefix(5) {
      guard part.count <= 4, let number = Int64(String(decoding: part, as: UTF8.self)),
        number >= 0
      else { return nil }
      numbers.append(number)
    }
    guard 1...12 ~= numbers[1], 1...31 ~= numbers[2], numbers[3] < 24, numbers[4] < 60,
      let second = JSONNumber.scaled(UnsafeRawBufferPointer(rebasing: parts[5]), timesTenTo: 9),
      0...60_999_999_999 ~= second
    else { return nil }
    let minutes = (days(numbers[0], numbers[1], numbers[2]) * 24 + numbers[3]) * 60 + numbers[4]
    let (whole, overflow) = minutes.multipliedReportingOverflow(by: 60_000_000_000)
    let (sum, isTooMuch) = whole.addingReportingOverflow(second)
    return overflow || isTooMuch ? nil : sum
  }

  /// The days from 1970 to a day of the Gregorian calendar; years begin in March, so that a leap day
  /// is the last of its year.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 + day - 1 - 719_468
  }
}

/// The frequency of a counter whose ticks a table holds, found by the lengths in milliseconds that
/// the table holds too.
struct PresentMonTicks {
  /// How many ticks a second has.
  let frequency: UInt64

  /// The most rows of which the lengths are looked at.
  private static let mostPairs = 100_000

  /// The frequency at which the ticks of `chains` fit their lengths, or `nil` if none does.
  init?(_ chains: [PresentMonChain]) {
    var pairs: [(ticks: Double, nanoseconds: Double)] = []
    for chain in chains {
      for (index, frame) in chain.frames.enumerated() where pairs.count < Self.mostPairs {
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
    // Lengths are rounded; nearly all machines have the one frequency.
    frequency = abs(measured / 1e7 - 1) < 1e-4 ? 10_000_000 : UInt64(measured)
  }

  /// The ticks as nanoseconds.
  func nanoseconds(_ ticks: PresentMonFrame.Time) -> PresentMonFrame.Time {
    guard let count = ticks.value, count >= 0 else { return .unknown }
    let product = UInt64(count).multipliedFullWidth(by: 1_000_000_000)
    guard product.high < frequency else { return .unknown }
    let quotient = frequency.dividingFullWidth(product).quotient
    return Int64(exactly: quotient).map(PresentMonFrame.Time.init) ?? .unknown
  }

  /// Adds a difference of ticks and the length it should be, where both are of some length.
  private static func add(
    _ ticks: PresentMonFrame.Time, _ length: PresentMonFrame.Time,
    to pairs: inout [(ticks: Double, nanoseconds: Double)]
  ) {
    guard let ticks = ticks.value, let length = length.value, ticks > 0, length >= 1_000_000
    else { return }
    pairs.append((Double(ticks), Double(length)))
  }
}
