import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The same engine on the machine's own time: real work, real threads.
@Suite(.serialized, .needsTime) struct RealTimeTests {
  @Test func `a real recording agrees with the engine's own counts`() async {
    await forEachCase(of: ExtraCases.some(1, of: [EnginePolicies(), .best]), oneCase)
    @Sendable func oneCase(policies: EnginePolicies) throws {
      let clock = RealClock()
      var options = RecorderOptions()
      options.clock = clock.recorderClock
      options.isMainThreadFullyInstrumented = true
      options.creatingThread = ThreadIdentity(id: 1, name: "main")
      let recorder = try TraceRecorder(to: .memory, options: options)
      var configuration = EngineConfiguration(content: ListContent(feedOf: 300, seed: 3))
      configuration.policies = policies
      let engine = ListEngine(configuration, clock: clock, recorder: recorder)
      let begin = clock.now
      engine.run(.reading(for: 2_000_000_000, seed: 3))
      let wall = clock.now - begin
      try recorder.finish()
      #expect(wall >= 2_000_000_000)

      let trace = try TraceFile.read(recorder.recordedBytes ?? [])
      let analysis = TraceAnalyzer().analyze(trace)
      let surface = try #require(analysis.surfaces.first)
      let counters = engine.counters
      #expect(trace.losses.isEmpty)
      try surface.expectHitches(of: counters)
      #expect(counters.frames > 0)
      // The host looks at the clock just after the recorder: where the deadline lies between the two,
      // the frame is late by the host's account and its commit on time by the recording.
      let between = surface.hitches.filter { $0.kind == .render }.count
      #expect((surface.counts.deadlineMisses ?? 0) + between == counters.deadlineMisses)

      let census = Census(of: trace)
      #expect(census.spans["scrolltrace.cell prepare"] ?? 0 == counters.cellsPrepared)
      #expect(census.spans["scrolltrace.cell dequeue"] ?? 0 == counters.cellsReused)
      let loads = counters.loadsFinished...(counters.loadsFinished + counters.loadsCancelled)
      #expect(loads ~= census.spans["scrolltrace.data load"] ?? 0)
      #expect(census.marks["scrolltrace.cell willDisplay"] ?? 0 == counters.cellsShown)

      // Whatever the machine did beside it, nothing lasted longer than the host's own measurement.
      #expect(trace.range.length.nanoseconds <= wall)
      #expect(census.backgroundBusy <= 2 * wall)
      #expect(census.backgroundBusy > 0)
      #expect(trace.tracks.filter { $0.name.hasPrefix("loader") }.count >= 1)
    }
  }
}
