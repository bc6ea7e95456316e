import ScrollTraceModel

@testable import ScrollTraceAnalysis

/// A drag at 100 Hz of a host with one list: frame n begins at n · 10 ms, commits for 2 ms, and is due
/// after 10. A late frame commits for 15 ms and takes the refresh after its own.
struct FindingTrace {
  private var builder = TraceBuilder(format: "built")
  private let main: TrackID
  private let loader: TrackID
  private let surface: SurfaceID

  /// A drag of so many frames.
  ///
  /// - Parameters:
  ///   - late: The frames that are late.
  ///   - commit: How long the others commit, in milliseconds.
  ///   - lateOnGlass: The frames that are shown a refresh late although their commit was in time.
  ///   - hasPhases: Whether a span says that the main thread worked in each commit.
  init(
    frames: Int = 60, late: Set<Int> = [], commit: Double = 2, lateOnGlass: Set<Int> = [],
    hasPhases: Bool = true
  ) {
    let process = builder.process(1)
    builder.setHost(process)
    main = builder.track(1, of: process)
    builder.setMain(main)
    builder.setCompletelyRecorded(main)
    loader = builder.track(2, of: process)
    surface = builder.surface("display")
    for number in 0..<frames where !late.contains(number - 1) && !lateOnGlass.contains(number - 1) {
      let begin = Double(number) * 10
      let isLate = late.contains(number)
      var frame = Frame(id: UInt64(number))
      frame.start = Self.time(begin)
      frame.commitStart = Self.time(begin)
      frame.commitEnd = Self.time(begin + (isLate ? 15 : commit))
      frame.deadline = Self.time(begin + 10)
      frame.target = Self.time(begin + 20)
      let isShownLate = isLate || lateOnGlass.contains(number)
      frame.presented = Self.time(begin + (isShownLate ? 30 : 20))
      frame.outcome = .presented
      frame.refreshInterval = .milliseconds(10)
      frame.track = main
      builder.updateFrame(frame, of: surface)
      if hasPhases { span("phase.commit", begin, isLate ? 15 : commit) }
    }
    builder.addInteraction(
      Interaction(kind: "drag", start: .zero, end: Self.time(Double(frames) * 10 + 20)))
  }

  private static func time(_ milliseconds: Double) -> Timestamp {
    Timestamp(clamping: Int64((milliseconds * 1_000_000).rounded()))
  }

  private mutating func list(_ pairs: [String: ArgumentValue]) -> ArgumentListID {
    let named = pairs.merging(["list": .string(builder.string("feed"))]) { mine, _ in mine }
    return builder.argumentList(
      named.sorted { $0.key < $1.key }.map {
        Argument(key: builder.string($0.key), value: $0.value)
      })
  }

  /// Adds a span from `begin` on that takes `length`, in milliseconds; a name without a dot before
  /// it is of the host's own category.
  mutating func span(
    _ name: String, _ start: Double, _ length: Double, _ pairs: [String: ArgumentValue] = [:],
    isOnMain: Bool = true
  ) {
    let parts = name.split(separator: ".").map(String.init)
    let category = parts.count > 1 ? "scrolltrace.\(parts[0])" : "host"
    builder.addSpan(
      on: isOnMain ? main : loader, from: Self.time(start), to: Self.time(start + length),
      label: builder.label(category: category, name: parts[parts.count - 1]),
      arguments: parts.count > 1 ? list(pairs) : .none)
  }

  /// Adds a mark at `time`, in milliseconds.
  mutating func mark(_ name: String, _ time: Double, _ pairs: [String: ArgumentValue] = [:]) {
    let parts = name.split(separator: ".").map(String.init)
    builder.addMark(
      on: main, at: Self.time(time),
      label: builder.label(category: "scrolltrace.\(parts[0])", name: parts[1]),
      arguments: list(pairs))
  }

  /// The handle of a name, for arguments.
  mutating func string(_ name: String) -> ArgumentValue { .string(builder.string(name)) }

  /// Counts a loss.
  mutating func lose(_ cause: Loss.Cause, _ count: UInt64) {
    builder.countLoss(cause, count: count)
  }

  /// What the analysis finds.
  func findings(_ options: AnalysisOptions = AnalysisOptions()) -> [Finding] {
    TraceAnalyzer(options).analyze(builder.finish()).findings
  }
}
