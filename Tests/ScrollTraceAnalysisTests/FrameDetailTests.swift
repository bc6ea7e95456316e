import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

@Suite struct FrameDetailTests {
  /// Frame 2 misses its deadline by 15 ms.
  let drawing = DrawnTrace(
    hz: 100,
    """
    ms     0    10   20   30   40   50   60
    drag   [                             ]
    begin  1    2              3
    start  1    2              3
    done      1           2       3
    due         1    2              3
    shown            1              2      3
    main   [f ][f         ]    [f ]
    main        [a ][b   ]
    main         [c]
    bg1       [w       ]
    bg2    [v                 ]
    """)

  private func detail(_ trace: Trace, _ number: UInt64) throws -> FrameDetail {
    try #require(TraceAnalyzer().analyze(trace).detail(ofFrame: number))
  }

  @Test func `a late frame has the same hitch as in the report`() throws {
    let analysis = TraceAnalyzer().analyze(drawing.trace())
    let detail = try #require(analysis.detail(ofFrame: 2))
    let hitch = try #require(analysis.surfaces.first?.hitches.first { $0.frame == 2 })
    #expect(detail.hitch?.length == hitch.length)
    #expect(detail.hitch?.range == hitch.range)
    #expect(detail.attribution?.causes == hitch.attribution?.causes)
    #expect(detail.interactions.map(\.kind) == ["drag"])
    #expect(detail.isEvaluated)
  }

  @Test func `the parts of any frame add up to its window (M-16)`() throws {
    for number in 1...3 as ClosedRange<UInt64> {
      let attribution = try #require(try detail(drawing.trace(), number).attribution)
      let sum = attribution.causes.reduce(
        attribution.waiting + attribution.idle + attribution.unrecorded
      ) { $0 + $1.selfTime }
      #expect(sum == attribution.window.length)
    }
  }

  @Test func `a span on the main track is as deep as the spans around it`() throws {
    let trace = drawing.trace()
    let main = try #require(try detail(trace, 2).main)
    let depths = main.pieces.map { "\(trace.name(of: $0.label).prefix(1))\($0.depth)" }
    #expect(depths == ["f0", "a1", "c2", "b1", "f0"])
  }

  @Test func `the busiest background track comes first`() throws {
    #expect(try detail(drawing.trace(), 2).background.map(\.name) == ["bg2", "bg1"])
  }

  @Test
  func `of several frames with one number the worst is selected, and their count is reported`()
    throws
  {
    var builder = TraceBuilder(format: "drawn")
    let id = builder.surface("display")
    for (index, late) in ([0, 30, 10] as [Int64]).enumerated() {
      builder.updateFrame(
        7, of: id, start: Timestamp(clamping: Int64(index) * 100_000_000),
        target: Timestamp(clamping: Int64(index) * 100_000_000),
        presented: Timestamp(clamping: Int64(index) * 100_000_000 + late * 1_000_000),
        refreshInterval: .milliseconds(10))
    }
    let detail = try detail(builder.finish(), 7)
    #expect(detail.sameNumberCount == 3)
    #expect(detail.hitch?.length == .milliseconds(30))
  }

  @Test func `a selection does not change a frame's details`() throws {
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(50)
    let trace = drawing.trace()
    let selected = try #require(TraceAnalyzer(options).analyze(trace).detail(ofFrame: 2))
    #expect(selected.hitch?.length == (try detail(trace, 2)).hitch?.length)
    #expect(selected.hitch != nil)
  }

  @Test func `a frame number that does not exist is reported with the nearest one`() throws {
    let analysis = TraceAnalyzer().analyze(drawing.trace())
    #expect(analysis.problem(withFrame: 3) == nil)
    #expect(
      analysis.problem(withFrame: UInt64.max)
        == .unknownFrame(UInt64.max, surface: "display", count: 3, range: 1...3, nearest: 3))
    #expect(analysis.detail(ofFrame: 0) == nil)
    let empty = TraceAnalyzer().analyze(TraceBuilder(format: "drawn").finish())
    #expect(empty.problem(withFrame: 0) == .noFrames(surface: nil))
  }

  @Test func `a frame that never ended lasts until the next one starts`() throws {
    let cut = DrawnTrace(
      hz: 100,
      """
      ms     0    10   20   30   40
      begin  1    2         3
      done      1             3
      due         1    2         3
      main   [a ][b        ][a ]
      """)
    let detail = try detail(cut.trace(), 2)
    #expect(detail.attribution?.window.length == .milliseconds(20))
    #expect(detail.hitch == nil)
  }

  @Test func `a frame without any known time has no duration`() throws {
    var builder = TraceBuilder(format: "drawn")
    let id = builder.surface("display")
    builder.updateFrame(Frame(id: 1), of: id)
    let detail = try detail(builder.finish(), 1)
    #expect(detail.range == nil)
    #expect(detail.attribution == nil)
    #expect(!detail.isEvaluated)
  }
}
