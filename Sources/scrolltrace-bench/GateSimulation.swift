#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import ScrollTraceKit
internal import ScrollTraceLayout

/// Simulated runs: how often the gate fails if nothing changed, and how often it finds a change.
///
/// A run lasts 10 s with hitches of 8 to 50 ms. The number of hitches is Poisson-distributed around
/// 8 times the run's own factor, which is gamma-distributed around 1 with the given variation
/// between runs.
struct GateSimulation {
  /// The average number of hitches in a run.
  static let hitches = 8.0
  /// The length of a run in seconds.
  private static let seconds = 10.0

  /// The standard deviation of the runs' factors.
  let variation: Double
  /// The number of runs per side.
  let runs: Int
  /// The number of metrics tested at once, each with its own runs; only the first can get worse.
  let metrics: Int
  private var numbers: SeededGenerator

  /// Creates a simulation with the random numbers of `seed`.
  init(variation: Double, runs: Int, metrics: Int, seed: UInt64) {
    self.variation = variation
    self.runs = runs
    self.metrics = metrics
    numbers = SeededGenerator(seed: seed)
  }

  /// Returns the share of `trials` in which the gate fails if the new side has `factor` times the
  /// hitches.
  mutating func failures(factor: Double, trials: Int) -> Double {
    var failures = 0
    for trial in 0..<trials {
      let questions = (0..<metrics).compactMap { metric in
        let base = (0..<runs).map { _ in ratio(of: Self.hitches) }
        let new = (0..<runs).map { _ in ratio(of: Self.hitches * (metric == 0 ? factor : 1)) }
        return RunStatistics(base: base, new: new, resamples: 1000, seed: UInt64(trial)).map {
          RegressionRule.Question(
            $0, tolerance: RegressionRule.Tolerance(relative: 0.1, absolute: 1))
        }
      }
      let answers = RegressionRule.answers(to: questions)
      if answers.contains(where: { $0.status == .failed }) { failures += 1 }
    }
    return Double(failures) / Double(trials)
  }

  /// Returns the hitch time ratio of one run in ms/s.
  private mutating func ratio(of mean: Double) -> Double {
    let shape = 1 / (variation * variation)
    let count = poisson(mean * gamma(shape) / shape)
    let time = (0..<count).reduce(0.0) { sum, _ in sum + 8 + 42 * pow(numbers.fraction(), 2) }
    return time / Self.seconds
  }

  private mutating func poisson(_ mean: Double) -> Int {
    // Knuth's product is exact for the small means here.
    var (count, product) = (0, numbers.fraction())
    let limit = exp(-min(mean, 500))
    while product > limit {
      count += 1
      product *= numbers.fraction()
    }
    return count
  }

  /// Marsaglia and Tsang 2000, for shapes of 1 and more.
  private mutating func gamma(_ shape: Double) -> Double {
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let normal =
        (-2 * log(numbers.fraction())).squareRoot() * cos(2 * Double.pi * numbers.fraction())
      let v = pow(1 + c * normal, 3)
      guard v > 0 else { continue }
      if log(numbers.fraction()) < normal * normal / 2 + d - d * v + d * log(v) { return d * v }
    }
  }
}

extension SeededGenerator {
  /// Returns a number between 0 and 1, both excluded.
  fileprivate mutating func fraction() -> Double {
    (Double(next() >> 11) + 0.5) / 9_007_199_254_740_992
  }
}
