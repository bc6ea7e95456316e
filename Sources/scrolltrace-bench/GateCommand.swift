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
