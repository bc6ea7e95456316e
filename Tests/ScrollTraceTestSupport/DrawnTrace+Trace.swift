public import ScrollTraceModel

extension DrawnTrace {
  /// Two frames in time, and later a drag without a frame.
  public static let withoutFrameInMotion = DrawnTrace(
    hz: 60,
    """
    ms     0         16.667    33.333    50        66.667
    begin  1         2
    start  1         2
    done     1         2
    due              1         2
    drag                                 [---------]
    """)

  /// The drawing as a trace, through the builder like any importer's.
  public func trace(isCompletelyRecorded: Bool = false) -> Trace {
    var builder = TraceBuilder(format: "drawn")
    let process = builder.process(1)
    let main = builder.track(1, of: process)
    builder.setName("main", of: main)
    builder.setMain(main)
    if isCompletelyRecorded { builder.setCompletelyRecorded(main) }
    let surface = builder.surface("display")
    builder.setPresentationTolerance(TimeSpan(nanoseconds: tolerance), of: surface)
    for drawn in frames {
      var frame = Frame(id: drawn.id)
      frame.start = drawn.times["begin"].flatMap(Timestamp.init(nanoseconds:))
      frame.commitStart = drawn.times["start"].flatMap(Timestamp.init(nanoseconds:))
      frame.commitEnd = drawn.times["done"].flatMap(Timestamp.init(nanoseconds:))
      frame.deadline = drawn.times["due"].flatMap(Timestamp.init(nanoseconds:))
      frame.target = drawn.times["target"].flatMap(Timestamp.init(nanoseconds:))
      frame.presented = drawn.times["shown"].flatMap(Timestamp.init(nanoseconds:))
      frame.refreshInterval = (refreshIntervals[drawn.id] ?? refreshInterval).map(
        TimeSpan.init(nanoseconds:))
      frame.outcome =
        switch drawn.outcome {
        case "dropped": .dropped
        case "notRequested": .notRequested
        default: .unknown
        }
      frame.track = main
      builder.updateFrame(frame, of: surface)
    }
    for span in spans {
      let number = span.track == "main" ? 1 : 10 + (UInt64(span.track.dropFirst(2)) ?? 0)
      let track = builder.track(number, of: process)
      if span.track != "main" { builder.setName(span.track, of: track) }
      builder.addSpan(
        on: track, from: Timestamp(clamping: span.start), to: Timestamp(clamping: span.end),
        label: builder.label(category: "test", name: span.name))
    }
    for interaction in interactions {
      builder.addInteraction(
        Interaction(
          kind: interaction.kind, start: Timestamp(clamping: interaction.start),
          end: interaction.end.map(Timestamp.init(clamping:))))
    }
    if let end { builder.extend(to: Timestamp(clamping: end)) }
    return builder.finish()
  }
}
