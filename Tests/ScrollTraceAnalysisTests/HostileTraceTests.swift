import ScrollTraceModel
import Testing

@testable import ScrollTraceAnalysis

/// Traces made to overflow numbers, or to make work that grows with a product of counts.
@Suite struct HostileTraceTests {
  private func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(clamping: nanoseconds) }

  @Test func `more refreshes than can be counted are the most that can be counted`() throws {
    var builder = TraceBuilder(format: "hostile")
    let surface = builder.surface("")
    for _ in 0..<3 {
      builder.addListedHitch(
        ListedHitch(
          begin: .zero, length: TimeSpan(nanoseconds: Int64.max / 2),
          interval: TimeSpan(nanoseconds: 1)), of: surface)
    }
    let analysis = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
    #expect(analysis.counts.refreshesMissed == Int.max)
  }
}
