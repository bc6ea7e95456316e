extension Budget {
  /// So many names of traces are told.
  private static let mostNames = 4

  /// What is to be said of the rules whose pattern fits none of `runs`: a row for each limit, and a
  /// note where a rule has none.
  ///
  /// A budget that several jobs share has rules for traces of the others, so that such a row is a
  /// warning. Where every limit that could fail is without a trace, nothing was asked, and the rows are
  /// of the rule's own level: no data is no pass.
  ///
  /// - Parameter hasBaseline: Whether the runs are held against a baseline, too.
  package func idleRules(
    among runs: [Analysis], hasBaseline: Bool
  ) -> (results: [LimitResult], notes: [VerdictNote]) {
    let isAsked = rules.contains { rule in
      runs.contains(where: rule.holds)
        && (rule.limits.contains { $0.level == .error }
          || hasBaseline && rule.regressions.contains { $0.level == .error })
    }
    let names = runs.prefix(Self.mostNames).map(Self.fileName)
    let more = runs.count > names.count ? " and \(runs.count - names.count) more" : ""
    let there = "there are \(names.joined(separator: ", "))\(more)"
    var results: [LimitResult] = []
    var notes: [VerdictNote] = []
    for rule in rules where !runs.contains(where: rule.holds) {
      guard let pattern = rule.traces else { continue }
      let limits = rule.limits.filter { $0.level != .off }
      if limits.isEmpty {
        notes.append(
          VerdictNote(.rules, .warning, "the rule for traces '\(pattern)' fits none; \(there)"))
      }
      results += limits.map { limit in
        LimitResult(
          metric: limit.metric.name, unit: limit.metric.unit.rawValue,
          subject: LimitEvaluator.text("traces \(pattern)", rule.subject), value: nil, runs: 0,
          limit: limit.metric.higherIsBetter ? .atLeast(limit.bound) : .atMost(limit.bound),
          level: isAsked ? .warn : limit.level, status: .notEvaluated,
          reason: "\(limit.metric.name): no trace fits '\(pattern)'; \(there)")
      }
    }
    return (results, notes)
  }
}
