import ScrollTraceModel
public import ScrollTraceSummary

/// The times of a frame, in nanoseconds on one clock, for a summary that an app makes itself. An unknown
/// time is `nil`.
public struct SummaryFrame: Hashable, Sendable {
  /// The content as in a trace, without a number.
  fileprivate var frame = Frame(id: 0)

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - start: The earliest time at which the app could work on the frame.
  ///   - commitStart: The time at which the work on the frame began.
  ///   - commitEnd: The time at which it ended.
  ///   - deadline: The time by which it had to end.
  ///   - target: The time at which the frame should be on screen.
  ///   - presented: The time at which it was on screen.
  public init(
    start: Int64? = nil, commitStart: Int64? = nil, commitEnd: Int64? = nil,
    deadline: Int64? = nil, target: Int64? = nil, presented: Int64? = nil
  ) {
    func time(_ nanoseconds: Int64?) -> Timestamp? {
      nanoseconds.flatMap(Timestamp.init(nanoseconds:))
    }
    frame.start = time(start)
    frame.commitStart = time(commitStart)
    frame.commitEnd = time(commitEnd)
    frame.deadline = time(deadline)
    frame.target = time(target)
    frame.presented = time(presented)
  }
}

extension TraceSummary {
  /// Creates the summary of an app's own frames: the line that `scrolltrace summarize` prints for a recording
  /// of these frames, without a trace.
  ///
  /// - Parameters:
  ///   - frames: The frames of the surface, which the main thread committed, in order.
  ///   - surface: The name of the surface.
  ///   - refreshInterval: The length of a refresh in nanoseconds, or `nil` if unknown.
  ///   - tolerance: The accuracy of presentation times in nanoseconds: 0 if exact, 1,000,000 for a display
  ///     link.
  ///   - interactions: The times in which a frame is expected at each refresh, on the clock of the frames.
  ///     Without any, only frames later than planned are hitches.
  ///   - session: An identifier that leads to the app's other data of the session, or `nil`.
  ///   - startWall: The wall time of the start in nanoseconds since 1970, or `nil`.
  ///   - attributes: Properties such as the build. Of more than 16, and of more than 64 bytes, the rest is
  ///     left out.
  public init(
    of frames: some Sequence<SummaryFrame>, on surface: String = "display",
    refreshInterval: Int64?, tolerance: Int64 = 0,
    interactions: [(kind: String, start: Int64, end: Int64)] = [], session: String? = nil,
    startWall: Int64? = nil, attributes: [String: String] = [:]
  ) {
    var builder = TraceBuilder(format: "frames")
    builder.source.session = session
    builder.source.startWall = startWall
    builder.source.wasClosed = true
    let main = builder.track(1, of: builder.process(1))
    builder.setMain(main)
    let display = builder.surface(surface)
    builder.setPresentationTolerance(TimeSpan(nanoseconds: tolerance), of: display)
    builder[display].numbersEveryFrame = true
    let commit = builder.label(category: "scrolltrace.frame", name: surface)
    for (index, given) in frames.enumerated() {
      var frame = given.frame
      frame.id = UInt64(index) + 1
      frame.refreshInterval = refreshInterval.map(TimeSpan.init(nanoseconds:))
      frame.track = main
      builder.addFrame(frame, of: display)
      if let start = frame.commitStart, let end = frame.commitEnd {
        builder.addSpan(on: main, from: start, to: end, label: commit)
      }
    }
    for interaction in interactions {
      guard let start = Timestamp(nanoseconds: interaction.start),
        let end = Timestamp(nanoseconds: interaction.end)
      else { continue }
      builder.addInteraction(Interaction(kind: interaction.kind, start: start, end: end))
    }
    var identity = SummaryIdentity()
    identity.tool = ToolIdentity.version
    var pairs = SummaryAttributes()
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      _ = pairs.set(name, to: value)
    }
    self = TraceAnalyzer().summarize(builder.finish(), identity: identity, attributes: pairs)
  }
}
