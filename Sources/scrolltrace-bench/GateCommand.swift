/// `scrolltrace-bench gate`: the reliability of the gate, as a table.
enum GateCommand {
  private static let variations = [0.05, 0.1, 0.2, 0.4, 0.7]
  private static let runs = [4, 5, 8, 10]
  private static let metricsAtOnce = 5
  private static let factors = [1.0, 1.25, 1.5, 2.0, 3.0]

  static func run(_ arguments: [String]) -> Int32 {
    var trials = 1000
    if arguments.count == 2, arguments[0] == "--trials", let count = Int(arguments[1]), count > 0 {
      trials = count
    } else if !arguments.isEmpty {
      return BenchCommand.usage("gate takes --trials and a number above 0")
    }
    print(
      """
      How often the gate fails in \(trials) trials: tolerance 10% and 1 ms/s, 10 s runs with 8 \
      hitches on average.

      """)
    table(metrics: 1, trials: trials)
    print("\nThe same with \(metricsAtOnce) metrics at once, of which one changes.\n")
    table(metrics: metricsAtOnce, trials: trials)
    return 0
  }

  private static func table(metrics: Int, trials: Int) {
    print(
      """
      | Variation | Runs a side | Nothing changed | \
      \(factors.dropFirst().map { "\($0) times" }.joined(separator: " | ")) |
      |---|---|---|\(factors.dropFirst().map { _ in "---|" }.joined())
      """)
    for variation in variations {
      for (index, count) in runs.enumerated() {
        var simulation = GateSimulation(
          variation: variation, runs: count, metrics: metrics,
          seed: UInt64(variation * 1000) * 16 + UInt64(index))
        let cells = factors.map { percent(simulation.failures(factor: $0, trials: trials)) }
        print("| \(percent(variation)) | \(count) | \(cells.joined(separator: " | ")) |")
      }
    }
  }

  /// Returns a share in percent with one decimal.
  private static func percent(_ part: Double) -> String {
    let tenths = Int((part * 1000).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
  }
}
