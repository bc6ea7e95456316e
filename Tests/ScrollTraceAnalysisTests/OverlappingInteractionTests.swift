import ScrollTraceModel
import ScrollTraceSummary
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Interactions that count together count what several of them contain once (M-5).
@Suite struct OverlappingInteractionTests {
  /// Two drags at a time between 30 and 60 ms, where frame 4 comes two refreshes late (100 Hz).
  private let run = TraceAnalyzer().analyze(
    DrawnTrace(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60   70   80   90
      drag   [                             ]
      drag                  [                        ]
      tap                                                 [  ]
      begin  1    2    3    4              5    6    7    8
      target 1    2    3    4              5    6    7    8
      shown  1    2    3              4         5    6    7  8
      main   [a  ]          [b            ]          [c  ]
      bg1                        [w       ]
      """
    ).trace())

  private func surface() throws -> SurfaceAnalysis { try #require(run.surfaces.first) }

  @Test func `a rule on a kind of interactions has their union`() throws {
    let surface = try surface()
    let drags = try #require(MetricContext(of: .interaction("drag"), in: run))
    let rows = surface.interactions.filter { $0.kind == "drag" }
    #expect(rows.map(\.range.length) == [.milliseconds(60), .milliseconds(50)])
    #expect(drags.duration == .milliseconds(80))
    #expect(rows.map(\.hitchTime) == [.milliseconds(20), .milliseconds(30)])
    #expect(drags.hitchTime == .milliseconds(30))
    #expect(rows.map(\.counts.total) == [4, 4])
    #expect(drags.counts.total == 7)
    #expect(drags.counts.hitches == 2)
    #expect(drags.work?.mainBusy == .milliseconds(36))
    #expect(drags.work?.backgroundBusy == .milliseconds(18))
  }

  @Test func `a rule on one of them has its row`() throws {
    var options = AnalysisOptions()
    options.interactions = [
      .init(name: "first", from: .zero, to: .milliseconds(60)),
      .init(name: "second", from: .milliseconds(30), to: .milliseconds(80)),
    ]
    let run = TraceAnalyzer(options).analyze(run.trace)
    for row in try #require(run.surfaces.first).interactions {
      let alone = try #require(MetricContext(of: .interaction(row.name), in: run))
      #expect(alone.hitchTime == row.hitchTime && alone.counts.total == row.counts.total)
      #expect(alone.work == row.work && alone.duration == row.range.length)
    }
  }

  @Test func `the scopes of a summary add up to all measured time`() throws {
    let lines = TraceAnalyzer().summarize(run.trace)
    let scopes = try #require(lines.rows.values.first).scopes
    let drag = try #require(scopes["interaction:drag"])
    #expect(drag[.motion].known == 80_000_000 && drag[.hitchTime].known == 30_000_000)
    #expect(drag[.frames].known == 7 && drag[.mainRunning].known == 36_000_000)
    #expect(drag[.longestHitch].known == 20_000_000)
    let all = try #require(scopes["all"])
    #expect(all[.motion].known == 86_000_000)
  }
}
