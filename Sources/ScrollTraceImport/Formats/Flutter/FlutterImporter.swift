package import ScrollTraceModel

/// Reads exports of the Performance screen of Flutter's DevTools, and summaries of `flutter drive`.
///
/// The article *Traces of Flutter* of this module describes the mapping. `ChromeJSONImporter` reads
/// timelines in Chrome's JSON format and derives the same frames.
package struct FlutterImporter: TraceImporter {
  package static let name = "flutter"
  package static let files = "Flutter .json"
  package static let recipe = "DevTools > Performance > Export"

  package static let fileEndings = ["json"]

  /// Returns whether the text is an object with a member that only such files have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let marks: [StaticString] = ["\"devToolsSnapshot\"", "\"flutterFrames\"", FlutterSummary.mark]
    return JSONSniff.sniff(prefix, of: marks)
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = FlutterReader(options: options)
    try reader.read(bytes, into: &builder)
  }
}

/// Reads a snapshot of DevTools or a summary of `flutter drive`.
///
/// Members can come in any order: the timeline waits for the list of frames, or vice versa.
struct FlutterReader: ~Copyable {
  private let options: ImportOptions
  private var collector = ChromeEventCollector()
  private var eventCount = 0
  private var binary: FlutterEvents?
  private var listed: [FlutterListedFrame] = []
  private var refreshRate: Double?
  private var isDebugBuild = false
  private var screen: String?
  private var summaries: [FlutterSummary] = []
  /// The number of timelines after the one that was read.
  private var passedTimelineCount = 0

  /// Members without frames that can contain similar data, such as a profiler's samples.
  private static let passed: Set<String> = [
    "cpuProfile", "rebuildCountModel", "selectedEvent", "rasterStats", "metadata",
  ]

  init(options: ImportOptions) {
    self.options = options
    collector.flutter.isAwaited = true
  }

  /// Adds the content to `builder`; what comes before damage is kept.
  mutating func read(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var scanner = JSONScanner(bytes)
    do throws(ScanFault) {
      try scanner.skipByteOrderMark()
      try readObject(named: "", depth: 0, &scanner, &builder)
      try scanner.passEnd()
      builder.source.wasClosed = true
    } catch { try scanner.report(error, keeping: isEmpty ? nil : "parts", to: &builder) }
    builder.offset = nil
    try finish(in: &builder)
  }

  /// Whether nothing was read that could be reported.
  private var isEmpty: Bool {
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
      case ("isProfileBuild", UInt8(ascii: "f")):
        _ = try scanner.passValue()
        isDebugBuild = true
      case ("activeScreenId", _): screen = try scanner.passView { $0.text }
      case (_, UInt8(ascii: "{")) where depth == 0 && !Self.passed.contains(name):
        try readObject(named: name, depth: 1, &scanner, &builder)
      case (_, UInt8(ascii: "{")): _ = try scanner.passValue()
      default: try summaries[position].read(name, &scanner)
      }
    }
  }

  /// Returns whether a timeline is the first one; others are skipped.
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

  /// Reads a timeline in Perfetto's format, with each byte written as a number.
  private mutating func readBinary(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    guard try isFirstTimeline(&scanner) else { return }
    let offset = scanner.offset
    var unused = JSONScanner(MemoryByteSource([]), blockSize: 16)
    swap(&scanner, &unused)
    let bytes = JSONByteArray(unused)
    var flutter = FlutterEvents()
    flutter.isAwaited = true
    var reader = PerfettoReader(bytes, options: options, flutter: flutter)
    do throws(ImportError) {
      try reader.read(into: &builder)
      // An empty timeline does not count: another one can follow.
      if reader.hasEvents { binary = reader.flutter }
    } catch {
      builder.offset = offset
      builder.countLoss(.damagedBytes)
      builder.addNotice("the timeline in traceBinary could not be read: \(error.reason)")
    }
    // The bytes the reader left unread, such as those after damage. A failing source repeats its error when
    // the text after the array is read.
    try? PrefixedByteSource(bytes).discardRest()
    let fault = bytes.fault
    bytes.giveBack(&scanner)
    if let fault { throw fault }
  }

  // MARK: - The end

  private mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    summaries.removeAll { !$0.isSummary }
    guard !isEmpty else {
      let screen = screen.map { ": it shows the screen '\($0)'" } ?? ""
      throw ImportError(
        "the snapshot contains no frames\(screen)", advice: "export DevTools' Performance screen")
    }
    if eventCount > 0 { collector.finish(in: &builder) }
    let events = binary ?? collector.flutter
    if listed.isEmpty {
      events.addFrames(to: &builder)
    } else {
      events.addFrames(listed, refreshRate: refreshRate, to: &builder)
    }
    if isDebugBuild, let start = Timestamp(nanoseconds: builder.timesSoFar.0) {
      builder.addState(StateChange(time: start, key: "configuration", value: "debug"))
    }
    for summary in summaries { summary.add(to: &builder, isOnly: summaries.count == 1) }
    builder.addNotice("timelines after the first one, omitted", count: passedTimelineCount)
  }
}

/// The summary of `flutter drive` or of a test that measures performance, which can have the frames.
struct FlutterSummary {
  /// A member that every summary has.
  static let mark: StaticString = "\"average_frame_build_time_millis\""

  /// The refresh rate by the name of its frames' share.
  private static let rates: [String: Double] = [
    "30hz_frame_percentage": 30, "60hz_frame_percentage": 60, "80hz_frame_percentage": 80,
    "90hz_frame_percentage": 90, "120hz_frame_percentage": 120,
  ]

  private let name: String
  /// The starts and durations of the builds in microseconds.
  private var begins: [Double]?
  private var lengths: [Double]?
  /// The rate of nearly all frames, or `nil` if they had several.
  private var rate: Double?
  private var invalidCount: UInt64 = 0

  private(set) var isSummary = false

  init(name: String) { self.name = name }

  /// Reads a member, which can also be unrelated.
  mutating func read(_ name: String, _ scanner: inout JSONScanner) throws(ScanFault) {
    switch name {
    case "frame_begin_times":
      let values = try list(&scanner)
      begins = begins ?? values
    case "frame_build_times":
      let values = try list(&scanner)
      lengths = lengths ?? values
    case "average_frame_build_time_millis":
      if try scanner.passView({ $0.double }) != nil { isSummary = true }
    default:
      guard let rate = Self.rates[name] else { return _ = try scanner.passValue() }
      if let share = try scanner.passView({ $0.double }), share > 95 {
        self.rate = min(self.rate ?? rate, rate)
      }
    }
  }

  /// Returns the numbers of a list, or `nil` if one is missing, so that it does not match the other list.
  private mutating func list(_ scanner: inout JSONScanner) throws(ScanFault) -> [Double]? {
    var values: [Double?] = []
    try scanner.passElements { (scanner) throws(ScanFault) in
      values.append(try scanner.passView { $0.double })
    }
    let numbers = values.compactMap(\.self)
    invalidCount += UInt64(values.count - numbers.count)
    return numbers.count == values.count ? numbers : nil
  }

  func add(to builder: inout TraceBuilder, isOnly: Bool) {
    builder.countLoss(.invalidValue, count: invalidCount)
    guard let begins, let lengths, !begins.isEmpty, begins.count == lengths.count else {
      builder.source.hasKnownLength = false
      return builder.addNotice(
        "the summary contains totals, not frames; its timeline.json has the frames")
    }
    let surface = builder.surface(
      isOnly ? FlutterEvents.surface : name.isEmpty ? "flutter drive" : name)
    addFrames(zip(begins, lengths), to: surface, &builder)
    builder.addNotice(
      "the summary reports when frames were built, not when they were drawn: a frame ends with"
        + " its build; its timeline.json has the frames")
  }

  /// Adds a frame for each start and duration of a build.
  private func addFrames(
    _ builds: Zip2Sequence<[Double], [Double]>, to surface: SurfaceID, _ builder: inout TraceBuilder
  ) {
    let process = builder.process(1)
    let track = builder.track(1, of: process)
    builder.setName("1.ui", of: track)
    builder.setMain(track)
    let label = builder.label(category: "Flutter", name: "build")
    let interval = FlutterEvents.interval(ofRate: rate)
    builder.setBasis(.cadence, of: surface)
    for (index, (begin, length)) in builds.enumerated() {
      guard let begin = Self.time(begin), let length = Self.time(length) else {
        builder.countLoss(.timeOutOfRange)
        continue
      }
      var frame = Frame(id: UInt64(index))
      frame.start = begin
      frame.commitStart = begin
      frame.commitEnd = begin + (length - .zero)
      frame.refreshInterval = interval
      frame.track = track
      builder.updateFrame(frame, of: surface)
      builder.addSpan(on: track, from: begin, to: begin + (length - .zero), label: label)
    }
  }

  private static func time(_ microseconds: Double) -> Timestamp? {
    Int64(exactly: (microseconds * 1000).rounded()).flatMap(Timestamp.init(nanoseconds:))
  }
}

/// A frame as listed by DevTools: durations in microseconds, and the start of its build.
struct FlutterListedFrame {
  let number: UInt64
  /// The time of the vsync that started the frame.
  let start: Timestamp
  /// The time the UI thread started to build it.
  let buildBegin: Timestamp
  let build: TimeSpan
  let raster: TimeSpan
  /// The time from the vsync until the frame was drawn, or `nil` if unknown.
  let elapsed: TimeSpan?

  /// Creates the frame in `view`, or returns `nil` if a part of it is missing or impossible.
  init?(_ view: JSONView) {
    var fields: (number: Int64?, start: Int64?, build: Int64?, raster: Int64?)
    var (elapsed, overhead): (Int64?, Int64?) = (nil, nil)
    view.forEachMember { name, value in
      func nanoseconds() -> Int64? { JSONNumber.nanoseconds(fromMicroseconds: value.bytes) }
      if name.hasBytes(of: "number") {
        fields.number = value.integer
      } else if name.hasBytes(of: "startTime") {
        fields.start = nanoseconds()
      } else if name.hasBytes(of: "build") {
        fields.build = nanoseconds()
      } else if name.hasBytes(of: "raster") {
        fields.raster = nanoseconds()
      } else if name.hasBytes(of: "elapsed") {
        elapsed = nanoseconds()
      } else if name.hasBytes(of: "vsyncOverhead") {
        overhead = nanoseconds()
      }
    }
    guard let number = fields.number.flatMap(UInt64.init(exactly:)),
      let buildBegin = fields.start.flatMap(Timestamp.init(nanoseconds:)),
      let build = fields.build, let raster = fields.raster, build >= 0, raster >= 0
    else { return nil }
    let before = TimeSpan(nanoseconds: max(0, overhead ?? 0))
    guard buildBegin - .zero >= before else { return nil }
    self.number = number
    self.buildBegin = buildBegin
    self.start = buildBegin - before
    self.build = TimeSpan(nanoseconds: build)
    self.raster = TimeSpan(nanoseconds: raster)
    self.elapsed = elapsed.flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
  }

  /// The time it was drawn.
  var end: Timestamp? { elapsed.map { start + $0 }.flatMap { $0 >= buildBegin ? $0 : nil } }
}
