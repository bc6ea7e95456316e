package import ScrollTraceAnalysis

/// The result of comparing runs with others: the same for `compare` and `check` (M-20).
public enum RegressionOutcome: String, Codable, Sendable, CaseIterable {
  /// At least one metric is worse by more than the tolerance.
  case worse
  /// No metric is worse, and at least one is better by more than the tolerance.
  case better
  /// No metric is worse, as far as these runs can show.
  case noRegression
  /// A side has too few runs.
  case tooFewRuns
  /// A side lacks a metric, or the sides cannot be compared.
  case notEvaluated
}

extension Verdict {
  /// The outcome of a verdict without limits.
  package var outcome: RegressionOutcome {
    switch status {
    case .failed: .worse
    case .passed: results.contains(where: \.isBetter) ? .better : .noRegression
    case .tooFewRuns: .tooFewRuns
    case .notEvaluated: .notEvaluated
    }
  }

  /// Creates the verdict of `check` without limits on `new` with a baseline of `base`.
  package init(comparing new: [Analysis], with base: [Analysis]) {
    let budget = Budget(rules: [Budget.Rule(regressions: Budget.usualRegressions)])
    let baseline = Baseline(of: [("", base)], for: budget, device: nil, configuration: nil)
    let problems = budget.notesOnBaseline(of: base, group: "").filter { $0.level == .error }
    let print = Fingerprint(of: new, device: nil, configuration: nil)
    let difference = baseline.fingerprint.difference(from: print)
    guard problems.isEmpty, difference == nil else {
      self.init(
        .notEvaluated, reasons: problems.map(\.text) + [difference].compactMap(\.self),
        notes: problems)
      return
    }
    self = budget.verdict(on: new, baseline: baseline.groups.first)
  }
}

extension Baseline {
  package init(
    of groups: [(name: String, runs: [Analysis])], for budget: Budget, device: String?,
    configuration: String?
  ) {
    let all = groups.flatMap(\.runs)
    let subjects = budget.subjects(in: all)
    self.init(
      fingerprint: Fingerprint(of: all, device: device, configuration: configuration),
      groups: groups.map { group in
        Group(
          name: group.name, runs: group.runs.map { RunValuesByMetric(of: $0, subjects: subjects) },
          scenario: ScenarioConsistency(group.runs).scenario)
      })
  }
}
