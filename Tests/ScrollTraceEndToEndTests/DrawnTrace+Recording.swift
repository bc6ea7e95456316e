import ScrollTraceRecorder
import ScrollTraceTestSupport

extension DrawnTrace {
  /// Records the drawing as a host would, into a file at `path`, and gives the recorder back before
  /// its recording is finished.
  func record(to path: String) throws -> TraceRecorder {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    let recorder = try TraceRecorder(writingTo: path, options: options)
    let surface = recorder.registerSurface(
      named: "display",
      options: SurfaceOptions(tolerance: .nanoseconds(tolerance)))
    recordInteractions(with: recorder)
    for frame in frames {
      var tick = FrameTiming(
        start: frame.times["begin"], deadline: frame.times["due"], target: frame.times["target"])
      tick.refreshInterval = (refreshIntervals[frame.id] ?? refreshInterval).map {
        .nanoseconds($0)
      }
      let outcome: RecordedOutcome? =
        frame.outcome == "dropped" ? .dropped : frame.outcome == nil ? nil : .notRequested
      recorder.recordFrame(
        tick, commitStart: frame.times["start"].map { .nanoseconds($0) },
        commitEnd: frame.times["done"].map { .nanoseconds($0) },
        presented: frame.times["shown"].map { .nanoseconds($0) }, outcome: outcome,
        surface: surface, id: frame.id)
    }
    var tracks = ["main": recorder]
    for span in spans.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
      let number = UInt32(span.track.dropFirst(2)) ?? 0
      let track =
        tracks[span.track] ?? recorder.makeSimulatedThread(id: 10 + number, name: span.track)
      tracks[span.track] = track
      track.recordSpan(
        recorder.registerName(span.name), "test", from: span.start, to: span.end)
    }
    if let end {
      recorder.setTime(end)
      recorder.mark("end", "test")
    }
    return recorder
  }

  /// Begins and ends at the drawn times; what has no end is never ended.
  private func recordInteractions(with recorder: TraceRecorder) {
    for interaction in interactions {
      recorder.setTime(interaction.start)
      let token = recorder.beginInteraction(
        InteractionKind(recorder.registerName(interaction.kind)))
      if let end = interaction.end {
        recorder.setTime(end)
        recorder.endInteraction(token)
      }
    }
    recorder.setTime(0)
  }
}
