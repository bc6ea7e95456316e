import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@Suite struct BasisTests {
  @Test
  func
    `M-2: one frame that knows its deadline makes it the basis, and presentations are compared still`()
    throws
  {
    // E-6 with what the third frame needed to meet its own deadline.
    var drawn = WorkedExamples.e6()
    drawn.frames[2].times["begin"] = 70_000_000
    drawn.frames[2].times["done"] = 80_000_000
    drawn.frames[2].times["due"] = 83_333_000
    let surface = try SurfaceAnalysis(drawn)
    #expect(surface.basis == .deadline)
    #expect(surface.counts.hitches == 1)
    #expect(surface.hitches.first?.kind == .skippedRefresh)
    #expect(abs(try #require(surface.hitchTime).milliseconds - 50) < 0.01)
  }

  @Test func `M-2: a stated refresh rate replaces one that was worked out, and no other`() {
    func interval(isDerived: Bool) -> TimeSpan? {
      var builder = TraceBuilder(format: "built")
      let surface = builder.surface("display")
      if isDerived { builder[surface].derivesRefreshInterval = true }
      for index in 0..<9 {
        builder.updateFrame(
          index, of: surface, start: Timestamp(clamping: Int64(index) * 20_000_000),
          refreshInterval: .milliseconds(20))
      }
      var options = AnalysisOptions()
      options.refreshInterval = .milliseconds(10)
      return TraceAnalyzer(options).analyze(builder.finish()).surfaces.first?.refreshInterval
    }
    #expect(interval(isDerived: true) == .milliseconds(10))
    #expect(interval(isDerived: false) == .milliseconds(20))
  }

  @Test
  func `M-3: with deadlines, presentations are compared only if both frames have one`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333    100.000
      drag  [                                                           ]
      begin 1         2         3
      done     1         2         3
      due             1         2         3
      shown           1         2                             3
      """)
    #expect(surface.basis == .deadline)
    #expect(surface.counts.deadlineMisses == 0)
    #expect(surface.hitches.map(\.kind) == [.skippedRefresh])
    #expect(abs(try #require(surface.hitchTime).milliseconds - 33.333) < 0.01)
    #expect(!surface.isEstimated)
  }

  @Test func `M-2: of frames that became late together, only what the first picture left is new`()
    throws
  {
    // All pictures after the hang come one refresh apart: at 110, 120, 130 and 140 ms.
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0   10  20  30  40  50  60  70  80  90  100 110 120 130 140
      drag  [                                                           ]
      begin 1   2       3       4                               5
      done    1                                         2 3   4   5
      due       1   2       3       4                               5
      """)
    #expect(surface.basis == .deadline)
    #expect(surface.counts.deadlineMisses == 3)
    #expect(surface.hitches.map(\.frame) == [2])
    #expect(surface.hitchTime == surface.hitches.first?.length)
    #expect(abs(try #require(surface.hitchTime).milliseconds - 90) < 0.01)
  }

  @Test func `M-2: lateness goes on over a frame of unknown end`() throws {
    // The third frame has no commit end. The fourth one is shown a refresh after the second.
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0   10  20  30  40  50  60  70  80  90  100 110 120
      drag  [                                                   ]
      begin 1   2   3   4                               5
      done    1                                     2 4   5
      due       1   2       4                               5
      """)
    #expect(surface.hitches.map(\.frame) == [2])
  }
}
