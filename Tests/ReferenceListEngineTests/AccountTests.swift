import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The analysis of a recording says what the engine has counted itself.
@Suite struct AccountTests {
  @Test func `the analysis agrees with the engine's own counts to the nanosecond`() async {
    await forEachCase(of: InvariantTests.seeds, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let run = try EngineRun(
        InvariantTests.configuration(seed), .reading(for: 4_000_000_000, seed: seed))
      try Self.expectAgreement(run)
    }
  }

  @Test func `stalls between frames are counted identically`() throws {
    var configuration = InvariantTests.configuration(1)
    configuration.rates = [.init(from: 0, hertz: 120)]
    let session = ScrollScript(
      steps: [
        .drag(velocity: 900_000, for: 600_000_000), .deceleration(velocity: 900_000),
        .rest(300_000_000), .animation(distance: -700_000, for: 400_000_000), .rest(80_000_000),
      ],
      errands: [
        Errand(at: 200_000_000, "save draft", cost: 90_000_000),
        Errand(at: 596_000_000, "log", cost: 30_000_000),
        Errand(at: 5_000_000_000, "sync", cost: 200_000_000),
      ])
    let run = try EngineRun(configuration, session)
    #expect(run.counters.hitches > run.counters.deadlineMisses)
    try Self.expectAgreement(run)
  }

  @Test func `two movements become one if a late commit consumes the rest between them`() async {
    await forEachCase(of: [Nanoseconds(0), 9_000_000, 30_000_000, 45_000_000, 70_000_000], oneCase)
    @Sendable func oneCase(cost: Nanoseconds) throws {
      var configuration = InvariantTests.configuration(1)
      configuration.rates = [.init(from: 0, hertz: 60)]
      let session = ScrollScript(
        steps: [
          .drag(velocity: 900_000, for: 300_000_000), .rest(40_000_000),
          .drag(velocity: 900_000, for: 300_000_000), .rest(40_000_000),
        ], errands: [Errand(at: 290_000_000, "save", cost: cost)])
      let run = try EngineRun(configuration, session)
      try Self.expectAgreement(run)
    }
  }

  @Test func `changing refresh rates are counted identically`() throws {
    var configuration = InvariantTests.configuration(5)
    configuration.rates = [
      .init(from: 0, hertz: 120), .init(from: 700_000_000, hertz: 60),
      .init(from: 1_600_000_000, hertz: 80), .init(from: 2_100_000_000, hertz: 24),
    ]
    let run = try EngineRun(configuration, .reading(for: 4_000_000_000, seed: 5))
    #expect(run.counters.hitches > 0)
    try Self.expectAgreement(run)
  }

  static func expectAgreement(_ run: EngineRun) throws {
    let analysis = try TraceAnalyzer().analyze(run.trace())
    #expect(analysis.trace.losses.isEmpty)
    #expect(analysis.surfaces.count == 1)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.basis == .target)
    #expect(surface.counts.presented == run.counters.frames)
    #expect(surface.counts.deadlineMisses == run.counters.deadlineMisses)
    try surface.expectHitches(of: run.counters)
    #expect(analysis.trace.asyncSpans.isEmpty)

    let census = Census(of: analysis.trace)
    #expect(census.spans["scrolltrace.cell dequeue"] ?? 0 == run.counters.cellsReused)
    #expect(census.spans["scrolltrace.cell create"] ?? 0 == run.counters.cellsCreated)
    #expect(census.spans["scrolltrace.cell prepare"] ?? 0 == run.counters.cellsPrepared)
    #expect(census.marks["scrolltrace.cell willDisplay"] ?? 0 == run.counters.cellsShown)
    #expect(census.marks["scrolltrace.cell didEndDisplaying"] ?? 0 == run.counters.cellsHidden)
    // What was cancelled may have begun, and may have come as far as to its bitmap.
    let cancelled = run.counters.loadsCancelled
    let loads = (census.spans["scrolltrace.data load"] ?? 0) - run.counters.readsOnMain
    #expect(run.counters.loadsFinished...(run.counters.loadsFinished + cancelled) ~= loads)
    #expect(census.marks["scrolltrace.data lateResult"] ?? 0 == run.counters.staleResults)
    let decodes = run.counters.decodesOnMain + run.counters.decodesInBackground
    let spans = ["decode", "thumbnail"].map { census.spans["scrolltrace.image \($0)"] ?? 0 }
    #expect(decodes...(decodes + cancelled) ~= spans[0] + spans[1])
    let marks = ["scrolltrace.image cacheHit", "scrolltrace.image cacheMiss"].map {
      census.marks[$0] ?? 0
    }
    #expect(marks == [run.counters.cacheHits, run.counters.cacheMisses])
    // A request that is taken back may have been answered just before.
    #expect(census.marks["scrolltrace.data cancelPrefetch"] ?? 0 >= cancelled)
    #expect(census.marks["scrolltrace.cell discard"] ?? 0 == run.counters.cellsWasted)
    #expect(census.backgroundBusy == run.counters.backgroundBusy)
  }
}

extension SurfaceAnalysis {
  /// Expects the engine's own counts of frames and hitches, and its hitch time.
  func expectHitches(of counters: EngineCounters) throws {
    #expect(counts.total == counters.frames)
    #expect(counts.hitches == counters.hitches)
    let hitchTime = try #require(hitchTime) + (hitchTimeOutsideInteractions ?? .zero)
    #expect(hitchTime.nanoseconds == counters.hitchTime)
  }
}
