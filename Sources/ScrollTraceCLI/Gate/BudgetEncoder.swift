import ScrollTraceKit

/// Writes a budget as the JSON that `BudgetDecoder` reads.
enum BudgetEncoder {
  /// The budget with everything that holds although nobody wrote it.
  static func encode(_ budget: Budget, baseline: String?) -> JSONValue {
    let first = budget.rules.first ?? Budget.Rule()
    var members: [(String, JSONValue)] = [("schema", .string(BudgetDecoder.schema))]
    members += self.members(of: first)
    members.append(("maxUnknownShare", .number(budget.maxUnknownShare)))
    if let baseline { members.append(("baseline", .string(baseline))) }
    let others = budget.rules.dropFirst().map { rule in
      var members: [(String, JSONValue)] = []
      if let traces = rule.traces { members.append(("traces", .string(traces))) }
      switch rule.subject {
      case .leading: break
      case .surface(let name): members.append(("surface", .string(name)))
      case .interaction(let name): members.append(("interaction", .string(name)))
      case .state(let key, let value): members.append(("state", .string("\(key)=\(value)")))
      }
      return JSONValue.object(members + self.members(of: rule))
    }
    if !others.isEmpty { members.append(("rules", .array(others))) }
    return .object(members)
  }

  private static func members(of rule: Budget.Rule) -> [(String, JSONValue)] {
    let told = rule.limits.map(\.metric).filter { $0.told != nil }
    let metrics = (BudgetMetric.all + told).reduce(into: [BudgetMetric]()) { known, metric in
      if !known.contains(metric), rule.limits.contains(where: { $0.metric == metric }) {
        known.append(metric)
      }
    }
    let limits = metrics.map { metric in
      let values = rule.limits.filter { $0.metric == metric }.map { limit in
        JSONValue.array([.string(limit.level.rawValue), number(limit.bound, metric)])
      }
      return (metric.name, values.count == 1 ? values[0] : .array(values))
    }
    return [
      ("limits", .object(limits)),
      (
        "regression",
        .object(
          rule.regressions.map {
            (
              $0.metric.name,
              leveled(
                $0.level,
                .object([
                  ("relative", .number($0.tolerance.relative)),
                  ("absolute", number($0.tolerance.absolute, $0.metric)),
                ]))
            )
          })
      ),
    ]
  }

  private static func leveled(_ level: Judgement.Level, _ value: JSONValue) -> JSONValue {
    level == .error ? value : .array([.string(level.rawValue), value])
  }

  /// A value in the unit of the metric's name.
  static func number(_ value: Double, _ metric: BudgetMetric) -> JSONValue {
    if metric.unit == .number, let count = Int64(exactly: value) { return .integer(count) }
    guard metric.unit == .time else { return .number(value) }
    return Int64(exactly: (value * 1_000_000).rounded()).map { .integer($0) } ?? .null
  }
}
