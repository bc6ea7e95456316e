import ScrollTraceLayout
import Testing

@testable import ScrollTraceGate

/// Changes of the level of a series.
struct ChangePointsTests {
  /// Values around each level, with noise of ± 1.
  private static func values(
    _ levels: [(level: Double, count: Int)], seed: UInt64
  ) -> [Double] {
    var random = SeededGenerator(seed: seed)
    return levels.flatMap { level, count in
      (0..<count).map { _ in level + Double.random(in: -1...1, using: &random) }
    }
  }

  @Test func `a step is found where it is, with its size`() throws {
    for seed in 0..<5 as Range<UInt64> {
      let changes = ChangePoints(in: Self.values([(5, 12), (9, 8)], seed: seed)).points
      let change = try #require(changes.first { $0.index == 12 })
      #expect(change.p <= 0.01 && change.range.contains(12))
      #expect(change.statistics.confidenceInterval.contains(4))
      #expect(change.statistics.difference > 3)
    }
  }

  @Test func `two steps are found apart`() {
    for seed in 0..<5 as Range<UInt64> {
      let values = Self.values([(5, 12), (12, 12), (20, 12)], seed: seed)
      let places = ChangePoints(in: values).points.map(\.index)
      #expect(places.contains(12) && places.contains(24))
    }
  }

  @Test func `noise alone is a change in few series`() {
    let found = (0..<60 as Range<UInt64>).count { seed in
      !ChangePoints(in: Self.values([(5, 16)], seed: seed)).points.isEmpty
    }
    #expect(found <= 3)
  }

  @Test func `too few, equal and extreme values change nothing`() {
    for values in [
      [], [1], [1, 9, 9, 9, 1], Array(repeating: 3, count: 40),
      Array(repeating: Double.greatestFiniteMagnitude, count: 8),
    ] as [[Double]] {
      #expect(ChangePoints(in: values).points.isEmpty)
    }
  }

  @Test func `the energy of a split is that of its definition`() throws {
    let values = Self.values([(1, 4), (3, 5)], seed: 1)
    let best = try #require(ChangePoints.bestSplit(of: values))
    func mean(_ left: ArraySlice<Double>, _ right: ArraySlice<Double>, _ pairs: Int) -> Double {
      left.reduce(0) { sum, one in right.reduce(sum) { $0 + abs(one - $1) } } / Double(pairs)
    }
    let (left, right) = (values[..<best.index], values[best.index...])
    let (m, n) = (left.count, right.count)
    let energy =
      2 * mean(left, right, m * n) - mean(left, left, m * (m - 1))
      - mean(right, right, n * (n - 1))
    #expect(abs(best.energy - Double(m * n) / Double(m + n) * energy) < 1e-9)
  }

  @Test func `many draws are counted to the same median as few are sorted to`() throws {
    var random = SeededGenerator(seed: 4)
    let many = try #require(
      RunValues((0..<101).map { _ in Double.random(in: 0...1, using: &random) }))
    var numbers = SeededGenerator(seed: 9)
    var draws = [Int](repeating: 0, count: many.count)
    let medians = (0..<50).map { _ in many.resampledMedian(&numbers, draws: &draws) }
    var again = SeededGenerator(seed: 9)
    for median in medians {
      let drawn = (0..<many.count).map { _ in many.sorted[again.next(below: many.count)] }.sorted()
      #expect(median == drawn[50])
    }
  }
}
