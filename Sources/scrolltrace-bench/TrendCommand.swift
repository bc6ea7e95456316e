internal import ScrollTraceKit
internal import ScrollTraceLayout
internal import ScrollTracePlatform

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
      case ("--builds", let count?) where 4...300 ~= count: plan.builds = count
      case ("--devices", let count?) where 3...100 ~= count: plan.devices = count
      default:
        return BenchCommand.usage(
          "trend takes --trials, --seed, --builds from 4 and --devices from 3 with a number")
      }
    }
    print(
      """
      How often 'trend' is right in \(trials) trials: \(plan.builds) builds, \(plan.devices) devices, \
      '\(FleetSimulation.function)' 10% slower on one of them, seed \(seed). The mix shifts to slower \
      devices, one of them new. Rare hitches of seconds are in 2% of the traces.

      | Traces per build and device | False alarms | with mix shifts | with rare hitches of seconds \
      | Worse found | Exact build | Build in interval | Device alone | Function first |
      |---|---|---|---|---|---|---|---|---|
      """)
    for count in traces {
      plan.traces = count
      let cells = row(plan, trials: trials, seed: seed &* 1_000 &+ UInt64(count))
      print("| \(Int(count)) | \(cells.map(GateCommand.percent).joined(separator: " | ")) |")
    }
    return 0
  }

  private static func row(_ plan: FleetSimulation.Plan, trials: Int, seed: UInt64) -> [Double] {
    var counts = [Int](repeating: 0, count: 8)
    for trial in 0..<trials {
      var fleets = FleetSimulation(seed: seed &* 1_000_003 &+ UInt64(trial))
      var plan = plan
      func trend(_ plan: FleetSimulation.Plan) -> Trend {
        Trend(of: fleets.fleet(plan), TrendQuery())
      }
      plan.change = nil
      if trend(plan).isWorse { counts[0] += 1 }
      // With numbers of its own, so that those of the others stay the same.
      var unlucky = FleetSimulation(seed: ~seed &* 1_000_003 &+ UInt64(trial))
      plan.hasRareLongHitches = true
      if Trend(of: unlucky.fleet(plan), TrendQuery()).answer != nil { counts[2] += 1 }
      plan.hasRareLongHitches = false
      plan.mixShifts = true
      if trend(plan).isWorse { counts[1] += 1 }
      let change = 1 + trial % (plan.builds - 1)
      plan.change = change
      plan.changedDevice = trial % (plan.devices - 1)
      guard let answer = trend(plan).answer, answer.isWorse else { continue }
      counts[3] += 1
      if answer.build == "1.\(change)" { counts[4] += 1 }
      if answer.interval.contains("1.\(change)") { counts[5] += 1 }
      if answer.strata == ["device\(plan.changedDevice)"] { counts[6] += 1 }
      if answer.cause?.includes(FleetSimulation.function) == true { counts[7] += 1 }
    }
    return counts.map { Double($0) / Double(trials) }
  }
}

/// Simulated lines of a fleet by build and device.
///
/// A trace lasts 10 to 90 s. Its hitches come from causes with rates of their own, all times a factor of the
/// session that is gamma-distributed around 1 with a standard deviation of 0.3 and one of the device. Most
/// are of one or two refreshes, and have a fifth of their time from the other causes; one cause has a heavy tail
/// (Pareto, exponent 1.5, at most 3 s).
struct FleetSimulation {
  /// What happens to a fleet.
  struct Plan {
    var builds = 20
    var devices = 6
    /// The average number of traces of a build and device.
    var traces = 60.0
    /// The build from which the function is slower, or `nil` for never.
    var change: Int?
    /// The device on which it is.
    var changedDevice = 2
    /// The factor of a function's time per frame.
    var slowdown = 1.1
    /// Whether traces move to slower devices, and a slow device is new from a third of the builds on.
    var mixShifts = false
    /// Whether 2% of the traces have a hitch of seconds (Pareto from 1 s on, exponent 1.5, at most 20 s).
    var hasRareLongHitches = false
    /// The standard deviation of a factor that all traces of a build and device share.
    var drift = 0.0
  }

  /// The function that gets slower.
  static let function = "decodeAvatar"
  private static let refresh = 16_666_667.0
  /// The share of a hitch that comes from other causes than the one that made it.
  private static let shareOfOthers = 0.2
  private static let causes: [(category: String, name: String, rate: Double)] = [
    ("scrolltrace.image", function, 2.4), ("scrolltrace.phase", "layout", 0.8),
    ("scrolltrace.cell", "bindRow", 0.5), ("scrolltrace.data", "merge", 0.2),
  ]

  private var numbers: SeededGenerator

  /// Creates a simulation with the random numbers of `seed`.
  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  mutating func fleet(_ plan: Plan) -> TraceSummary {
    var sum = TraceSummary.zero
    // The slowest device has eight times the hitches of the fastest.
    let levels = (0..<plan.devices).map { pow(8, Double($0 + 1) / Double(plan.devices) - 1) }
    let shares = (0..<plan.devices).map { _ in 0.4 + 1.2 * numbers.fraction() }
    for build in 0..<plan.builds {
      for device in 0..<plan.devices {
        var count = plan.traces * shares[device] * (0.5 + numbers.fraction())
        if plan.mixShifts {
          let time = Double(build) / Double(max(1, plan.builds - 1))
          let isSlow = device * 2 >= plan.devices
          count *= isSlow ? 0.3 + 1.4 * time : 1.7 - 1.4 * time
          let isNew = device == plan.devices - 1
          if isNew { count = build * 3 < plan.builds ? 0 : plan.traces * 2 }
        }
        let isSlower = device == plan.changedDevice && plan.change.map { build >= $0 } ?? false
        var row = SummaryRow()
        var scope: SummaryScope?
        row[.traces] = 0
        row[.weight] = 0
        let drift = exp(plan.drift * numbers.normal())
        for _ in 0..<numbers.poisson(count) {
          let trace = self.trace(
            level: levels[device] * drift, slowdown: isSlower ? plan.slowdown : 1,
            hasRareLongHitches: plan.hasRareLongHitches, &row)
          if scope?.add(trace) == nil { scope = trace }
          row[.traces] += 1
          row[.weight] += 1
        }
        guard let scope else { continue }
        row.scopes[SummaryScope.all] = scope
        var attributes = SummaryAttributes()
        _ = attributes.set("build", to: "1.\(build)")
        _ = attributes.set("device", to: "device\(device)")
        sum += TraceSummary(
          SummaryKey(
            surface: "display", basis: "target", refreshInterval: 16_666_667,
            attributes: attributes), row)
      }
    }
    return sum
  }

  /// Returns the scope of a trace, and adds its causes to `row`.
  private mutating func trace(
    level: Double, slowdown: Double, hasRareLongHitches: Bool, _ row: inout SummaryRow
  ) -> SummaryScope {
    let seconds = 10 + 80 * pow(numbers.fraction(), 2)
    let factor = level * numbers.gamma(1 / 0.09) * 0.09
    var times: [Double] = []
    var hitches = 0
    for (index, cause) in Self.causes.enumerated() {
      // The times of a cause are log-normal, so that the share above a refresh is that of a normal tail.
      let slower = index == 0 ? log(slowdown) : 0
      var count = 0
      for refreshes in [1.0, 2] {
        let base = Self.tail(log(1.4 * refreshes) / 0.35)
        let rate = cause.rate * Self.tail((log(1.4 * refreshes) - slower) / 0.35) / base
        let share = refreshes == 1 ? 1 : 0.1
        count += numbers.poisson(rate * share * factor * seconds)
      }
      times.append(Double(count) * Self.refresh)
      hitches += count
    }
    let ordinary = times.reduce(0, +)
    var whole: Int64 = 0
    for (cause, time) in zip(Self.causes, times) {
      let others = (ordinary - time) / Double(Self.causes.count - 1)
      whole += Self.add(
        (1 - Self.shareOfOthers) * time + Self.shareOfOthers * others, hitches: hitches,
        cause.category, cause.name, to: &row)
    }
    var tail = 0.0
    var count = numbers.poisson(0.05 * factor * seconds)
    for _ in 0..<count {
      tail += min(3e9, 8e6 / pow(numbers.fraction(), 1 / 1.5))
    }
    if hasRareLongHitches, numbers.fraction() < 0.02 {
      tail += min(20e9, 1e9 / pow(numbers.fraction(), 1 / 1.5))
      count += 1
    }
    whole += Self.add(tail, hitches: count, nil, "unrecorded", to: &row)
    var scope = SummaryScope()
    scope[.motion] = SummaryValue(Int64(seconds * 1e9))
    scope[.hitchTime] = SummaryValue(min(whole, Int64(seconds * 1e9)))
    scope[.hitches] = SummaryValue(Int64(hitches + count))
    scope[.longestHitch] = SummaryValue(whole)
    scope.becomeOneTrace()
    return scope
  }

  private static func add(
    _ time: Double, hitches: Int, _ category: String?, _ name: String, to row: inout SummaryRow
  ) -> Int64 {
    let time = Int64(time)
    guard hitches > 0 else { return 0 }
    row.causes[SummaryCause(category: category, name: name), default: SummaryCauseSums()].add(
      SummaryCauseSums(hitchTime: WideInteger(time), hitches: WideInteger(Int64(hitches))))
    return time
  }

  /// The probability that a standard normal number is above `limit`.
  private static func tail(_ limit: Double) -> Double { erfc(limit / 2.squareRoot()) / 2 }
}

extension SeededGenerator {
  /// Returns a number between 0 and 1, both excluded.
  mutating func fraction() -> Double { (Double(next() >> 11) + 0.5) / 9_007_199_254_740_992 }

  mutating func normal() -> Double {
    (-2 * log(fraction())).squareRoot() * cos(2 * Double.pi * fraction())
  }

  mutating func poisson(_ mean: Double) -> Int {
    // Knuth's product is exact for small means; large ones are nearly normal.
    guard mean < 200 else { return max(0, Int((mean + mean.squareRoot() * normal()).rounded())) }
    var (count, product) = (0, fraction())
    let limit = exp(-max(0, mean))
    while product > limit {
      count += 1
      product *= fraction()
    }
    return count
  }

  /// Returns a gamma-distributed number of scale 1: Marsaglia and Tsang 2000, for shapes of 1 and more.
  mutating func gamma(_ shape: Double) -> Double {
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let normal = normal()
      let v = pow(1 + c * normal, 3)
      guard v > 0 else { continue }
      if log(fraction()) < normal * normal / 2 + d - d * v + d * log(v) { return d * v }
    }
  }
}
