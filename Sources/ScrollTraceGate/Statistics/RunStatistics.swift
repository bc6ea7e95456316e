import ScrollTraceLayout

/// The difference of a metric between two sides of runs (M-20).
///
/// The unit is the run, with one value each. Frames of one run are not independent, so a test over
/// all frames finds differences where there are none.
///
/// ```swift
/// let statistics = RunStatistics(base: [8.1, 7.9, 8.4, 8.0], new: [9.8, 10.2, 9.9, 10.4])
/// statistics?.newMedian  // 10.05
/// ```
package struct RunStatistics: Equatable, Sendable {
  /// The minimum number of runs per side; fewer cannot reach p < 0.05.
  package static let minimumRuns = 4
  private static let resamples = 10_000

  /// The number of runs of the base with the metric.
  package let baseRuns: Int
  /// The number of new runs with the metric.
  package let newRuns: Int
  package let baseMedian: Double
  package let newMedian: Double
  /// The 95% CI of the difference of medians, from resampled runs.
  package let confidenceInterval: ClosedRange<Double>

  /// Creates the statistics of two sides, or `nil` if a side has no run with the metric.
  package init?(base: [Double], new: [Double], seed: UInt64 = 1) {
    guard let base = RunValues(base), let new = RunValues(new) else { return nil }
    baseRuns = base.count
    newRuns = new.count
    baseMedian = base.median
    newMedian = new.median
    var numbers = SeededGenerator(seed: seed)
    var counts = (
      base: [Int](repeating: 0, count: baseRuns), new: [Int](repeating: 0, count: newRuns)
    )
    let resamples = base.isConstant && new.isConstant ? 1 : Self.resamples
    let differences = (0..<resamples).map { _ in
      new.resampledMedian(&numbers, counts: &counts.new)
        - base.resampledMedian(&numbers, counts: &counts.base)
    }
    guard let ranked = RunValues(differences) else { return nil }
    confidenceInterval = ranked.percentile(0.025)...ranked.percentile(0.975)
  }

  /// The median of `values`, or `nil` if there is none.
  package static func median(_ values: [Double]) -> Double? { RunValues(values)?.median }

  /// Whether both sides have enough runs to distinguish a difference
  /// from chance.
  package var hasEnoughRuns: Bool { min(baseRuns, newRuns) >= Self.minimumRuns }
}
