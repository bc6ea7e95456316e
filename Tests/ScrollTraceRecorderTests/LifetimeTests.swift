import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder

/// A recorder is freed with its last reference, whatever still refers to what it recorded.
@Suite(.serialized) struct LifetimeTests {
  @Test func `the last reference finishes the recording and frees the recorder`() throws {
    let path = TemporaryPath()
    weak var gone: TraceRecorder?
    weak var store: RecorderStore?
    func record() throws {
      let recorder = try TraceRecorder(writingTo: path.path)
      (gone, store) = (recorder, recorder.store)
      recorder.beginFrame().end()
      recorder.mark("here")
    }
    try record()
    #expect(gone == nil)
    #expect(store == nil)
    let walker = try StrictWalker(path.read())
    #expect(walker.session[20] == 1)
    #expect(walker.events.last?.name == "here")
  }

  @Test func `frames, spans and surfaces that outlive their recorder do nothing`() throws {
    func record() throws -> (RecordedFrame, SpanToken, InteractionToken, RecordedSurface) {
      let recorder = try TraceRecorder(to: .memory)
      let surface = recorder.registerSurface(named: "panel")
      return (
        recorder.beginFrame(), recorder.beginSpan("open", item: 1),
        recorder.beginInteraction(.drag), surface
      )
    }
    let (frame, span, interaction, surface) = try record()
    let next = try TraceRecorder(to: .memory)
    frame.phases { $0.layout {} }
    let phase = frame.beginPhase("draw", atFrameStart: true)
    frame.markPresented(at: .zero)
    frame.end(endingPhase: frame.switchPhase(phase, to: "commit"))
    next.endSpan(span)
    TestThread.run { next.endSpan(span) }
    next.endInteraction(interaction)
    next.beginFrame(surface: surface).end()
    next.withSpan("own") {}
    try next.finish()
    let events = try StrictWalker(#require(next.recordedBytes)).events
    #expect(events.map(\.name).last == "own")
    #expect(!events.contains { ["open", "layout", "draw", "commit"].contains($0.name) })
  }

  @Test func `a simulated thread keeps its recording`() throws {
    let path = TemporaryPath()
    var thread: TraceRecorder?
    func record() throws {
      thread = try TraceRecorder(writingTo: path.path).makeSimulatedThread(id: 2, name: "worker")
    }
    try record()
    thread?.recordSpan("work", from: 5, to: 9)
    thread = nil
    let walker = try StrictWalker(path.read())
    #expect(walker.session[20] == 1)
    #expect(walker.events.map(\.name) == ["work"])
  }

  @Test func `threads end after their recorder, and record for others`() throws {
    for _ in 0..<20 {
      let threads = try (0..<3).map { _ in
        let recorder = try TraceRecorder(to: .memory)
        return TestThreadHandle {
          for index in 0..<200 { recorder.withSpan("work", item: ItemID(index)) {} }
          let span = recorder.beginSpan("open")
          let own = try? TraceRecorder(to: .memory)
          own?.withSpan("own") {}
          own?.endSpan(span)
        }
      }
      for thread in threads { thread.join() }
    }
  }

  #if os(Linux)
    @Test func `recorders that nobody refers to give all memory back`() throws {
      let count = 400
      func once() throws {
        var options = RecorderOptions()
        options.traceSampling = TraceSampling(keepingOneIn: 2, alwaysAboveHitchRatio: 0)
        let recorder = try TraceRecorder(to: .memory, options: options)
        let surface = recorder.registerSurface(named: "panel")
        recorder.beginFrame(surface: surface).end()
        recorder.withSpan("work", item: 1) { recorder.mark("here") }
        TestThread.run { recorder.withSpan("elsewhere") {} }
      }
      for _ in 0..<20 { try once() }
      // Other tests allocate at the same time, so the least of several rounds counts.
      var memory = Int.max
      for _ in 0..<5 where memory >= count * 8 {
        let start = try ProcessFacts.residentKilobytes()
        for _ in 0..<count { try once() }
        memory = min(memory, try ProcessFacts.residentKilobytes() - start)
      }
      // Half a KiB each, the control block, and what other tests keep meanwhile. A chunk would be 32 KiB.
      #expect(memory < count * 8)
    }
  #endif
}
