import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The analysis of lists says what the engine has counted itself (M-14, M-15).
@Suite struct ListMeasureTests {
  private func expectAgreement(_ run: EngineRun) throws {
    let analysis = try TraceAnalyzer().analyze(run.trace())
    #expect(analysis.lists.map(\.name) == ["feed"])
    let list = try #require(analysis.lists.first)
    let counters = run.counters
    #expect(list.cells.prepared == counters.cellsPrepared)
    #expect(list.cells.preparedAhead == counters.cellsPreparedAhead)
    #expect(list.cells.reused == counters.cellsReused)
    #expect(list.cells.created == counters.cellsCreated)
    #expect(list.cells.displayed == counters.cellsShown)
    #expect(list.cells.redisplayed == counters.cellsShownAgain)
    let waiting = run.engine.kept.count { !$0.wasShown }
    #expect(list.cells.neverDisplayed == counters.cellsWasted + waiting)
    #expect(list.images.decodedOnMain.count == counters.decodesOnMain)
    #expect(list.images.decodedInCommits.count == counters.decodesOnMain)
    let decoded = list.images.decodedInBackground.count
    #expect(
      counters.decodesInBackground...(counters.decodesInBackground + counters.loadsCancelled)
        ~= decoded)
    #expect(list.images.cacheHits == counters.cacheHits)
    #expect(list.images.cacheMisses == counters.cacheMisses)
    #expect(list.data.staleResults == counters.staleResults)
    #expect(list.data.cancelled >= counters.loadsCancelled)
    let snapshots = list.snapshots.reduce(0) { $0 + $1.count }
    #expect(snapshots == counters.snapshots)
    if run.engine.configuration.sizing != .exact, run.engine.configuration.columns == 1 {
      #expect(list.sizes?.corrected ?? 0 >= counters.inaccurateSizeEstimates)
    }
  }

  @Test func `the list metrics match the engine's counts`() async {
    await forEachCase(of: InvariantTests.anySeeds, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var configuration = RandomScript.configuration(seed)
      // An item that is thrown away in view and prepared again is not told from one that was not shown.
      configuration.policies.updates = .reconfigure
      configuration.policies.snapshots = .differences
      try expectAgreement(EngineRun(configuration, RandomScript.script(seed)))
    }
  }

  @Test func `the samples contain what their descriptions state`() throws {
    func list(_ name: String) throws -> ListAnalysis {
      try #require(SampleTests.analysis(name).lists.first)
    }
    let perCell = try list("registration-per-cell").cells
    #expect(perCell.registrationsWithoutReuse == perCell.prepared && perCell.reuseRate == 0)
    #expect(try #require(list("feed-smooth").cells.reuseRate) > 0.3)
    // What is needed at once has no lead.
    #expect(try list("panel-1-on-demand").cells.leadTime?.p50.nanoseconds ?? .max < 16_666_667)
    let lead = try #require(list("panel-2-spare-time").cells.leadTime)
    #expect(lead.p90.nanoseconds > 2 * 16_666_667)
    #expect(try list("cells-ahead").cells.redisplayed > 0)
    #expect(try list("fast-fling").cells.neverDisplayed > 0)
    let data = try list("data-ahead-turn").data
    #expect(data.cancelled > 0 && data.prefetches > 10)
    #expect(try list("captured-cell").data.staleResults > 0)
    let reload = try #require(
      list("snapshot-reload").snapshots.first { $0.kind == "reload" && $0.inserted > 0 })
    #expect(reload.count == 3 && reload.reloaded > 20)
    let fixed = try #require(list("sizes-estimate").sizes)
    let average = try #require(list("sizes-average").sizes)
    #expect(average.meanError < fixed.meanError)
    #expect(try list("feed-commit-hitches").images.decodedInCommits.count > 5)
    #expect(try #require(list("feed-smooth").images.placeholder).p50.nanoseconds > 10_000_000)
  }
}
