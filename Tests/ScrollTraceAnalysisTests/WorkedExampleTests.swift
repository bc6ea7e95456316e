import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The worked examples E-1 to E-10 and E-12 to E-20 of the metric definitions.
@Suite struct WorkedExampleTests {
  func milliseconds(_ count: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((count * 1e6).rounded()))
  }

  @Test func `E-1: 100.02 ms of hitches in half a second are 200.04 ms/s`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e1())
    #expect(surface.hitchTime == milliseconds(100.02))
    #expect(surface.counts.hitches == 6)
    #expect(abs(try #require(surface.ratio).millisecondsPerSecond - 200.04) < 1e-9)
  }

  @Test func `E-2: a commit that starts late and ends by its deadline is not a miss`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e2())
    #expect(surface.counts.deadlineMisses == 0)
    #expect(surface.overrun?.max == milliseconds(-0.1))
    #expect(surface.counts.hitches == 0)
  }

  @Test func `E-3: a commit longer than a refresh that meets its deadline is not a miss`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e3())
    #expect(surface.commit?.max == milliseconds(20))
    #expect(surface.counts.deadlineMisses == 0)
    #expect(surface.counts.hitches == 0)
  }

  @Test func `E-4: half a refresh late at 120 Hz is a hitch of that length`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e4())
    #expect(surface.hitches.map(\.length) == [milliseconds(4.168)])
    #expect(surface.hitches.first?.refreshesMissed == 1)
    #expect(!surface.isEstimated)
  }

  @Test func `E-5: a commit 0.1 ms late costs a whole refresh, estimated`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e5())
    #expect(surface.basis == .deadline)
    #expect(surface.hitches.map(\.length) == [TimeSpan(nanoseconds: 16_666_667)])
    #expect(surface.hitches.first?.overrun == milliseconds(0.1))
    #expect(surface.hitches.first?.kind == .commit)
    #expect(surface.isEstimated)
  }

  @Test func `E-6: refreshes without a frame in a drag are a hitch`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e6())
    let hitch = try #require(surface.hitches.first)
    #expect(surface.hitches.count == 1)
    #expect(abs(hitch.length.milliseconds - 50) < 0.01)
    #expect(hitch.kind == .skippedRefresh)
    #expect(hitch.refreshesMissed == 3)
  }

  @Test func `E-7: the same gap outside any interaction is not a hitch`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e7())
    #expect(surface.isEvaluated)
    #expect(surface.counts.hitches == 0)
  }

  @Test func `E-8: an announced change of the refresh rate is not a hitch`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e8())
    #expect(surface.counts.evaluated == 5)
    #expect(surface.counts.hitches == 0)
    #expect(surface.refreshIntervals.map(\.frames) == [3, 2])
  }

  @Test func `E-9: nested spans count once`() throws {
    let work = TraceAnalyzer().analyze(WorkedExamples.e9().trace()).work
    #expect(work.sums.mainBusy == milliseconds(20))
    #expect(work.tracks.first?.utilization == 0.5)
  }

  @Test func `E-10: a quarter of the work is on the main thread`() throws {
    let work = TraceAnalyzer().analyze(WorkedExamples.e10().trace()).work
    #expect(work.sums.mainShare == 0.25)
    #expect(work.sums.backgroundBusy == milliseconds(60))
    #expect(work.sums.parallelism == 2)
  }

  @Test func `E-10: without details, only parallelism and self times are missing`() throws {
    var options = AnalysisOptions()
    options.detailsWork = false
    let all = TraceAnalyzer().analyze(WorkedExamples.e10().trace()).work
    let work = TraceAnalyzer(options).analyze(WorkedExamples.e10().trace()).work
    #expect(work.sums.mainShare == all.sums.mainShare)
    #expect(work.sums.parallelism == nil)
    #expect(work.tracks.map(\.busy) == all.tracks.map(\.busy))
    #expect(work.tracks.allSatisfy { $0.byCategory.isEmpty })
  }

  @Test func `E-12: frames without usable times are no data`() throws {
    let analysis = TraceAnalyzer().analyze(WorkedExamples.e12().trace())
    let surface = try #require(analysis.surfaces.first)
    #expect(!analysis.isEvaluated)
    #expect(surface.hitchTime == nil)
    #expect(surface.ratio == nil)
    #expect(surface.counts.notEvaluated == 3)
    #expect(analysis.notices.contains(.noData(surface: "display")))
  }

  @Test func `E-13: one late commit is one hitch`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e13())
    #expect(surface.hitches.map(\.length) == [TimeSpan(nanoseconds: 16_666_667)])
    #expect(surface.counts.deadlineMisses == 1)
  }

  @Test func `E-14: unknown presentation times are not gaps`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e14())
    #expect(surface.basis == .target)
    #expect(surface.counts.evaluated == 20)
    #expect(surface.counts.hitches == 0)
    #expect(surface.hitchTime == .zero)
  }

  @Test func `E-15: a slip of one refresh is one hitch however long it lasts`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e15())
    #expect(surface.hitches.map(\.length) == [TimeSpan(nanoseconds: 16_666_667)])
    #expect(surface.counts.lateWithoutHitch == 100)
  }

  @Test func `E-16: a hang until the end of the trace costs its whole length`() throws {
    let analysis = TraceAnalyzer().analyze(WorkedExamples.e16().trace())
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.counts.hitches == 1)
    #expect(abs(try #require(surface.hitchTime).seconds - 5) < 0.05)
    #expect(surface.interactions.first?.isFinished == false)
    #expect(surface.hitches.first?.frame == 120)
  }

  @Test func `E-17: a dropped frame is one skipped refresh`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e17())
    #expect(surface.hitches.map(\.kind) == [.skippedRefresh])
    #expect(abs(try #require(surface.hitchTime).milliseconds - 16.667) < 0.001)
    #expect(surface.counts.dropped == 1)
  }

  @Test func `E-18: only the part of a hitch inside the drag counts in its ratio`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e18())
    // The last frame was due at 183.33 ms, the drag ends at 200 ms.
    #expect(abs(try #require(surface.hitchTime).milliseconds - 16.667) < 0.001)
    #expect(abs(try #require(surface.hitchTimeOutsideInteractions).milliseconds - 1483.333) < 0.001)
    #expect(abs(try #require(surface.ratio).millisecondsPerSecond - 83.33) < 0.01)
  }

  @Test func `E-19: a list of hitches has a ratio and no counts of frames`() throws {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    for (number, length) in WorkedExamples.e19Lengths.enumerated() {
      builder.addListedHitch(
        ListedHitch(
          start: Timestamp(clamping: Int64(number) * 1_000_000_000),
          length: TimeSpan(nanoseconds: length)), of: surface)
    }
    builder.extend(to: Timestamp(clamping: WorkedExamples.e19Duration))
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let result = try #require(analysis.surfaces.first)
    #expect(result.hitchTime == milliseconds(200.485))
    #expect(abs(try #require(result.ratio).millisecondsPerSecond - 2.767) < 0.0005)
    #expect(result.counts.hitches == 12)
    #expect(result.counts.total == nil)
    #expect(result.overrun == nil)
    #expect(analysis.notices.isEmpty || analysis.notices == [.trace(.noMainTrack)])
  }

  @Test func `E-20: a steadily slow run is reported, and its hitches count`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e20())
    #expect(surface.counts.hitches == 39)
    #expect(surface.hitchStreaks.map(\.isSteady) == [true])
    #expect(surface.hitchStreaks.first?.frames == 40)
    #expect(surface.hitchStreaks.first?.spacing == milliseconds(25.5))
  }
}
