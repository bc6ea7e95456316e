import ScrollTraceLayout
import Testing

@testable import ScrollTraceGate

/// Changes of the level of a series, and the distributions that they are compared with.
struct LevelSeriesTests {
  /// Values around each level, with noise of ± 1.
  private static func values(_ levels: [(level: Double, count: Int)], seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed)
    return levels.flatMap { level, count in
      (0..<count).map { _ in level + Double.random(in: -1...1, using: &random) }
    }
  }

  private static func changes(
    _ values: [Double], sampled: Bool = true, significance: Double = 0.01
  ) -> [LevelSeries.Change] {
    LevelSeries(
      values, weights: values.map { _ in 1 }, sampling: sampled ? (1.0 / 3, 600) : nil
    ).changes(significance: significance)
  }

  @Test func `a step is found where it is, with its size`() throws {
    for seed in 0..<20 as Range<UInt64> {
      for sampled in [true, false] {
        let found = Self.changes(Self.values([(5, 12), (9, 8)], seed: seed), sampled: sampled)
        let change = try #require(found.first { $0.range.contains(12) })
        #expect(abs(change.index - 12) <= 1 && abs(change.difference - 4) < 4 * change.error + 0.5)
      }
    }
  }

  @Test func `two steps are found apart`() {
    for seed in 0..<5 as Range<UInt64> {
      let found = Self.changes(Self.values([(5, 12), (12, 12), (20, 12)], seed: seed))
      #expect(found.map(\.index) == [12, 24])
    }
  }

  @Test func `a stretch of another level is found at both its ends, also of one value`() {
    for (before, length, after) in [(10, 6, 8), (9, 1, 9), (4, 3, 12)] {
      for seed in 0..<10 as Range<UInt64> {
        let values = Self.values([(5, before), (11, length), (5, after)], seed: seed)
        #expect(Self.changes(values).map(\.index) == [before, before + length])
      }
    }
    let unsampled = Self.values([(5, 10), (15, 6), (5, 10)], seed: 3)
    #expect(Self.changes(unsampled, sampled: false).map(\.index) == [10, 16])
  }

  @Test func `a step is found behind a short stretch that is far away`() {
    for length in [1, 2, 3] {
      for seed in 0..<10 as Range<UInt64> {
        let values = Self.values([(5, 3), (40, length), (5, 5), (9, 6)], seed: seed)
        let found = Self.changes(values).map(\.index)
        #expect(found.contains { abs($0 - (8 + length)) <= 1 }, "\(length) \(seed) \(found)")
        #expect(found.starts(with: [3, 3 + length]))
      }
    }
  }

  @Test func `the first and the last value can differ if samples tell the noise`() {
    for levels in [[(5, 1), (12, 3)], [(5, 3), (12, 1)], [(5, 1), (12, 1)]] as [[(Double, Int)]] {
      for seed in 0..<10 as Range<UInt64> {
        let values = Self.values(levels.map { (level: $0, count: $1) }, seed: seed)
        #expect(Self.changes(values).map(\.index) == [levels[0].1])
        #expect(Self.changes(values, sampled: false).isEmpty)
      }
    }
  }

  @Test func `noise alone is a change in few series`() {
    for sampled in [true, false] {
      let found = (0..<400 as Range<UInt64>).count { seed in
        !Self.changes(Self.values([(5, 16)], seed: seed), sampled: sampled).isEmpty
      }
      #expect(found <= 8)
    }
  }

  @Test func `a value of little weight is no change`() {
    let values = [5, 5.1, 4.9, 5, 90, 80, 5.1, 4.9, 5, 5.1, 4.9, 5]
    let weights = values.map { $0 > 10 ? 0.0001 : 1 }
    let series = LevelSeries(values, weights: weights, sampling: (1, 600))
    #expect(series.changes(significance: 0.05).isEmpty)
  }

  @Test func `too few, equal and extreme values change nothing`() {
    for values in [
      [], [1], [1, 9, 9, 9, 1], Array(repeating: 3, count: 40),
      Array(repeating: Double.greatestFiniteMagnitude, count: 8),
    ] as [[Double]] {
      #expect(Self.changes(values, sampled: false).isEmpty)
    }
  }

  @Test func `a step as large as the detectable one is found in nine of ten series`() throws {
    let noise = LevelSeries(
      Array(repeating: 5, count: 20), weights: Array(repeating: 1, count: 20),
      sampling: (1.0 / 3, 600))
    let step = try #require(noise.detectable(significance: 0.01))
    let found = (0..<400 as Range<UInt64>).count { seed in
      !Self.changes(Self.values([(5, 10), (5 + step, 10)], seed: seed)).isEmpty
    }
    #expect(found > 340)
  }

  @Test func `a last value of few samples shows only larger changes than one of many`() throws {
    let values = Array(repeating: 5.0, count: 20)
    func step(_ weight: Double) throws -> Double {
      let weights = Array(repeating: 1.0, count: 19) + [weight]
      let series = LevelSeries(values, weights: weights, sampling: (1.0 / 3, 600))
      return try #require(series.detectableAtEnd(significance: 0.01))
    }
    let (many, few) = (try step(1), try step(0.05))
    #expect(many > 4 && many < 7)
    #expect(few > 40)
    let unsampled = LevelSeries(values, weights: Array(repeating: 1, count: 20))
    #expect(unsampled.detectableAtEnd(significance: 0.01) == nil)
  }

  @Test func `Student's distribution is that of the tables`() {
    for (t, freedom, p) in [
      (12.706, 1, 0.05), (4.303, 2, 0.05), (2.228, 10, 0.05), (3.169, 10, 0.01), (2.042, 30, 0.05),
      (63.657, 1, 0.01), (5.841, 3, 0.01), (1.972, 200, 0.05), (0, 7, 1),
    ] {
      #expect(abs(StudentT.twoSided(t, freedom: freedom) - p) < 0.0002)
    }
    #expect(StudentT.twoSided(.infinity, freedom: 5) == 0)
    #expect(StudentT.twoSided(.nan, freedom: 5) == 1)
  }

  @Test func `discoveries are those of Benjamini and Hochberg`() {
    // The example of their paper: four of fifteen.
    let probabilities = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.000,
    ]
    #expect(FalseDiscoveries.threshold(of: probabilities, rate: 0.05) == 0.0095)
    #expect(FalseDiscoveries.threshold(of: [0.5, 1], rate: 0.05) == nil)
    #expect(FalseDiscoveries.threshold(of: [], rate: 0.05) == nil)
  }
}
