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
    let run = try AnalyzeRun(arguments + [file.path], sourceLocation: sourceLocation)
    #expect(run.status == .done, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    #expect(run.run["input"]["losses"].count == 0, sourceLocation: sourceLocation)
    return run
  }

  @Test func `E-1 end to end`() throws {
    let surface = try analyze(WorkedExamples.e1()).surface
    #expect(surface["hitchTimeNs"].integer == 100_020_000)
    #expect(abs(try #require(surface["hitchTimeRatioMsPerS"].number) - 200.04) < 1e-9)
    #expect(surface["measuredTime"]["kind"].string == "interaction")
    #expect(surface["measuredTime"]["durationNs"].integer == 500_000_000)
    #expect(surface["rating"].string == "critical")
  }

  @Test func `E-2 end to end`() throws {
    let surface = try analyze(WorkedExamples.e2()).surface
    #expect(surface["frames"]["deadlineMisses"].integer == 0)
    #expect(surface["overrunNs"]["max"].integer == -100_000)
    #expect(surface["hitchTimeNs"].integer == 0)
  }

  @Test func `E-3 end to end`() throws {
    let surface = try analyze(WorkedExamples.e3()).surface
    #expect(surface["commitNs"]["max"].integer == 20_000_000)
    #expect(surface["frames"]["deadlineMisses"].integer == 0)
  }

  @Test func `E-4 end to end`() throws {
    let surface = try analyze(WorkedExamples.e4()).surface
    #expect(surface["basis"].string == "target")
    #expect(surface["hitches"][0]["hitchNs"].integer == 4_168_000)
    #expect(surface["hitches"][0]["refreshesMissed"].integer == 1)
  }

  @Test func `E-5 end to end`() throws {
    let surface = try analyze(WorkedExamples.e5()).surface
    #expect(surface["hitches"][0]["hitchNs"].integer == 16_666_667)
    #expect(surface["hitches"][0]["overrunNs"].integer == 100_000)
    #expect(surface["hitches"][0]["estimated"].flag == true)
    #expect(surface["hitches"][0]["kind"].string == "commit")
  }

  @Test func `E-6 and E-7 end to end`() throws {
    let inside = try analyze(WorkedExamples.e6()).surface
    #expect(abs(try #require(inside["hitchTimeNs"].integer) - 50_000_000) < 10_000)
    #expect(inside["hitches"][0]["kind"].string == "skippedRefresh")
    #expect(inside["hitches"][0]["refreshesMissed"].integer == 3)
    let outside = try analyze(WorkedExamples.e7()).surface
    #expect(outside["frames"]["hitches"].integer == 0)
    #expect(outside["hitchTimeNs"].integer == 0)
  }

  @Test func `E-8 end to end`() throws {
    let surface = try analyze(WorkedExamples.e8()).surface
    #expect(surface["frames"]["evaluated"].integer == 5)
    #expect(surface["frames"]["hitches"].integer == 0)
    #expect(surface["refreshIntervals"].count == 2)
  }

  @Test func `E-9 and E-10 end to end`() throws {
    let nested = try analyze(WorkedExamples.e9()).run["work"]
    #expect(nested["mainBusyNs"].integer == 20_000_000)
    #expect(nested["tracks"][0]["utilization"].number == 0.5)
    let parallel = try analyze(WorkedExamples.e10()).run["work"]
    #expect(parallel["mainShare"].number == 0.25)
    #expect(parallel["backgroundBusyNs"].integer == 60_000_000)
  }

  @Test func `E-12 end to end: no data is neither zero nor a pass`() throws {
    let run = try analyze(WorkedExamples.e12())
    #expect(run.surface["hitchTimeNs"].isNull)
    #expect(run.surface["hitchTimeRatioMsPerS"].isNull)
    #expect(run.surface["rating"].string == "notMeasurable")
    #expect(run.report["verdict"]["status"].string == "notEvaluated")
  }

  @Test func `E-13 end to end`() throws {
    let surface = try analyze(WorkedExamples.e13()).surface
    #expect(surface["hitches"].count == 1)
    #expect(surface["hitchTimeNs"].integer == 16_666_667)
  }

  @Test func `E-14 end to end`() throws {
    let surface = try analyze(WorkedExamples.e14()).surface
    #expect(surface["frames"]["evaluated"].integer == 20)
    #expect(surface["hitchTimeNs"].integer == 0)
  }

  @Test func `E-15 end to end`() throws {
    let surface = try analyze(WorkedExamples.e15()).surface
    #expect(surface["hitches"].count == 1)
    #expect(surface["hitchTimeNs"].integer == 16_666_667)
    #expect(surface["frames"]["lateWithoutHitch"].integer == 100)
  }

  @Test func `E-16 end to end`() throws {
    let file = TemporaryFile("hang.fxt")
    let recorder = try WorkedExamples.e16().record(to: file.path)
    // The app hangs and is killed: its file stays as it is.
    let run = try AnalyzeRun([file.path])
    #expect(run.status == .done)
    let hitchTime = try #require(run.surface["hitchTimeNs"].integer)
    #expect(abs(hitchTime - 5_000_000_000) < 50_000_000)
    #expect(run.run["input"]["complete"].flag == false)
    #expect(run.run["input"]["losses"].count == 0)
    #expect(run.surface["hitches"][0]["frame"].integer == 120)
    try recorder.finish()
  }

  @Test func `E-17 end to end`() throws {
    let surface = try analyze(WorkedExamples.e17()).surface
    #expect(surface["hitches"].count == 1)
    #expect(surface["hitches"][0]["kind"].string == "skippedRefresh")
    #expect(abs(try #require(surface["hitchTimeNs"].integer) - 16_666_667) < 1000)
    #expect(surface["frames"]["dropped"].integer == 1)
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
    #expect(run.surface["basis"].string == "hitchList")
    #expect(run.surface["hitchTimeNs"].integer == 200_485_000)
    #expect(abs(try #require(run.surface["hitchTimeRatioMsPerS"].number) - 2.767) < 0.0005)
    #expect(run.surface["frames"]["hitches"].integer == 12)
    for key in ["total", "evaluated", "notEvaluated", "deadlineMisses", "presented", "dropped"] {
      #expect(run.surface["frames"][key].isNull)
    }
    #expect(run.surface["overrunNs"].isNull || run.surface["overrunNs"]["p50"].isNull)
    #expect(run.run["notices"].count == 0)
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
    #expect(run.surface["hitchTimeNs"].integer == 0)
    #expect(run.surface["hitchTimeRatioMsPerS"].number == 0)
  }

  @Test func `E-20 end to end`() throws {
    let surface = try analyze(WorkedExamples.e20()).surface
    #expect(surface["frames"]["hitches"].integer == 39)
    #expect(surface["hitchStreaks"].count == 1)
    #expect(surface["hitchStreaks"][0]["steady"].flag == true)
  }
}
