import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What is known of frames that cannot be evaluated.
@Suite struct PaceTests {
  /// Five frames at 100 Hz, a gap of three refreshes before the fourth.
  private static let gap = """
    ms    0    10   20   30   40   50   60   70
    begin 1    2    3              4    5
    """

  @Test func `M-10: if frames cannot be evaluated, frame spacing is from start to start`() throws {
    let surface = try SurfaceAnalysis(hz: 100, Self.gap)
    #expect(!surface.isEvaluated)
    #expect(surface.frameSpacing?.count == 4)
    #expect(surface.frameSpacing?.p50 == .milliseconds(10))
    #expect(surface.frameSpacing?.max == .milliseconds(30))
  }

  @Test func `M-10: rests are not part of the frame spacing of a surface that moved now and then`()
    throws
  {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0    10   20   30   40   50   60   70
      drag  [         ]              [         ]
      begin 1    2                   4    5
      """)
    #expect(surface.frameSpacing?.count == 2)
    #expect(surface.frameSpacing?.max == .milliseconds(10))
  }

  @Test
  func `M-10: presented frames are compared with presented ones, without dropped ones`() throws {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0    10   20   30   40   50
      begin 1    2         4
      drop            3
      shown      1    2              4
      """)
    #expect(surface.frameSpacing?.count == 2)
    #expect(surface.frameSpacing?.max == .milliseconds(30))
  }

  @Test func `M-9: a streak is of consecutive pictures, whichever frame started first`() throws {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0    10   20   30   40   50   60   70   80   90   100
      drag  [                                                  ]
      begin 1234                               5    6
      shown 1    3              2              4    5    6
      """)
    #expect(surface.hitches.map(\.frame) == [2, 4])
    #expect(surface.hitchStreaks.map(\.frames) == [2])
  }

  @Test func `M-5: the always-moving estimate has the ratio of an always-moving analysis`() throws {
    let drawn = DrawnTrace(hz: 100, Self.gap)
    let assumed = try #require(SurfaceAnalysis(drawn).assumingAlwaysMoving)
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    let moving = try SurfaceAnalysis(drawn, options)
    #expect(assumed.hitchTime == .milliseconds(20))
    #expect(assumed.hitches == 1)
    #expect(assumed.longestHitch == .milliseconds(20))
    #expect(assumed.ratio == moving.ratio)
    #expect(moving.assumingAlwaysMoving == nil)
  }

  @Test func `M-5: without a refresh interval nothing is estimated, even if frames were dropped`()
    throws
  {
    let drawn = DrawnTrace(
      hz: nil,
      """
      ms    0    10   20   30   40   50
      begin 1    2              4
      drop            3
      end                            |
      """)
    #expect(try SurfaceAnalysis(drawn).assumingAlwaysMoving == nil)
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    #expect(try !SurfaceAnalysis(drawn, options).isEvaluated)
    #expect(try SurfaceAnalysis(drawn, options).frameSpacing?.max == .milliseconds(30))
  }

  @Test func `of the surfaces that could not be evaluated, the one with most frames is reported`() {
    var builder = TraceBuilder(format: "drawn")
    for (name, count) in [("few", 2), ("many", 5)] {
      let surface = builder.surface(name)
      for index in 0..<count {
        builder.updateFrame(
          index, of: surface, start: Timestamp(clamping: Int64(index) * 10_000_000))
      }
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    #expect(analysis.evaluatedPrimarySurface == nil)
    #expect(analysis.primarySurface?.name == "many")
  }

  @Test func `M-11: spans that overlap without nesting both count`() throws {
    var builder = TraceBuilder(format: "drawn")
    let main = builder.mainThread()
    for (begin, end) in [(0, 60), (30, 900), (40, 880)] as [(Int64, Int64)] {
      builder.addSpan(
        on: main, from: Timestamp(clamping: begin * 1_000_000),
        to: Timestamp(clamping: end * 1_000_000), label: builder.label(category: "", name: "w"))
    }
    let tasks = try #require(TraceAnalyzer().analyze(builder.finish()).work.longTasks)
    #expect(tasks.count == 2)
    #expect(tasks.blocking == .milliseconds(830))
  }

  @Test
  func `M-11: long tasks are outermost and longer than 50 ms, and the longest come first`() throws {
    let drawn = DrawnTrace(
      hz: nil,
      """
      ms    0    10   20   30   40   50   60   70   80   90   100  110  120  130  140  150  160
      begin 1
      main  [fifty                   ]
      main                                [sixty                        ]
      main                                [inner                   ]
      main                                                                    [short   ]
      """)
    let tasks = try #require(TraceAnalyzer().analyze(drawn.trace()).work.longTasks)
    #expect(tasks.count == 1)
    #expect(tasks.length == .milliseconds(60))
    #expect(tasks.blocking == .milliseconds(10))
    let attribution = try #require(tasks.longest.first?.attribution)
    #expect(attribution.groups.first?.name.hasPrefix("inner") == true)
  }
}
