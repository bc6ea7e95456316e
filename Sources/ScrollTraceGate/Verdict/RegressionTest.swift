import ScrollTraceAnalysis

/// Compares one metric of a subject with the baseline's runs.
struct RegressionTest {
  private let regression: Budget.Regression
  private let subject: MetricSubject
  private let group: String
  private let base: [Double]
  private let new: [Double]
  private let missing: RunsWithoutData?
  private var label: String { regression.metric.label }
  private var unit: String { regression.metric.unit.rawValue }

  init(
    _ regression: Budget.Regression, _ subject: MetricSubject, group: String, base: [Double],
    new: [Double?], runs: [Analysis]
  ) {
    self.regression = regression
    self.subject = subject
    self.group = group
    self.base = base
    self.new = new.compactMap { $0 }
    missing = RunsWithoutData(zip(runs, new).filter { $1 == nil }.map(\.0), of: runs.count)
  }

  /// Returns the results of all tests, corrected for being asked together.
  static func results(_ tests: [RegressionTest]) -> [LimitResult] {
    let statistics = tests.map { RunStatistics(base: $0.base, new: $0.new) }
    let questions = zip(tests, statistics).compactMap { test, statistics in
      statistics.map {
        RegressionRule.Question(
          $0, tolerance: test.regression.tolerance,
          higherIsBetter: test.regression.metric.higherIsBetter)
      }
    }
    var answers = RegressionRule.answers(to: questions)[...]
    return zip(tests, statistics).map { test, statistics in
      guard let statistics, let answer = answers.popFirst() else { return test.unknown }
      return test.result(statistics, answer)
    }
  }

  /// The result if a side lacks the metric.
  private var unknown: LimitResult {
    let side = base.isEmpty ? "baseline" : "traces"
    return result(
      value: RunValues(new)?.median, base: RunValues(base)?.median ?? 0, .notEvaluated,
      "\(label): not in the \(side)")
  }

  private func result(_ statistics: RunStatistics, _ answer: RegressionRule.Answer) -> LimitResult {
    let (old, new) = (statistics.baseMedian, statistics.newMedian)
    let change =
      "\(label): \(GateNumber.text(new, besides: old, unit: unit))"
      + " (baseline \(GateNumber.text(old, besides: new, unit: unit)))"
    let evidence =
      "difference \(GateNumber.text(statistics.confidenceInterval, unit: unit)), 95% CI;"
      + " \(GateNumber.probability(answer.p))"
    let runs = "\(statistics.baseRuns) + \(statistics.newRuns) runs"
    let detectable =
      "smallest detectable change:"
      + " \(GateNumber.text(statistics.smallestDetectableChange, unit: unit)) (\(runs))"
    let tolerance =
      "the tolerance of"
      + " \(GateNumber.text(regression.tolerance.margin(at: old), unit: unit))"
    var (status, reason): (Verdict.Status, String) =
      switch answer.status {
      case .failed: (.failed, "\(change) exceeds \(tolerance) (\(evidence))")
      case .inconclusive where answer.isTooNoisy:
        (.inconclusive, "\(change): \(detectable) exceeds \(tolerance)")
      case .inconclusive:
        (.inconclusive, "\(change) is not shown to exceed \(tolerance) (\(evidence))")
      case .tooFewRuns:
        (.tooFewRuns, "\(change): \(runs); at least \(answer.fewestRuns) per side are needed")
      case .passed, .notEvaluated:
        (.passed, "\(change) is within \(tolerance); \(detectable)")
      }
    // If a side has too few runs, the same is true of all metrics.
    let newRuns = "\(statistics.newRuns) new \(statistics.newRuns == 1 ? "run" : "runs")"
    var shared =
      statistics.hasEnoughRuns
      ? nil
      : Verdict.Group.prefix(group)
        + "not compared with the baseline: \(newRuns), \(statistics.baseRuns) in the baseline;"
        + " at least \(answer.fewestRuns) per side are needed"
    if let missing, status != .failed {
      status = .notEvaluated
      reason = "\(label): \(missing.text)"
      shared = Verdict.Group.prefix(group) + missing.text
    } else if let missing {
      reason += "; \(missing.text)"
    }
    return result(
      value: new, base: old, status, reason, sharedReason: shared,
      confidenceInterval: statistics.hasEnoughRuns ? statistics.confidenceInterval : nil)
  }

  private func result(
    value: Double?, base: Double, _ status: Verdict.Status, _ reason: String,
    sharedReason: String? = nil, confidenceInterval: ClosedRange<Double>? = nil
  ) -> LimitResult {
    LimitResult(
      metric: regression.metric.name, unit: unit, subject: LimitEvaluator.text(group, subject),
      value: value, runs: new.count,
      limit: .baseline(
        base, relative: regression.tolerance.relative, absolute: regression.tolerance.absolute),
      confidenceInterval: confidenceInterval, level: regression.level, status: status,
      reason: reason, sharedReason: sharedReason, range: RunValues(new)?.range,
      valueInMotion: nil, runsWithoutData: missing?.names ?? [])
  }
}
