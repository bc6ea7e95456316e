internal import ScrollTraceKit
internal import ScrollTraceLayout

/// `scrolltrace-bench trend`: the reliability of `scrolltrace trend`, as a table.
enum TrendCommand {
  private static let traces = [10.0, 30, 60, 120]

  static func run(_ arguments: [String]) -> Int32 {
    var (trials, seed) = (200, UInt64(1))
    var plan = FleetSimulation.Plan()
    for index in stride(from: 0, to: arguments.count, by: 2) {
      let value = index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
      switch (arguments[index], value) {
      case ("--trials", let count?) where count > 0: trials = count
      case ("--seed", let number?) where number >= 0: seed = UInt64(number)
      case ("--builds", let count?) where 6...300 ~= count: plan.builds = count
      case ("--devices", let count?) where 3...100 ~= count: plan.devices = count
      default:
        return BenchCommand.usage(
          "trend takes --trials, --seed, --builds from 6 and --devices from 3 with a number")
      }
    }
    print(
      """
      How often 'trend' is right in \(trials) trials: \(plan.builds) builds, \(plan.devices) devices, \
      '\(FleetSimulation.function)' 10% slower on one of them, seed \(seed). The mix shifts to slower \
      devices, one of them new.

      | Traces per build and device | False alarms | with mix shifts | Worse found | Exact build \
      | Build in interval | Device alone | Function first |
      |---|---|---|---|---|---|---|---|
      """)
    for count in traces {
      plan.traces = count
      let cells = row(plan, trials: trials, seed: seed &* 1_000 &+ UInt64(count))
      print("| \(Int(count)) | \(cells.map(GateCommand.percent).joined(separator: " | ")) |")
    }
    return 0
  }

  /// Returns the shares of trials of a row.
  private static func row(
    _ plan: FleetSimulation.Plan, trials: Int, seed: UInt64
  ) -> [Double] {
    var counts = [Int](repeating: 0, count: 7)
    for trial in 0..<trials {
      var fleets = FleetSimulation(seed: seed &* 1_000_003 &+ UInt64(trial))
      var plan = plan
      func trend(_ plan: FleetSimulation.Plan) -> Trend {
        Trend(of: fleets.fleet(plan), TrendQuery())
      }
      plan.change = nil
      if trend(plan).isWorse { counts[0] += 1 }
      plan.mixShifts = true
      if trend(plan).isWorse { counts[1] += 1 }
      let change = 4 + trial % max(1, plan.builds - 7)
      plan.change = change
      plan.changedDevice = trial % (plan.devices - 1)
      guard let answer = trend(plan).answer, answer.isWorse else { continue }
      counts[2] += 1
      if answer.build == "1.\(change)" { counts[3] += 1 }
      if answer.interval.contains("1.\(change)") { counts[4] += 1 }
      if answer.strata == ["device\(plan.changedDevice)"] { counts[5] += 1 }
      if answer.cause?.includes(FleetSimulation.function) == true { counts[6] += 1 }
    }
    return counts.map { Double($0) / Double(trials) }
  }
}
