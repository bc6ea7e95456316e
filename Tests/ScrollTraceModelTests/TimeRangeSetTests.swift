import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Sets of ranges against sets of single nanoseconds.
@Suite struct TimeRangeSetTests {
  private func randomRanges(_ random: inout SeededGenerator, count: Int) -> [TimeRange] {
    (0..<count).map { _ in
      let begin = Int64.random(in: 0..<90, using: &random)
      let length = Int64.random(in: 0..<9, using: &random)
      return TimeRange(start: Timestamp(clamping: begin), end: Timestamp(clamping: begin + length))
    }
  }

  private func timestamps(_ ranges: [TimeRange]) -> Set<Int64> {
    Set(ranges.flatMap { $0.start.nanoseconds..<$0.end.nanoseconds })
  }

  @Test func `a set covers what its ranges cover`() async {
    await forEachCase(of: 0..<40, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let (some, others) = (randomRanges(&random, count: seed), randomRanges(&random, count: 12))
      let (left, right) = (TimeRangeSet(union: some), TimeRangeSet(union: others))
      #expect(left.length.nanoseconds == Int64(timestamps(some).count))
      for range in others {
        let covered = timestamps(some).intersection(timestamps([range])).count
        #expect(left.coveredLength(of: range).nanoseconds == Int64(covered))
      }
      let shared = timestamps(some).intersection(timestamps(others))
      #expect(timestamps(left.intersection(right).ranges) == shared)
      #expect(left.intersection(right) == right.intersection(left))
    }
  }
}
