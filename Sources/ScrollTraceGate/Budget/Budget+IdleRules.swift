package import ScrollTraceAnalysis
import ScrollTraceModel

extension Budget {
  /// The maximum number of listed names.
  private static let maximumNames = 4

  /// Returns the results of rules whose pattern matches none of `runs`, and notes on those without
  /// limits.
  ///
  /// A budget that several jobs share has rules for the traces of other jobs, so that such a result is
  /// a warning. If no limit that could fail has a trace, nothing was checked, and the results have the
  /// limits' own levels.
  ///
  /// - Parameter hasBaseline: Whether the runs are also compared with a baseline.
  package func idleRules(
    among runs: [Analysis], hasBaseline: Bool
  ) -> (results: [LimitResult], notes: [VerdictNote]) {
    let isAsked = rules.contains { rule in
      runs.contains(where: rule.applies)
        && (rule.limits.contains { $0.level == .error }
          || hasBaseline && rule.regressions.contains { $0.level == .error })
    }
    let there = "there are \(runs.map(Self.fileName).listed(maximum: Self.maximumNames))"
    var results: [LimitResult] = []
    var notes: [VerdictNote] = []
    for rule in rules where !runs.contains(where: rule.applies) {
      guard let pattern = rule.traces else { continue }
      let limits = rule.limits.filter { $0.level != .off }
      if limits.isEmpty {
        notes.append(
          VerdictNote(.rules, .warning, "no trace matches the rule for '\(pattern)'; \(there)"))
      }
      results += limits.map { limit in
        LimitResult(
          metric: limit.metric.name, unit: limit.metric.unit.rawValue,
          subject: LimitEvaluator.text("traces \(pattern)", rule.subject), value: nil, runs: 0,
          limit: limit.metric.higherIsBetter ? .minimum(limit.bound) : .maximum(limit.bound),
          level: isAsked ? .warn : limit.level, status: .notEvaluated,
          reason: "\(limit.metric.label): no trace matches '\(pattern)'; \(there)")
      }
    }
    return (results, notes)
  }
}
