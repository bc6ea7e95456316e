import ScrollTraceLayout
package import ScrollTraceModel

/// Reads the tables of PresentMon, of all its generations, and of tools built on it: OCAT,
/// CapFrameX, FrameView.
///
/// The article *Tables of frames* of this module describes the mapping of each column.
package struct PresentMonImporter: TraceImporter {
  package static let name = "presentmon"
  package static let files = "PresentMon .csv"
  package static let recipe = "PresentMon --output_file X.csv; CapFrameX"

  package static let fileEndings = ["csv"]

  /// The maximum offset of the header: CapFrameX writes some lines before it.
  private static let maximumBytesBefore = 1 << 16

  /// Returns whether the first line that is not a comment names an application or process, and a
  /// time of frames.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while let end = bytes[offset...].firstIndex(of: 0x0A) {
        let line = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
        offset = end + 1
        if isRemark(line) { continue }
        return PresentMonHeader(withoutReturn(line)) == nil ? .no : .yes
      }
      let isText = !bytes.contains { $0 < 0x09 }
      return isText && bytes.count < maximumBytesBefore ? .needMoreBytes : .no
    }
  }

  /// Adds a surface with its frames for each swap chain to `builder`.
  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var header: PresentMonHeader?
    while header == nil {
      guard let line = try lines.next() else { throw ImportError("names no columns", at: 0) }
      header = Self.isRemark(line) ? nil : PresentMonHeader(line)
      if header == nil, !Self.isRemark(line) || lines.offset > Self.maximumBytesBefore {
        throw ImportError("line \(lines.number) names no frame columns", at: lines.offset)
      }
    }
    guard let header else { return }
    var reader = PresentMonReader(header)
    var faults = TableFaults()
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      guard !lines.isTooLong else {
        faults.lose("", of: lines, in: &builder)
        continue
      }
      do throws(LineFault) {
        try reader.read(line, isUnfinished: lines.isUnfinished)
      } catch {
        faults.lose(error.reason, of: lines, in: &builder)
      }
    }
    try faults.finish(hasRows: reader.hasRows, in: &builder)
    try reader.finish(in: &builder)
  }

  /// Returns whether the line is empty or one of CapFrameX's comments before the table.
  private static func isRemark(_ line: UnsafeRawBufferPointer) -> Bool {
    line.starts(with: "//".utf8) || line.first == UInt8(ascii: "#")
      || line.allSatisfy { $0 == 0x0D || $0 == 0x20 }
  }

  private static func withoutReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
  }
}

/// Collects the rows of a PresentMon table by swap chain.
struct PresentMonReader: ~Copyable {
  /// More than any machine has.
  private static let maximumChainCount = 1024

  private let header: PresentMonHeader
  private var row = TableRow()
  private var chains: [PresentMonChain] = []
  private var chainIndices: [String: Int] = [:]
  private var recentChains = RecentValues<RecentTexts, Int>(count: 256)
  private var invalidCount: UInt64 = 0
  /// The process numbers of applications, if the table has none.
  private var applications: [String: UInt64] = [:]
  /// The number of fields in the last row, and the shape of its last nonempty field.
  private var lastCount: Int?
  private var lastShape: PresentMonFieldShape?

  init(_ header: PresentMonHeader) { self.header = header }

  var hasRows: Bool { !chains.isEmpty }

  /// Reads a row, which can be truncated if it `isUnfinished`.
  mutating func read(_ line: UnsafeRawBufferPointer, isUnfinished: Bool) throws(LineFault) {
    guard row.read(line, delimiter: header.delimiter) else {
      throw LineFault("a quoted field does not end on its line", at: 0)
    }
    // Programs that add columns of their own fill them in the first row only.
    guard header.neededCount...header.count ~= row.count else {
      throw LineFault(fieldCount: row.count, columnCount: header.count)
    }
    let shape = PresentMonFieldShape(row.bytes(row.count - 1))
    if isUnfinished, isCut(shape) { throw LineFault("the row is truncated", at: 0) }
    var frame = PresentMonFrame()
    frame.start = try time(header.start)
    frame.present = try time(header.present)
    frame.between = length(.betweenPresents)
    frame.inPresent = length(.inPresent)
    frame.frameTime = length(.frameTime)
    frame.busy = length(.busy)
    frame.untilDisplayed = length(.untilDisplayed)
    frame.latency = length(.displayLatency)
    frame.gpuLatency = length(.gpuLatency)
    // Its whole time contains waits.
    frame.gpuTime = length(.gpuBusy).known(or: length(.gpuTime))
    if case .value(let refreshes) = row.number(header[.syncInterval], timesTenTo: 0) {
      frame.refreshes = 1...4 ~= refreshes ? UInt8(refreshes) : 1
    }
    if case .value(1) = row.number(header[.allowsTearing], timesTenTo: 0) {
      frame.allowsTearing = true
    }
    try checkTime(frame)
    settleOutcome(&frame)
    chains[try chain()].frames.append(frame)
    lastCount = row.count
    if shape.hasValue { lastShape = shape }
  }

  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    builder.countLoss(.invalidValue, count: invalidCount)
    if case .ticks = header.clock { try settleTicks(in: &builder) }
    if case .lengths = header.clock {
      builder.addNotice(
        "the table has no time column: its frames are placed one after the other, by the"
          + " time between them, and swap chains are not synchronized")
    }
    for index in chains.indices { chains[index].complete(by: header.clock) }
    PresentMonSurfaces(chains).add(to: &builder)
  }

  // MARK: - Values

  /// Returns whether the file seems to end inside the row: it has fewer fields than the previous
  /// one, or its unterminated last field is shorter than that column's numbers.
  private func isCut(_ shape: PresentMonFieldShape) -> Bool {
    guard row.count >= lastCount ?? header.count else { return true }
    guard header.isUsed(row.count - 1), let lastShape else { return false }
    return shape.isCut(of: lastShape)
  }

  private func time(
    _ column: PresentMonHeader.TimeColumn?
  ) throws(LineFault) -> PresentMonFrame.Time {
    guard let column else { return .unknown }
    if case .date = header.clock {
      let bytes = row.bytes(column.index)
      if bytes.isEmpty || bytes.elementsEqual("NA".utf8) { return .unknown }
      guard let time = PresentMonDate.nanoseconds(bytes) else {
        throw LineFault("'\(row.text(column.index).prefix(40))' is not a date with a time", at: 0)
      }
      return PresentMonFrame.Time(time)
    }
    switch row.number(column.index, timesTenTo: column.power) {
    case .missing: return .unknown
    case .value(let time): return PresentMonFrame.Time(time)
    case .invalid: throw LineFault("'\(row.text(column.index).prefix(40))' is not a time", at: 0)
    }
  }

  /// Returns a duration in milliseconds; an invalid one is unknown and counted.
  private mutating func length(_ column: PresentMonColumn) -> PresentMonFrame.Time {
    switch row.number(header[column], timesTenTo: 6) {
    case .missing: return .unknown
    case .value(let length) where length >= 0: return PresentMonFrame.Time(length)
    case .value, .invalid:
      invalidCount += 1
      return .unknown
    }
  }

  private func checkTime(_ frame: PresentMonFrame) throws(LineFault) {
    if case .lengths = header.clock {
      guard frame.between.value ?? frame.frameTime.value != nil else {
        throw LineFault("the row has no frame time", at: 0)
      }
      return
    }
    guard let time = frame.present.value ?? frame.start.value else {
      throw LineFault("the row has no time", at: 0)
    }
    guard time >= 0 else { throw LineFault("the frame's time is negative", at: 0) }
  }

  /// Determines whether the frame was presented: older tables state it and use 0 for unknown
  /// values; newer ones omit them.
  private func settleOutcome(_ frame: inout PresentMonFrame) {
    if header[.dropped] != nil {
      if frame.untilDisplayed.value == 0 { frame.untilDisplayed = .unknown }
      if case .value(let number) = row.number(header[.dropped], timesTenTo: 0), number != 0 {
        frame.outcome = .dropped
        frame.untilDisplayed = .unknown
      }
    } else if header.tellsDisplay, frame.untilDisplayed.value ?? frame.latency.value == nil {
      // The first frame of a chain can be presented at an unknown time.
      let animation = row.number(header[.animationTime], timesTenTo: 0)
      if case .value = animation {
        frame.outcome = .presented
      } else if isMissing(.untilDisplayed), isMissing(.displayLatency) {
        frame.outcome = .dropped
      }
    }
  }

  /// Returns whether the row omits the column; an invalid value is not an omitted one.
  private func isMissing(_ column: PresentMonColumn) -> Bool {
    if case .missing = row.number(header[column], timesTenTo: 6) { return true }
    return false
  }

  private mutating func chain() throws(LineFault) -> Int {
    let process = row.bytes(header[.processID] ?? header[.application])
    let recent = RecentTexts(process, row.bytes(header[.swapChain]))
    if let index = recentChains.find(recent) { return index }
    let application = row.text(header[.application])
    let number: UInt64
    if let index = header[.processID] {
      guard let parsed = UInt64(row.text(index)) else {
        throw LineFault("'\(row.text(index).prefix(40))' is not a process number", at: 0)
      }
      number = parsed
    } else {
      number = applications[application] ?? UInt64(applications.count + 1)
    }
    // The process determines the application, whatever its name in this row.
    let key = "\(number) \(row.text(header[.swapChain]))"
    let index = chainIndices[key] ?? chains.count
    if index == chains.count {
      guard index < Self.maximumChainCount else {
        throw LineFault("there are more than \(Self.maximumChainCount) swap chains", at: 0)
      }
      chains.append(
        PresentMonChain(
          application: application, processID: number, address: row.text(header[.swapChain])))
      chainIndices[key] = index
      if header[.processID] == nil { applications[application] = number }
    }
    recentChains.keep(index, for: recent)
    return index
  }

  // MARK: - Ticks

  private mutating func settleTicks(in builder: inout TraceBuilder) throws(ImportError) {
    guard let ticks = PresentMonTicks(chains) else {
      throw ImportError(
        "has times in ticks of unknown length", advice: "omit --qpc_time")
    }
    builder.addNotice(
      "times are ticks of a counter; the table's milliseconds give a frequency of"
        + " \(ticks.frequency) a second")
    for chain in chains.indices {
      for index in chains[chain].frames.indices {
        let frame = chains[chain].frames[index]
        chains[chain].frames[index].start = ticks.nanoseconds(frame.start)
        chains[chain].frames[index].present = ticks.nanoseconds(frame.present)
      }
    }
  }
}

/// Converts swap chains into surfaces, and the work for their frames into spans.
struct PresentMonSurfaces {
  private let chains: [PresentMonChain]
  private let names: [String]
  /// The chain with most frames; the desktop's own only if there is no other.
  private let host: Int?

  /// Creates the surfaces of `chains`, each named after its application, with more details if
  /// necessary.
  init(_ chains: [PresentMonChain]) {
    self.chains = chains
    var processes: [String: Set<UInt64>] = [:]
    var chainCounts: [UInt64: Int] = [:]
    for chain in chains {
      processes[chain.application, default: []].insert(chain.processID)
      chainCounts[chain.processID, default: 0] += 1
    }
    names = chains.map { chain in
      var name = chain.application.isEmpty ? "process \(chain.processID)" : chain.application
      if !chain.application.isEmpty, processes[chain.application, default: []].count > 1 {
        name += " (\(chain.processID))"
      }
      if chainCounts[chain.processID, default: 0] > 1 { name += " \(chain.address)" }
      return name
    }
    let ranks = chains.enumerated().map { index, chain in
      (chain.application.lowercased() == "dwm.exe" ? 0 : 1, chain.frames.count, -index)
    }
    host = ranks.indices.max { ranks[$0] < ranks[$1] }
  }

  func add(to builder: inout TraceBuilder) {
    let category = builder.string("\(Vocabulary.Category.frame)")
    for (index, chain) in chains.enumerated() {
      let process = builder.process(chain.processID)
      builder.setName(chain.application, of: process)
      let track = builder.track(UInt64(index + 1), of: process)
      builder.setName("presenting to \(names[index])", of: track)
      if index == host {
        builder.setHost(process)
        builder.setMain(track)
      }
      let label = builder.label(category: category, name: builder.string(names[index]))
      let surface = builder.surface(names[index])
      for (number, row) in chain.frames.enumerated() {
        var frame = Self.frame(row, number: UInt64(number + 1))
        if let start = frame.commitStart, let end = frame.commitEnd {
          frame.track = track
          builder.addSpan(on: track, from: start, to: end, label: label)
        }
        builder.updateFrame(frame, of: surface)
      }
      for frame in chain.notRequested { builder.updateFrame(frame, of: surface) }
      if chain.allowsTearing {
        builder.setPresentationTolerance(.milliseconds(1), of: surface)
        builder.addNotice(
          "the pictures of \(names[index]) may tear, so they do not wait for a refresh; on a"
            + " display with a variable rate, give the rate of the pictures as --refresh-rate")
      }
      addGPUWork(of: chain, named: names[index], track: chains.count + index + 1, to: &builder)
      if let life = chain.life { builder[surface].life = life }
    }
  }

  /// Adds the times in which the GPU worked on the frames of a chain, where the table says when it began.
  private func addGPUWork(
    of chain: PresentMonChain, named name: String, track number: Int, to builder: inout TraceBuilder
  ) {
    var track: TrackID?
    for row in chain.frames {
      let begin = row.start + row.gpuLatency
      guard let start = begin.value.flatMap(Timestamp.init),
        let end = (begin + row.gpuTime).value.flatMap(Timestamp.init), start < end
      else { continue }
      let known = track ?? builder.track(UInt64(number), of: builder.process(chain.processID))
      if track == nil { builder.setName("GPU of \(name)", of: known) }
      track = known
      builder.addSpan(
        on: known, from: start, to: end, label: builder.label(category: "PresentMon", name: "GPU"))
    }
  }

  /// Returns a row as a frame; a start before the clock's zero is unknown.
  private static func frame(_ row: PresentMonFrame, number: UInt64) -> Frame {
    var frame = Frame(id: number)
    frame.start = row.start.value.flatMap(Timestamp.init)
    frame.commitStart = frame.start
    frame.commitEnd = row.present.value.flatMap(Timestamp.init)
    frame.presented = (row.present + row.untilDisplayed).known(or: row.start + row.latency).value
      .flatMap(Timestamp.init)
    frame.outcome = row.outcome
    return frame
  }
}

/// The frames that a process submitted to one swap chain, in order.
struct PresentMonChain {
  let application: String
  let processID: UInt64
  /// The chain's address, in one spelling for all generations.
  let address: String
  var frames: [PresentMonFrame] = []

  init(application: String, processID: UInt64, address: String) {
    self.application = application
    self.processID = processID
    let digits = address.lowercased().hasPrefix("0x") ? String(address.dropFirst(2)) : address
    self.address =
      UInt64(digits, radix: 16).map { "0x\(String($0, radix: 16, uppercase: true))" } ?? address
  }

  /// Whether most pictures may appear in the middle of a refresh.
  var allowsTearing: Bool { frames.count { $0.allowsTearing } * 2 > frames.count }

  /// A frame for each refresh for which the app asked a picture to stay longer than for one. Their numbers follow
  /// those of the rows.
  var notRequested: [Frame] {
    var found: [Frame] = []
    for (row, before) in zip(frames.dropFirst(), frames) {
      // Depending on the kind of chain, the interval is that of the picture that stays or of the one that waits.
      let refreshes = max(row.refreshes, before.refreshes)
      guard refreshes > 1, let time = row.start.known(or: row.present).value, time > 0 else {
        continue
      }
      for _ in 1..<refreshes {
        var frame = Frame(id: UInt64(frames.count + found.count + 1))
        // Frames are in order of their times, and this one comes before the row's.
        frame.start = Timestamp(clamping: time - 1)
        frame.outcome = .notRequested
        found.append(frame)
      }
    }
    return found
  }

  /// The time from the first event of the chain to the last, or `nil` without any.
  var life: TimeRange? {
    let times = frames.flatMap { row in
      [row.start, row.present, row.present + row.untilDisplayed, row.start + row.latency]
        .compactMap { $0.value.flatMap(Timestamp.init) }
    }
    guard let first = times.min(), let last = times.max() else { return nil }
    return TimeRange(start: first, end: last)
  }

  /// Derives unknown values of the rows from their durations.
  mutating func complete(by clock: PresentMonHeader.Clock) {
    // Without other times, the frames are placed one after another.
    var last = PresentMonFrame.Time(0)
    var lastEnd = PresentMonFrame.Time.unknown
    for index in frames.indices {
      var frame = frames[index]
      if case .lengths = clock {
        if frame.between.value != nil {
          frame.present = last + frame.between
          last = frame.present.known(or: last)
        } else {
          frame.start = last
          last = (last + frame.frameTime).known(or: last)
        }
      }
      frame.start = frame.start.known(or: frame.present - frame.busy)
      frame.present = frame.present.known(or: frame.start + frame.busy)
      // Work on a frame can start when the previous frame's call returned.
      frame.start = frame.start.known(or: lastEnd)
      if let start = frame.start.value, let present = frame.present.value, start > present {
        frame.start = .unknown
      }
      lastEnd = (frame.present + frame.inPresent).known(or: frame.present)
      frames[index] = frame
    }
  }
}
