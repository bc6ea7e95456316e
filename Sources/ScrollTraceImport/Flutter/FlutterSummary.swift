import ScrollTraceModel

/// What `flutter drive`, or a test that watches the performance, sums up of frames.
struct FlutterSummary {
  /// A member that every summary has.
  static let mark: StaticString = "\"average_frame_build_time_millis\""

  /// More than any summary has.
  private static let maximumNumberCount = 500

  /// The display's rates of which a summary tells how many frames had them.
  private static let rates: [(String, Double)] = [
    ("30hz", 30), ("60hz", 60), ("80hz", 80), ("90hz", 90), ("120hz", 120),
  ]

  private let name: String
  private var numbers: [(name: String, value: Double)] = []
  private var lists: [(name: String, values: [Double])] = []
  private var leftOutCount: UInt64 = 0

  /// Whether the members are those of a summary.
  private(set) var isSummary = false

  /// Nothing yet of the object called `name`.
  init(name: String) {
    self.name = name
  }

  /// Takes a member, which may be of anything else too.
  mutating func read(_ name: String, _ scanner: inout JSONScanner) throws(ScanFault) {
    switch try scanner.peek() {
    case UInt8(ascii: "["):
      guard Self.isList(name) else { return _ = try scanner.passValue() }
      let (values, lost) = try scanner.passNumbers()
      leftOutCount += lost
      // A list that lacks a value no longer goes with the others.
      if lost == 0 { lists.append((name, values)) }
    case UInt8(ascii: "-"), 0x30...0x39:
      guard let value = try scanner.passView({ $0.double }), Self.isNumber(name) else { return }
      guard numbers.count < Self.maximumNumberCount else { return leftOutCount += 1 }
      numbers.append((name, value))
      if name == "average_frame_build_time_millis" { isSummary = true }
    default: _ = try scanner.passValue()
    }
  }

  private static func isList(_ name: String) -> Bool {
    name.hasPrefix("frame_") && name.hasSuffix("_times")
  }

  /// Whether a number is one of the summary's own, which are all called alike.
  private static func isNumber(_ name: String) -> Bool {
    ["frame", "layer", "picture", "gc_", "vsync", "gpu", "cpu", "memory"].contains {
      name.contains($0)
    }
  }

  /// Adds the summary to `builder`.
  func add(to builder: inout TraceBuilder, isOnly: Bool) {
    let source = name.isEmpty ? "flutter drive" : name
    for (name, value) in numbers {
      builder.addAggregate(
        Aggregate(name, unit: Self.unit(of: name), values: [value], source: source))
    }
    for (name, values) in lists where !name.hasSuffix("begin_times") {
      builder.addAggregate(Aggregate(name, unit: "µs", values: values, source: source))
    }
    builder.countLoss(.invalidValue, count: leftOutCount)
    let surface = builder.surface(isOnly ? FlutterEvents.surface : source)
    guard addFrames(to: surface, &builder) else {
      builder.setBasis(.aggregate, of: surface)
      builder.source.tellsLength = false
      return builder.addNotice(
        .source("the summary holds sums and no frames; its timeline.json has the frames"))
    }
    builder.addNotice(
      .source(
        "the summary tells when frames were built and not when they were drawn: a frame ends with"
          + " its build; its timeline.json has the frames"))
  }

  /// Adds the frames, where the summary tells when each was built.
  private func addFrames(to surface: SurfaceID, _ builder: inout TraceBuilder) -> Bool {
    func list(_ name: String) -> [Double] { lists.first { $0.name == name }?.values ?? [] }
    let (begins, lengths) = (list("frame_begin_times"), list("frame_build_times"))
    guard !begins.isEmpty, begins.count == lengths.count else { return false }
    let process = builder.process(1)
    let track = builder.track(1, of: process)
    builder.setName("1.ui", of: track)
    builder.setMain(track)
    let label = builder.label(category: "Flutter", name: "build")
    let interval = FlutterEvents.interval(ofRate: rate)
    builder.setBasis(.cadence, of: surface)
    for (index, (begin, length)) in zip(begins, lengths).enumerated() {
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
      builder.addSpan(
        on: track, from: begin, to: begin + (length - .zero), label: label)
    }
    return true
  }

  /// The rate that nearly all frames had; `nil` where they had several.
  private var rate: Double? {
    Self.rates.first { rate in
      numbers.contains { $0.name == "\(rate.0)_frame_percentage" && $0.value > 95 }
    }?.1
  }

  /// A time of microseconds; `nil` where there is none such.
  private static func time(_ microseconds: Double) -> Timestamp? {
    Int64(exactly: (microseconds * 1000).rounded()).flatMap(Timestamp.init(nanoseconds:))
  }

  private static func unit(of name: String) -> String {
    if name.hasSuffix("_millis") || name == "total_ui_gc_time" { return "ms" }
    if name.hasSuffix("percentage") { return "%" }
    if name.hasSuffix("_memory") || name.hasSuffix("_mb") { return "MB" }
    if name.hasPrefix("missed_frame") || name == "frame_count" { return "frames" }
    return ""
  }
}
