/// How a metric differs between two sides of runs, and how sure that is (M-20).
///
/// The unit is the run: each gives one value. Frames of one run are not independent of each other, so
/// a test over all frames finds differences where there are none.
///
/// ```swift
/// let statistics = RunStatistics(base: [8.1, 7.9, 8.4, 8.0], new: [9.8, 10.2, 9.9, 10.4])
/// statistics?.difference  // 2.0
/// ```
package struct RunStatistics: Hashable, Sendable {
  /// Fewer runs a side than this cannot reach p < 0.05.
  package static let fewestRuns = 4
  /// How often runs are drawn anew.
  package static let resamples = 10_000
  /// The distance in standard errors that is found in 80 % of cases at 5 %: 1.960 + 0.842.
  private static let detectableDistance = 2.802

  /// How many runs of the base know the metric.
  package let baseRuns: Int
  /// How many new runs do.
  package let newRuns: Int
  /// The base's median.
  package let baseMedian: Double
  /// The new runs' median.
  package let newMedian: Double
  /// The bounds within which 95 % of the differences of medians lie when runs are drawn anew.
  package let confidenceInterval: ClosedRange<Double>
  /// The test of whether the sides are of one population.
  package let test: MannWhitney
  /// The smallest change that this many runs, differing as they do, show in four of five cases.
  package let smallestDetectableChange: Double

  /// The statistics of two sides, or `nil` if a side has no run that knows the metric.
  package init?(
    base: [Double], new: [Double], resamples: Int = RunStatistics.resamples, seed: UInt64 = 1
  ) {
    guard let base = RunValues(base), let new = RunValues(new), resamples > 0 else { return nil }
    baseRuns = base.count
    newRuns = new.count
    baseMedian = base.median
    newMedian = new.median
    test = MannWhitney(base, new)
    var numbers = ResamplingNumbers(seed: seed)
    var draws = (
      base: [Int](repeating: 0, count: baseRuns), new: [Int](repeating: 0, count: newRuns)
    )
    let differences = (0..<resamples).map { _ in
      new.resampledMedian(&numbers, draws: &draws.new)
        - base.resampledMedian(&numbers, draws: &draws.base)
    }
    guard let ranked = RunValues(differences) else { return nil }
    confidenceInterval = ranked.percentile(0.025)...ranked.percentile(0.975)
    let mean = differences.reduce(0, +) / Double(resamples)
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    smallestDetectableChange =
      Self.detectableDistance * (squares / Double(resamples)).squareRoot()
  }

  /// New median minus base median.
  package var difference: Double { newMedian - baseMedian }

  /// New median / base median, or `nil` if the base is not above zero.
  package var ratio: Double? { baseMedian > 0 ? newMedian / baseMedian : nil }

  /// The least one-sided p that the test can come to: that of sides that do not overlap.
  var leastP: Double { Self.leastP(baseRuns, newRuns) }

  /// The fewest runs a side that can reach `level` where so many questions are asked at once.
  static func fewestRuns(for questions: Int, level: Double) -> Int {
    var runs = fewestRuns
    while leastP(runs, runs) * Double(max(1, questions)) > level { runs += 1 }
    return runs
  }

  /// One order of all that there are of so many runs.
  private static func leastP(_ base: Int, _ new: Int) -> Double {
    stride(from: 1, through: min(base, new), by: 1).reduce(1) { p, index in
      p * Double(index) / Double(max(base, new) + index)
    }
  }

  /// Whether both sides have enough runs to tell a difference from chance.
  package var hasEnoughRuns: Bool { min(baseRuns, newRuns) >= Self.fewestRuns }
}
