import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What is not known is absent, never zero.
@Suite struct UnknownTests {
  @Test
  func `without evaluated frames there is no count of missed refreshes and no histogram`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333
      begin 1         2         3
      """)
    #expect(surface.counts.evaluated == 0)
    #expect(surface.counts.refreshesMissed == nil)
    #expect(surface.latenessHistogram.isEmpty)
  }

  @Test func `M-24: hitch time without a frame in an interaction is evidence`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms           0         16.667    33.333    50        3016.667
      begin        1         2
      target       1         2
      shown        1                                                2
      drag                                  [    ]
      deceleration                               [             ]
      """)
    let row = try #require(surface.interactions.last)
    #expect(row.counts.evaluated == 0)
    #expect(try #require(row.ratio).millisecondsPerSecond > 999)
    #expect(row.rated(by: .scroll).rating == .critical)
    let short = try SurfaceAnalysis(
      hz: 60,
      """
      ms           0         16.667    33.333    50        516.667
      begin        1         2
      target       1         2
      shown        1                                               2
      drag                                  [    ]
      deceleration                               [            ]
      """)
    let rated = try #require(short.interactions.last).rated(by: .scroll)
    #expect(rated.rating == .uncertain)
    #expect(rated.reason?.text.hasPrefix("no frame was evaluated in") == true)
  }

  @Test func `M-11: no work in the selected time is zero if the trace contains any`() throws {
    let drawn = DrawnTrace(
      hz: 60,
      """
      ms     0         16.667    33.333    50        66.667
      begin  1         2         3         4
      main   [a       ]
      """)
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(40)
    let later = TraceAnalyzer(options).analyze(drawn.trace())
    let context = MetricContext(later.surfaces.first, in: later)
    #expect(Metric.mainBusy.value(context) == .time(.zero))
    #expect(Metric.backgroundBusy.value(context) == .time(.zero))
    #expect(Metric.mainBusyPerSecond.value(context) == .millisecondsPerSecond(0))
    var without = drawn
    without.spans = []
    let unknown = TraceAnalyzer(options).analyze(without.trace())
    #expect(unknown.work.sums.mainBusy == nil && unknown.work.sums.backgroundBusy == nil)
    #expect(Metric.mainBusy.value(MetricContext(unknown.surfaces.first, in: unknown)) == nil)
  }

  @Test func `without a frame in motion there is no hitch time, live as in the report`() throws {
    let trace = DrawnTrace.withoutFrameInMotion.trace()
    let run = TraceAnalyzer().analyze(trace)
    let surface = try #require(run.surfaces.first)
    // Both frames were evaluated, and neither moved.
    #expect(surface.isEvaluated && surface.counts.evaluated == 2)
    #expect(surface.countsInMotion.evaluated == 0)
    #expect(surface.hitchTime == nil && surface.ratio == nil)
    #expect(surface.rated(by: .scroll).rating == .notMeasurable)
    let live = LiveAnalysis(of: trace).totals(from: .zero, to: nil)
    #expect(live.rated(surface.name, by: .scroll).rating == .notMeasurable)
  }

  @Test func `without a refresh interval the lateness of a commit in refreshes is unknown`() throws
  {
    let surface = try SurfaceAnalysis(
      hz: nil,
      """
      ms    0         16.667    33.333
      begin 1
      done                      1
      due             1
      """)
    #expect(surface.counts.deadlineMisses == 1)
    #expect(surface.deadlineUtilization.isEmpty)
  }

  @Test func `a source that never reports presentations counts no frame as presented`() throws {
    let surface = try SurfaceAnalysis(WorkedExamples.e13())
    #expect(surface.counts.presented == nil)
    #expect(surface.counts.dropped == nil)
  }

  @Test func `if every frame was dropped, none was presented`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000
      drag  [                             ]
      drop  1         2         3
      """)
    #expect(surface.counts.presented == 0)
    #expect(surface.ledger?.pictures == 0)
  }
}
