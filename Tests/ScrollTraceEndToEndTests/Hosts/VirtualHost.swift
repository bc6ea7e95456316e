import ScrollTraceCLI
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// A host in virtual time that records into a file of its own.
struct VirtualHost {
  let recorder: TraceRecorder
  private let file = TemporaryFile("host.fxt")

  init() throws {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    recorder = try TraceRecorder(writingTo: file.path, options: options)
  }

  /// Sets the clock.
  func set(_ milliseconds: Double) {
    recorder.setTime(Self.ms(milliseconds))
  }

  static func ms(_ milliseconds: Double) -> RecorderTime { .milliseconds(milliseconds) }

  /// The report of what was recorded.
  func analyzed(sourceLocation: SourceLocation = #_sourceLocation) throws -> AnalyzeRun {
    try recorder.finish()
    let run = try AnalyzeRun([file.path])
    #expect(run.status == .done, sourceLocation: sourceLocation)
    #expect(run.run["input"]["losses"].count == 0, sourceLocation: sourceLocation)
    return run
  }
}

extension DrawnTrace {
  /// Replays a drawing of a display link to a host: `begin` and `target` are what the link says,
  /// `start` is when it calls, if that is later, `done` when the commit is done.
  ///
  /// Interactions become the host's own; `before` runs ahead of the call for a frame.
  func replay(
    to host: VirtualHost, before: @escaping (UInt64) -> Void = { _ in },
    call: @escaping (DrawnFrame) -> Void,
    done: @escaping () -> Void
  ) {
    var events: [(time: Int64, order: Int, body: () -> Void)] = []
    for interaction in interactions {
      var token: InteractionToken?
      let kind = InteractionKind(host.recorder.registerName(interaction.kind))
      events.append(
        (interaction.start, 1, { token = host.recorder.beginInteraction(kind) }))
      if let end = interaction.end {
        events.append((end, 3, { if let token { host.recorder.endInteraction(token) } }))
      }
    }
    for frame in frames {
      let begin = frame.times["start"] ?? frame.times["begin"] ?? 0
      events.append(
        (
          begin, 2,
          {
            before(frame.id)
            call(frame)
          }
        ))
      if let end = frame.times["done"] { events.append((end, 0, done)) }
    }
    for event in events.sorted(by: { ($0.time, $0.order) < ($1.time, $1.order) }) {
      host.recorder.setTime(event.time)
      event.body()
    }
  }
}
