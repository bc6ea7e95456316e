import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceSummary
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// The rating of sums is that of a trace with the same sums (M-24, M-25).
struct SummaryFiguresTests {
  /// Half a second of motion in which the main thread was ready without a core for `ready` ms of each 10.
  private static func scheduled(ready: Double, frames: Int = 60) -> TraceSummary {
    var trace = FindingTrace(frames: frames, late: [])
    for frame in 0..<frames {
      let start = Double(frame) * 10
      trace.count(start, start + 10, cpu: 6, ready: ready)
    }
    return TraceAnalyzer().summarize(trace.trace())
  }

  private static func rated(_ summaries: [TraceSummary]) throws -> RatedHitches {
    let sum = summaries.reduce(TraceSummary.zero) { $0 + $1 }
    let row = try #require(sum.rows.values.first)
    let scope = try #require(row.scopes[SummaryScope.all])
    return SummaryFigures(scope: scope, thresholds: .scroll).rated
  }

  @Test func `sums without a hitch are good whatever cores the main threads had`() throws {
    let (busy, calm) = (Self.scheduled(ready: 3), Self.scheduled(ready: 0))
    #expect(try Self.rated([calm]).rating == .good)
    for summaries in [[busy], [busy, calm]] {
      let rated = try Self.rated(summaries)
      #expect(rated.rating == .good && rated.reason == nil)
    }
    #expect(try Self.rated([busy, calm, calm, calm]).rating == .good)
  }

  @Test func `sums of short traces have enough frames together`() throws {
    let short = Self.scheduled(ready: 0, frames: 20)
    #expect(try Self.rated([short]).rating == .uncertain)
    #expect(try Self.rated([short, short]).rating == .good)
  }

  @Test func `sums are uncertain if more than a twentieth of all refreshes is unknown`() {
    func rated(hitchTime: Int64, unknown: Int64) -> RatedHitches {
      var scope = SummaryScope()
      for (field, value) in [
        (SummaryField.hitchTime, hitchTime), (.motion, 100_000_000_000), (.evaluated, 5_900),
        (.owed, 6_000), (.unknown, unknown),
      ] {
        scope[field] = SummaryValue(value)
      }
      return SummaryFigures(scope: scope, thresholds: .scroll).rated
    }
    #expect(rated(hitchTime: 0, unknown: 300).rating == .good)
    #expect(rated(hitchTime: 0, unknown: 301).rating == .uncertain)
    #expect(rated(hitchTime: 0, unknown: 600).reason == .unknownRefreshes(share: 0.1))
    // The unknown could only make it worse.
    #expect(rated(hitchTime: 1_100_000_000, unknown: 600).rating == .critical)
  }
}
