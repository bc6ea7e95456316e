import ReferenceListEngine
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Cells prepared in the time that short commits leave (S-6).
@Suite struct SpareTimeTests {
  @Test func `no frame is late because of a cell prepared before it`() async {
    await forEachCase(of: [60, 120, 240], [UInt64](1...4)) { try oneCase($0, $1) }
    @Sendable func oneCase(_ hertz: Int, _ seed: UInt64) throws {
      var feed = EngineConfiguration(content: ListContent(feedOf: 2000, seed: seed))
      feed.rates = [.init(from: 0, hertz: hertz)]
      feed.policies = .best
      let clock = VirtualClock()
      let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
      let engine = ListEngine(feed, clock: clock, recorder: recorder)
      var steps = ScrollScript.reading(for: 3_000_000_000, seed: seed).steps[...]
      engine.run(next: { steps.popFirst() }) { engine, account in
        guard let account else { return }
        let begin = engine.schedule.time(of: account.refresh)
        let interval = engine.schedule.time(of: account.refresh + 1) - begin
        let hasBegunLate = account.start > begin
        let wasShort = account.end - account.start <= interval
        #expect(!(account.isLate && hasBegunLate && wasShort))
      }
      try recorder.finish()
      #expect(engine.counters.cellsPreparedAhead > 0)
    }
  }
}
