import ScrollTraceCLI
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The worked examples the whole way: recorder, file, `analyze --format json`.
@Suite struct WholeWayTests {
  func analyze(
    _ drawn: DrawnTrace, _ arguments: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AnalyzeRun {
    let file = TemporaryFile("drawn.fxt")
    try drawn.record(to: file.path).finish()
    let run = try AnalyzeRun(arguments + [file.path])
    #expect(run.status == .done, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    #expect(run.run["input"]["losses"].count == 0, sourceLocation: sourceLocation)
    return run
  }

  @Test func `E-1 to E-20 end to end`() throws {
    try analyze(WorkedExamples.e1()).surface.expect([
      "hitchTimeNs": 100_020_000, "hitchTimeRatioMsPerS": Near(200.04, 1e-9),
      "measuredTime.kind": "interaction", "measuredTime.durationNs": 500_000_000,
      "rating": "critical",
    ])
    try analyze(WorkedExamples.e2()).surface.expect([
      "frames.deadlineMisses": 0, "overrunNs.max": -100_000, "hitchTimeNs": 0,
    ])
    try analyze(WorkedExamples.e3()).surface.expect([
      "commitNs.max": 20_000_000, "frames.deadlineMisses": 0,
    ])
    try analyze(WorkedExamples.e4()).surface.expect([
      "basis": "target", "hitches.0.hitchNs": 4_168_000, "hitches.0.refreshesMissed": 1,
    ])
    try analyze(WorkedExamples.e5()).surface.expect([
      "hitches.0.hitchNs": 16_666_667, "hitches.0.overrunNs": 100_000, "hitches.0.estimated": true,
      "hitches.0.kind": "commit",
    ])
    try analyze(WorkedExamples.e6()).surface.expect([
      "hitchTimeNs": Near(50_000_000, 10_000), "hitches.0.kind": "skippedRefresh",
      "hitches.0.refreshesMissed": 3,
    ])
    try analyze(WorkedExamples.e7()).surface.expect(["frames.hitches": 0, "hitchTimeNs": 0])
    try analyze(WorkedExamples.e8()).surface.expect([
      "frames.evaluated": 5, "frames.hitches": 0, "refreshIntervals.count": 2,
    ])
    try analyze(WorkedExamples.e9()).run["work"].expect([
      "mainBusyNs": 20_000_000, "tracks.0.utilization": 0.5,
    ])
    try analyze(WorkedExamples.e10()).run["work"].expect([
      "mainShare": 0.25, "backgroundBusyNs": 60_000_000,
    ])
    // No data is neither zero nor a pass.
    try analyze(WorkedExamples.e12()).report.expect([
      "runs.0.surfaces.0.hitchTimeNs": nil, "runs.0.surfaces.0.hitchTimeRatioMsPerS": nil,
      "runs.0.surfaces.0.rating": "notMeasurable", "verdict.status": "notEvaluated",
    ])
    try analyze(WorkedExamples.e13()).surface.expect([
      "hitches.count": 1, "hitchTimeNs": 16_666_667,
    ])
    try analyze(WorkedExamples.e14()).surface.expect(["frames.evaluated": 20, "hitchTimeNs": 0])
    try analyze(WorkedExamples.e15()).surface.expect([
      "hitches.count": 1, "hitchTimeNs": 16_666_667, "frames.lateWithoutHitch": 100,
    ])
    try analyze(WorkedExamples.e17()).surface.expect([
      "hitches.count": 1, "hitches.0.kind": "skippedRefresh",
      "hitchTimeNs": Near(16_666_667, 1000), "frames.dropped": 1,
    ])
    try analyze(WorkedExamples.e18()).surface.expect([
      "hitchTimeRatioMsPerS": Near(83.33, 0.01),
      "hitchTimeOutsideInteractionsNs": Near(1_483_333_333, 10),
    ])
    try analyze(WorkedExamples.e20()).surface.expect([
      "frames.hitches": 39, "hitchStreaks.count": 1, "hitchStreaks.0.steady": true,
    ])
  }

  @Test func `E-16 end to end`() throws {
    let file = TemporaryFile("hang.fxt")
    let recorder = try WorkedExamples.e16().record(to: file.path)
    // The app hangs and is killed: its file stays as it is.
    let run = try AnalyzeRun([file.path])
    #expect(run.status == .done)
    run.run.expect(["input.complete": false, "input.losses.count": 0])
    run.surface.expect([
      "hitchTimeNs": Near(5_000_000_000, 50_000_000), "hitches.0.frame": 120,
    ])
    try recorder.finish()
  }

  /// Records a list of hitches, one of each length at each second.
  private func analyze(lengths: [Int64], until end: RecorderTime) throws -> AnalyzeRun {
    let file = TemporaryFile("list.fxt")
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    let recorder = try TraceRecorder(writingTo: file.path, options: options)
    let surface = recorder.registerSurface(
      named: "display", options: SurfaceOptions(listsHitches: true))
    for (number, length) in lengths.enumerated() {
      recorder.recordHitch(
        at: .seconds(Double(number)), duration: .nanoseconds(length), surface: surface)
    }
    recorder.setTime(end)
    recorder.mark("end")
    try recorder.finish()
    return try AnalyzeRun([file.path])
  }

  @Test func `E-19 end to end: a list of hitches, and one without any`() throws {
    let run = try analyze(
      lengths: WorkedExamples.e19Lengths, until: .nanoseconds(WorkedExamples.e19Duration))
    run.surface.expect([
      "basis": "hitchList", "hitchTimeNs": 200_485_000,
      "hitchTimeRatioMsPerS": Near(2.767, 0.0005), "frames.hitches": 12, "frames.total": nil,
      "frames.evaluated": nil, "frames.notEvaluated": nil, "frames.deadlineMisses": nil,
      "frames.presented": nil, "frames.dropped": nil,
    ])
    #expect(run.surface["overrunNs"].isNull || run.surface["overrunNs"]["p50"].isNull)
    run.run.expect(["notices.count": 0])
    try analyze(lengths: [], until: .seconds(1)).surface.expect([
      "hitchTimeNs": 0, "hitchTimeRatioMsPerS": 0.0,
    ])
  }
}
