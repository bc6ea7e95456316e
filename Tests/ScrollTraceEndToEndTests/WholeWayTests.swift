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

  @Test func `E-1 end to end`() throws {
    let surface = try analyze(WorkedExamples.e1()).surface
    surface.expect(["hitchTimeNs": 100_020_000])
    #expect(abs(try #require(surface["hitchTimeRatioMsPerS"].number) - 200.04) < 1e-9)
    surface.expect([
      "measuredTime.kind": "interaction", "measuredTime.durationNs": 500_000_000,
      "rating": "critical",
    ])
  }

  @Test func `E-2 end to end`() throws {
    try analyze(WorkedExamples.e2()).surface.expect([
      "frames.deadlineMisses": 0, "overrunNs.max": -100_000, "hitchTimeNs": 0,
    ])
  }

  @Test func `E-3 end to end`() throws {
    try analyze(WorkedExamples.e3()).surface.expect([
      "commitNs.max": 20_000_000, "frames.deadlineMisses": 0,
    ])
  }

  @Test func `E-4 end to end`() throws {
    try analyze(WorkedExamples.e4()).surface.expect([
      "basis": "target", "hitches.0.hitchNs": 4_168_000, "hitches.0.refreshesMissed": 1,
    ])
  }

  @Test func `E-5 end to end`() throws {
    try analyze(WorkedExamples.e5()).surface.expect([
      "hitches.0.hitchNs": 16_666_667, "hitches.0.overrunNs": 100_000, "hitches.0.estimated": true,
      "hitches.0.kind": "commit",
    ])
  }

  @Test func `E-6 and E-7 end to end`() throws {
    let inside = try analyze(WorkedExamples.e6()).surface
    #expect(abs(try #require(inside["hitchTimeNs"].integer) - 50_000_000) < 10_000)
    inside.expect(["hitches.0.kind": "skippedRefresh", "hitches.0.refreshesMissed": 3])
    try analyze(WorkedExamples.e7()).surface.expect(["frames.hitches": 0, "hitchTimeNs": 0])
  }

  @Test func `E-8 end to end`() throws {
    try analyze(WorkedExamples.e8()).surface.expect([
      "frames.evaluated": 5, "frames.hitches": 0, "refreshIntervals.count": 2,
    ])
  }

  @Test func `E-9 and E-10 end to end`() throws {
    try analyze(WorkedExamples.e9()).run["work"].expect([
      "mainBusyNs": 20_000_000, "tracks.0.utilization": 0.5,
    ])
    try analyze(WorkedExamples.e10()).run["work"].expect([
      "mainShare": 0.25, "backgroundBusyNs": 60_000_000,
    ])
  }

  @Test func `E-12 end to end: no data is neither zero nor a pass`() throws {
    let run = try analyze(WorkedExamples.e12())
    #expect(run.surface["hitchTimeNs"].isNull)
    #expect(run.surface["hitchTimeRatioMsPerS"].isNull)
    run.surface.expect(["rating": "notMeasurable"])
    run.report.expect(["verdict.status": "notEvaluated"])
  }

  @Test func `E-13 end to end`() throws {
    try analyze(WorkedExamples.e13()).surface.expect([
      "hitches.count": 1, "hitchTimeNs": 16_666_667,
    ])
  }

  @Test func `E-14 end to end`() throws {
    try analyze(WorkedExamples.e14()).surface.expect(["frames.evaluated": 20, "hitchTimeNs": 0])
  }

  @Test func `E-15 end to end`() throws {
    try analyze(WorkedExamples.e15()).surface.expect([
      "hitches.count": 1, "hitchTimeNs": 16_666_667, "frames.lateWithoutHitch": 100,
    ])
  }

  @Test func `E-16 end to end`() throws {
    let file = TemporaryFile("hang.fxt")
    let recorder = try WorkedExamples.e16().record(to: file.path)
    // The app hangs and is killed: its file stays as it is.
    let run = try AnalyzeRun([file.path])
    #expect(run.status == .done)
    let hitchTime = try #require(run.surface["hitchTimeNs"].integer)
    #expect(abs(hitchTime - 5_000_000_000) < 50_000_000)
    run.run.expect(["input.complete": false, "input.losses.count": 0])
    run.surface.expect(["hitches.0.frame": 120])
    try recorder.finish()
  }

  @Test func `E-17 end to end`() throws {
    let surface = try analyze(WorkedExamples.e17()).surface
    surface.expect(["hitches.count": 1, "hitches.0.kind": "skippedRefresh"])
    #expect(abs(try #require(surface["hitchTimeNs"].integer) - 16_666_667) < 1000)
    surface.expect(["frames.dropped": 1])
  }

  @Test func `E-18 end to end`() throws {
    let surface = try analyze(WorkedExamples.e18()).surface
    #expect(abs(try #require(surface["hitchTimeRatioMsPerS"].number) - 83.33) < 0.01)
    #expect(
      abs(try #require(surface["hitchTimeOutsideInteractionsNs"].integer) - 1_483_333_333) < 10)
  }

  @Test func `E-19 end to end: a list of hitches`() throws {
    let file = TemporaryFile("list.fxt")
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    let recorder = try TraceRecorder(writingTo: file.path, options: options)
    let surface = recorder.registerSurface(
      named: "display", options: SurfaceOptions(listsHitches: true))
    for (number, length) in WorkedExamples.e19Lengths.enumerated() {
      recorder.recordHitch(
        at: .seconds(Double(number)), duration: .nanoseconds(length), surface: surface)
    }
    recorder.setTime(WorkedExamples.e19Duration)
    recorder.mark("end")
    try recorder.finish()
    let run = try AnalyzeRun([file.path])
    run.surface.expect(["basis": "hitchList", "hitchTimeNs": 200_485_000])
    #expect(abs(try #require(run.surface["hitchTimeRatioMsPerS"].number) - 2.767) < 0.0005)
    run.surface.expect(["frames.hitches": 12])
    for key in ["total", "evaluated", "notEvaluated", "deadlineMisses", "presented", "dropped"] {
      #expect(run.surface["frames"][key].isNull)
    }
    #expect(run.surface["overrunNs"].isNull || run.surface["overrunNs"]["p50"].isNull)
    run.run.expect(["notices.count": 0])
  }

  @Test func `an empty list of hitches is not a hitch`() throws {
    let file = TemporaryFile("empty-list.fxt")
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    let recorder = try TraceRecorder(writingTo: file.path, options: options)
    _ = recorder.registerSurface(
      named: "display", options: SurfaceOptions(listsHitches: true))
    recorder.setTime(1_000_000_000)
    recorder.mark("end")
    try recorder.finish()
    let run = try AnalyzeRun([file.path])
    run.surface.expect(["hitchTimeNs": 0, "hitchTimeRatioMsPerS": 0.0])
  }

  @Test func `E-20 end to end`() throws {
    try analyze(WorkedExamples.e20()).surface.expect([
      "frames.hitches": 39, "hitchStreaks.count": 1, "hitchStreaks.0.steady": true,
    ])
  }
}
