internal import ScrollTraceKit
internal import ScrollTraceLayout

/// The reading of summary lines at once, compared with that member by member.
struct SummaryBenchmark: Benchmark {
  let name: String

  func run() throws -> BenchResult {
    var fleets = FleetSimulation(seed: 1)
    let lines = (0..<2_000).map { Array(fleets.line(number: $0).utf8) }
    return try Rounds.medians(name, unit: "µs", reference: "member by member") {
      let reference = try Rounds.time { for line in lines { _ = try TraceSummary(anyLine: line) } }
      let time = try Rounds.time { for line in lines { _ = try TraceSummary(line: line) } }
      return (time / 1e3 / Double(lines.count), time / reference)
    }
  }
}

extension FleetSimulation {
  /// Returns the line of one trace with a scope of all time, one of an interaction and one of a screen.
  mutating func line(number: Int) -> String {
    var plan = Plan()
    (plan.builds, plan.devices, plan.traces) = (1, 1, 200)
    let fleet = fleet(plan)
    guard let (key, row) = fleet.rows.first.map({ ($0.key, $0.value) }) else { return "" }
    var numbers = SeededGenerator(seed: UInt64(number))
    var identity = SummaryIdentity()
    identity.session = String(numbers.next(), radix: 16)
    identity.tool = ToolIdentity.version
    var line = row
    line.identity = identity
    line[.traces] = 1
    guard var scope = row.scopes[SummaryScope.all] else { return "" }
    for field in SummaryField.allCases where scope[field].known == nil {
      scope[field] = SummaryValue(Int64.random(in: 0...60_000_000_000, using: &numbers))
    }
    for name in SummaryHistogramName.allCases {
      for _ in 0..<30 {
        scope[name].count(Int64.random(in: 1_000_000...40_000_000, using: &numbers))
      }
    }
    scope.becomeOneTrace()
    for name in [SummaryScope.all, "interaction:drag", "state:screen=feed"] {
      line.scopes[name] = scope
    }
    return TraceSummary(key, line).lines.first ?? ""
  }
}
