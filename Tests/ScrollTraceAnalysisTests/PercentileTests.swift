import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

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

  @Test func `a median of the greatest values is one of them`() {
    func median(_ values: Int64...) -> Int64? { FrameSequence.median(values) }
    #expect(median(.max, .max) == .max)
    #expect(median(.min, .min) == .min)
    #expect(median(.max, .min) == -1)
    #expect(median(3, 6) == 4)
    #expect(median(-3, -6) == -5)
  }

  @Test func `M-8: an empty list of values has no percentiles`() {
    #expect(Percentiles(of: []) == nil)
  }

  @Test func `values at the ends of the number range do not overflow`() throws {
    let values = [Int64.min, Int64.max].map { TimeSpan(nanoseconds: $0) }
    #expect(try #require(Percentiles(of: values)).max.nanoseconds == Int64.max)
  }

  @Test func `the value of a rank equals that of the sorted values`() async {
    await forEachCase(of: 0..<60, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 1...3_000, using: &random)
      let values: [Int64] = (0..<count).map { index in
        switch seed % 6 {
        case 0: Int64.random(in: .min ... .max, using: &random)
        case 1: Int64.random(in: 0...3, using: &random)
        case 2: Int64(index)
        case 3: Int64(-index)
        // Up and down again, and what makes the middle of three a bad choice.
        case 4: Int64(min(index, count - index))
        default: Int64(index % 2 == 0 ? index : count - index)
        }
      }
      let sorted = values.sorted()
      var ranked = RankedValues(values)
      #expect(ranked.greatest == sorted.last)
      let ranks = (0..<20).map { _ in Int.random(in: 0..<count, using: &random) } + [0, count - 1]
      for rank in ranks { #expect(ranked.value(ofRank: rank) == sorted[rank]) }
    }
  }
}
