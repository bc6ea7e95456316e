import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@Suite struct PercentileTests {
  @Test func `M-8: percentiles interpolate between closest ranks`() throws {
    // NumPy: percentile([1, 2, 3, 4, 10] ms, [50, 90, 95, 99]) = 3, 7.6, 8.8, 9.76 ms.
    let values = [4, 1, 10, 2, 3].map { TimeSpan.milliseconds($0) }
    let percentiles = try #require(Percentiles(of: values))
    #expect(percentiles.p50 == .milliseconds(3))
    #expect(percentiles.p90 == TimeSpan(nanoseconds: 7_600_000))
    #expect(percentiles.p95 == TimeSpan(nanoseconds: 8_800_000))
    #expect(percentiles.p99 == TimeSpan(nanoseconds: 9_760_000))
    #expect(percentiles.max == .milliseconds(10))
  }

  @Test func `M-8: no values have no percentiles`() {
    #expect(Percentiles(of: []) == nil)
  }

  @Test func `values at the ends of the range do not overflow`() throws {
    let values = [Int64.min, Int64.max].map { TimeSpan(nanoseconds: $0) }
    #expect(try #require(Percentiles(of: values)).max.nanoseconds == Int64.max)
  }
}
