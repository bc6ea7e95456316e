import ScrollTraceLayout

/// The difference of a metric between two sides of runs, and its significance (M-20).
///
/// The unit is the run, with one value each. Frames of one run are not independent, so a test over
/// all frames finds differences where there are none.
///
/// ```swift
/// let statistics = RunStatistics(base: [8.1, 7.9, 8.4, 8.0], new: [9.8, 10.2, 9.9, 10.4])
/// statistics?.difference  // 2.0
/// ```
package struct RunStatistics: Equatable, Sendable {
  /// The minimum number of runs per side; fewer cannot reach p < 0.05.
  package static let fewestRuns = 4
  package static let resamples = 10_000
  /// The distance in standard errors that is detected in 80% of cases at 5%: 1.960 + 0.842.
  private static let detectableDistance = 2.802

  /// The number of runs of the base with the metric.
  package let baseRuns: Int
  /// The number of new runs with the metric.
  package let newRuns: Int
  /// The base's median.
  package let baseMedian: Double
  /// The new runs' median.
  package let newMedian: Double
  /// The 95% CI of the difference of medians, from resampled runs.
  package let confidenceInterval: ClosedRange<Double>
  /// The test whether both sides have the same distribution.
  package let test: MannWhitney
  /// The smallest change that these runs would detect in four of five cases.
  package let smallestDetectableChange: Double

  /// Creates the statistics of two sides, or `nil` if a side has no run with the metric.
  package init?(
    base: [Double], new: [Double], resamples: Int = RunStatistics.resamples, seed: UInt64 = 1
  ) {
    guard let base = RunValues(base), let new = RunValues(new), resamples > 0 else { return nil }
    baseRuns = base.count
    newRuns = new.count
    baseMedian = base.median
    newMedian = new.median
    test = MannWhitney(base, new)
    var numbers = SeededGenerator(seed: seed)
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

  /// The new median minus the base median.
  package var difference: Double { newMedian - baseMedian }

  /// The new median divided by the base median, or `nil` if the base is not above zero.
  package var ratio: Double? { baseMedian > 0 ? newMedian / baseMedian : nil }

  /// The smallest one-sided p that the test can give: that of sides that do not overlap.
  var leastP: Double { Self.leastP(baseRuns, newRuns) }

  /// The minimum number of runs per side that can reach `level` with this number of tests.
  static func fewestRuns(for questions: Int, level: Double) -> Int {
    var runs = fewestRuns
    while leastP(runs, runs) * Double(max(1, questions)) > level { runs += 1 }
    return runs
  }

  /// The probability of one order among all orders of the runs.
  private static func leastP(_ base: Int, _ new: Int) -> Double {
    stride(from: 1, through: min(base, new), by: 1).reduce(1) { p, index in
      p * Double(index) / Double(max(base, new) + index)
    }
  }

  /// A Boolean value indicating whether both sides have enough runs to distinguish a difference
  /// from chance.
  package var hasEnoughRuns: Bool { min(baseRuns, newRuns) >= Self.fewestRuns }
}
