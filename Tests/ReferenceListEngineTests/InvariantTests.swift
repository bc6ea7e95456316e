import ReferenceListEngine
import ScrollTraceRecorder
import Testing

/// What holds in every session, whatever is scrolled and however slow the machine.
@Suite struct InvariantTests {
  static let seeds: [UInt64] = Array(1...12)

  static func configuration(_ seed: UInt64) -> EngineConfiguration {
    var configuration = EngineConfiguration(content: ListContent(feedOf: 200, seed: seed))
    configuration.rowsLoadedAhead = Int(seed % 3) * 5
    configuration.decodesInBackground = seed % 2 == 0
    configuration.loaders = 1 + Int(seed % 4)
    configuration.rates = [RefreshSchedule.Rate(from: 0, hertz: [60, 120, 90][Int(seed % 3)])]
    configuration.costs.create *= Nanoseconds(1 + seed % 5)
    return configuration
  }

  @Test(arguments: seeds)
  func `a view shows one item at a time and never waits while it does`(seed: UInt64) throws {
    var frames = 0
    let run = try EngineRun(
      Self.configuration(seed), .reading(for: 3_000_000_000, seed: seed)
    ) { engine in
      frames += 1
      let shown = engine.visible.map(\.view)
      #expect(Set(shown).count == shown.count)
      #expect(Set(engine.visible.map(\.item)).count == engine.visible.count)
      #expect(Set(shown).isDisjoint(with: engine.waitingViews))
      #expect(Set(engine.waitingViews).count == engine.waitingViews.count)
      let positions = engine.visible.map(\.position)
      #expect(positions == Array((positions.first ?? 0)..<(positions.first ?? 0) + positions.count))
      for cell in engine.visible {
        #expect(engine.configuration.content.items[cell.position].id == cell.item)
        #expect(engine.configuration.content.items[cell.position].kind == cell.kind)
      }
    }
    #expect(frames == run.counters.frames)
    #expect(frames > 60)
  }

  @Test(arguments: seeds)
  func `what is counted adds up`(seed: UInt64) throws {
    let run = try EngineRun(Self.configuration(seed), .reading(for: 3_000_000_000, seed: seed))
    let counters = run.counters
    let engine = run.engine
    #expect(counters.cellsShown == counters.cellsPrepared)
    #expect(counters.cellsShown == counters.cellsHidden + engine.visible.count)
    #expect(counters.cellsCreated == engine.visible.count + engine.waitingViews.count)
    #expect(counters.cellsReused > 0)
    #expect(counters.loadsRequested == counters.loadsFinished + counters.loadsInFlight)
    #expect(counters.loadsInFlight >= 0)
    #expect(counters.decodesInBackground == 0 || counters.decodesOnMain == 0)
    #expect(counters.hitches >= counters.deadlineMisses)
  }

  @Test(arguments: seeds)
  func `the same session gives the same bytes`(seed: UInt64) throws {
    let configuration = Self.configuration(seed)
    let session = ScrollSession.reading(for: 1_000_000_000, seed: seed)
    let first = try EngineRun(configuration, session)
    let second = try EngineRun(configuration, session)
    #expect(first.counters == second.counters)
    #expect(first.bytes == second.bytes)
    #expect(first.bytes.count > 10_000)
  }
}
