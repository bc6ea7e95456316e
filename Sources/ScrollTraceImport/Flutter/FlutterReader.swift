import ScrollTraceModel

/// Walks over a snapshot of DevTools or a summary of `flutter drive`.
///
/// Members may come in any order: the timeline waits for the list of frames, or the other way round.
struct FlutterReader: ~Copyable, JSONTextReader {
  private let options: ImportOptions
  private var collector = ChromeEventCollector()
  private var eventCount = 0
  private var binary: FlutterEvents?
  private var listed: [FlutterListedFrame] = []
  private var lostFrameCount: UInt64 = 0
  private var refreshRate: Double?
  private var screen: String?
  private var summaries: [FlutterSummary] = []
  /// How many timelines the file has beside the one that was read.
  private var passedTimelineCount = 0

  /// Members that hold nothing of frames and may hold what looks like it: a profiler's samples, for one.
  private static let passed: Set<String> = [
    "connectedApp", "cpuProfile", "rebuildCountModel", "selectedEvent", "rasterStats", "metadata",
  ]

  init(options: ImportOptions) {
    self.options = options
    collector.flutter.isAwaited = true
  }

  static let parts = "parts"

  mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try readObject(named: "", depth: 0, &scanner, &builder)
  }

  /// Whether nothing was read that could be told.
  var isEmpty: Bool {
    listed.isEmpty && eventCount == 0 && binary == nil && !summaries.contains { $0.isSummary }
  }

  // MARK: - Walking

  private mutating func readObject(
    named name: String, depth: Int, _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    let position = summaries.count
    summaries.append(FlutterSummary(name: name))
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      let first = try scanner.peek()
      switch (name, first) {
      case ("traceEvents", UInt8(ascii: "[")): try readEvents(&scanner, &builder)
      case ("traceBinary", UInt8(ascii: "[")): try readBinary(&scanner, &builder)
      case ("flutterFrames", UInt8(ascii: "[")): try readFrames(&scanner, &builder)
      case ("displayRefreshRate", _): refreshRate = try scanner.passView { $0.double }
      case ("activeScreenId", _): screen = try scanner.passView { $0.text }
      case (_, UInt8(ascii: "{")) where depth == 0 && !Self.passed.contains(name):
        try readObject(named: name, depth: 1, &scanner, &builder)
      case (_, UInt8(ascii: "{")): _ = try scanner.passValue()
      default: try summaries[position].read(name, &scanner)
      }
    }
  }

  /// Whether a timeline is the first one; others are passed.
  private mutating func isFirstTimeline(_ scanner: inout JSONScanner) throws(ScanFault) -> Bool {
    if binary == nil, eventCount == 0 { return true }
    passedTimelineCount += 1
    _ = try scanner.passElements { (scanner) throws(ScanFault) in _ = try scanner.passValue() }
    return false
  }

  private mutating func readEvents(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    guard try isFirstTimeline(&scanner) else { return }
    try scanner.passEvents(countingIn: &eventCount, into: &collector, &builder)
  }

  private mutating func readFrames(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try scanner.passElements { (scanner) throws(ScanFault) in
      if let frame = try scanner.passView({ FlutterListedFrame($0) }) {
        listed.append(frame)
      } else {
        builder.offset = scanner.offset
        builder.countLoss(.invalidValue)
      }
    }
  }

  /// Reads a timeline in Perfetto's format, each byte of which is written as a number.
  private mutating func readBinary(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    guard try isFirstTimeline(&scanner) else { return }
    let offset = scanner.offset
    var unused = JSONScanner(MemoryByteSource([]), blockSize: 16)
    swap(&scanner, &unused)
    let bytes = JSONByteArray(unused)
    var reader = PerfettoReader(bytes, options: options)
    reader.flutter.isAwaited = true
    do throws(ImportError) {
      try reader.read(into: &builder)
      // An empty timeline is none: another one may follow.
      if !reader.events.all.isEmpty { binary = reader.flutter }
    } catch {
      builder.offset = offset
      builder.countLoss(.damagedBytes)
      builder.addNotice(.source("the timeline in traceBinary could not be read: \(error.reason)"))
    }
    // What the reader left, such as all behind damage.
    var block = [UInt8](repeating: 0, count: 4096)
    var rest = 1
    while rest > 0 {
      rest = block.withUnsafeMutableBytes { buffer in
        // A source that fails says so again when the text behind the array is read.
        (try? bytes.read(into: buffer)) ?? 0
      }
    }
    let fault = bytes.fault
    bytes.giveBack(&scanner)
    if let fault { throw fault }
  }

  // MARK: - The end

  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    summaries.removeAll { !$0.isSummary }
    guard !isEmpty else {
      let screen = screen.map { ": it is of the screen '\($0)'" } ?? ""
      throw ImportError(
        "the snapshot holds no frames\(screen)", advice: "export DevTools' Performance screen")
    }
    if eventCount > 0 { collector.finish(in: &builder) }
    let events = binary ?? collector.flutter
    if listed.isEmpty {
      events.addFrames(to: &builder)
    } else {
      events.addFrames(listed, refreshRate: refreshRate, to: &builder)
      FlutterOverrunCount(listed, refreshRate: refreshRate)?.addAggregates(to: &builder)
    }
    for summary in summaries { summary.add(to: &builder, isOnly: summaries.count == 1) }
    if passedTimelineCount > 0 {
      builder.addNotice(
        .source("timelines beside the first one, left out: \(passedTimelineCount)"))
    }
  }
}
