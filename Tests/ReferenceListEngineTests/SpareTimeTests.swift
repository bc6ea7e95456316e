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

  /// A feed of lines of three whose first cells are dear, since the pool is empty.
  private static func run(
    _ cells: EnginePolicies.Cells, create: Nanoseconds, configure: Nanoseconds
  ) throws -> EngineCounters {
    var feed = EngineConfiguration(content: ListContent(feedOf: 2000, seed: 1, percentOfPhotos: 0))
    feed.columns = 3
    feed.cellsKept = 12
    feed.costs.readData = 1_000
    feed.costs.create = create
    feed.costs.configureText = configure
    feed.policies.cells = cells
    return try EngineRun(feed, .reading(for: 4_000_000_000, seed: 1)).counters
  }

  @Test func `S-6: a first cell that was too long does not keep later ones from spare time`() throws
  {
    for create in [2_400_000, 8_000_000, 40_000_000] as [Nanoseconds] {
      let onDemand = try Self.run(.onDemand, create: create, configure: 5_000_000)
      let ahead = try Self.run(.idle, create: create, configure: 5_000_000)
      #expect(ahead.cellsPreparedAhead > 20)
      // A list that keeps cells needs more of them: where each takes two refreshes and more, that
      // costs more than is gained in a short session.
      #expect((ahead.hitchTime < onDemand.hitchTime) == (create < 40_000_000), "\(create)")
    }
  }

  @Test func `S-6: cells that never fit are not prepared ahead, and cost what they cost on demand`()
    throws
  {
    let onDemand = try Self.run(.onDemand, create: 2_400_000, configure: 60_000_000)
    let ahead = try Self.run(.idle, create: 2_400_000, configure: 60_000_000)
    #expect(ahead.cellsPreparedAhead * 20 < ahead.cellsPrepared)
    #expect(ahead.hitchTime * 10 >= onDemand.hitchTime * 9)
  }
}
