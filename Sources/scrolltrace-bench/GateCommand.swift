internal import ScrollTraceKit
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// `scrolltrace-bench gate`: the reliability of the gate, as a table.
enum GateCommand {
  private static let noises = [0, 0.25]
  private static let runs = [4, 10, 30]
  private static let factors = [1.0, 1.1, 1.2, 1.5, 2]

  static func run(_ arguments: [String]) -> Int32 {
    var (trials, seed) = (2_000, UInt64(1))
    for index in stride(from: 0, to: arguments.count, by: 2) {
      let value = index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
      switch (arguments[index], value) {
      case ("--trials", let count?) where count > 0: trials = count
      case ("--seed", let number?) where number >= 0: seed = UInt64(number)
      default: return BenchCommand.usage("gate takes --trials and --seed with a number above 0")
      }
    }
    print(
      """
      How often the gate fails in \(trials) trials: tolerance 10% and 1 ms/s, 10 s runs with \
      \(Int(GateSimulation.hitches)) hitches on average, seed \(seed).

      | Noise | Runs per side | Unchanged | \
      \(factors.dropFirst().map { "+" + percent($0 - 1) }.joined(separator: " | ")) | Detectable |
      |---|---|---|\(factors.map { _ in "---|" }.joined())
      """)
    for noise in noises {
      for count in runs {
        var simulation = GateSimulation(
          noise: noise, runs: count, seed: seed &* 1_000 &+ UInt64(noise * 100) &+ UInt64(count))
        let cells = factors.map { percent(simulation.failures(factor: $0, trials: trials)) }
        let detectable = simulation.detectableIncrease(trials: max(1, trials / 20))
        print(
          "| \(percent(noise)) | \(count) | \(cells.joined(separator: " | "))"
            + " | +\(percent((detectable * 100).rounded() / 100)) |")
      }
    }
    return 0
  }

  /// Returns a share in percent with one decimal.
  static func percent(_ part: Double) -> String {
    let tenths = Int((part * 1000).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
  }
}

/// Simulated runs: how often the gate fails if nothing changed, and how often it finds a change.
///
/// A run lasts 10 s with hitches of 8 to 50 ms. The number of hitches is Poisson-distributed around
/// 10 times the run's own factor, which is gamma-distributed around 1 with the given noise between
/// runs.
struct GateSimulation {
  /// The average number of hitches in a run.
  static let hitches = 10.0
  /// The length of a run in seconds.
  private static let seconds = 10.0

  /// The standard deviation of the runs' factors.
  let noise: Double
  /// The number of runs per side.
  let runs: Int
  private var numbers: SeededGenerator

  /// Creates a simulation with the random numbers of `seed`.
  init(noise: Double, runs: Int, seed: UInt64) {
    self.noise = noise
    self.runs = runs
    numbers = SeededGenerator(seed: seed)
  }

  private static let rule = RegressionRule(RegressionRule.Tolerance(relative: 0.1, absolute: 1))

  /// Returns the share of `trials` in which the gate fails if the new side has `factor` times the
  /// hitches.
  mutating func failures(factor: Double, trials: Int) -> Double {
    var failures = 0
    for _ in 0..<trials {
      let (base, new) = (side(factor: 1), side(factor: factor))
      if Self.rule.isWorse(base: base, new: new) { failures += 1 }
    }
    return Double(failures) / Double(trials)
  }

  /// Returns the median of the increases that verdicts on unchanged runs call detectable.
  mutating func detectableIncrease(trials: Int) -> Double {
    let increases = (0..<trials).map { _ in
      let (base, new) = (side(factor: 1), side(factor: 1))
      let increase = Self.rule.detectableIncrease(base: base, new: new, resamples: 200)
      return increase / (RunStatistics.median(base) ?? 0)
    }
    return increases.sorted()[trials / 2]
  }

  private mutating func side(factor: Double) -> [Double] {
    (0..<runs).map { _ in ratio(of: Self.hitches * factor) }
  }

  /// Returns the hitch time ratio of one run in ms/s.
  private mutating func ratio(of mean: Double) -> Double {
    let shape = 1 / (noise * noise)
    let count = numbers.poisson(noise > 0 ? mean * numbers.gamma(shape) / shape : mean)
    let time = (0..<count).reduce(0.0) { sum, _ in sum + 8 + 42 * pow(numbers.fraction(), 2) }
    return time / Self.seconds
  }
}
