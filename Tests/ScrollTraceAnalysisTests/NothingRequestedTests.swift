import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// A refresh at which nothing was requested is no frame, whatever else is told of it.
@Suite struct NothingRequestedTests {
  @Test func `M-1: if nothing was requested, no deadline is missed`() throws {
    let drawn = DrawnTrace(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667
      drag  [                                       ]
      begin 1                   3         4
      rest            2
      done      1                 2 3         4
      due             1         2         3         4
      """)
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.counts.hitches == 0)
    #expect(surface.counts.deadlineMisses == 0)
    #expect(try #require(surface.overrun).max < .zero)
    #expect(surface.deadlineUtilization.filter(\.isLate).map(\.count) == [0, 0, 0])
    #expect(analysis.work.backgroundBusyDuringOverruns == .zero)
  }

  @Test func `M-2: if nothing was requested, nothing is late`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms     0         16.667    33.333    50.000    66.667    83.333
      begin  1                   3
      rest             2
      target           1         2         3
      shown            1                   3         2
      """)
    #expect(surface.counts.hitches == 0)
    #expect(surface.counts.evaluated == 2)
  }

  @Test func `M-2: a target reported for a refresh without a request establishes no basis`() throws
  {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms     0         16.667    33.333    50.000    66.667
      drag   [                                       ]
      begin  1                   3         4
      rest             2
      target                     2
      shown                      2
      """)
    #expect(surface.basis == .cadence)
    #expect(surface.counts.evaluated == 3)
  }
}
