/// One metric of a subject that is held against the baseline's runs.
struct RegressionTest {
  private let regression: Budget.Regression
  private let subject: BudgetSubject
  private let group: String
  private let base: [Double]
  private let new: [Double]

  init(
    _ regression: Budget.Regression, _ subject: BudgetSubject, group: String, base: [Double],
    new: [Double?]
  ) {
    self.regression = regression
    self.subject = subject
    self.group = group
    self.base = base
    self.new = new.compactMap { $0 }
  }

  /// The answers to all of them, asked together.
  static func results(_ inquiries: [RegressionTest]) -> [LimitResult] {
    let statistics = inquiries.map { RunStatistics(base: $0.base, new: $0.new) }
    let questions = zip(inquiries, statistics).compactMap { inquiry, statistics in
      statistics.map {
        RegressionRule.Question(
          $0, tolerance: inquiry.regression.tolerance,
          higherIsBetter: inquiry.regression.metric.higherIsBetter)
      }
    }
    var answers = RegressionRule.answers(to: questions)[...]
    return zip(inquiries, statistics).map { inquiry, statistics in
      guard let statistics, let answer = answers.popFirst() else { return inquiry.unknown }
      return inquiry.result(statistics, answer)
    }
  }

  /// The answer where a side does not know the metric.
  private var unknown: LimitResult {
    let side = base.isEmpty ? "the baseline does" : "the traces do"
    return result(
      value: RunValues(new)?.median, base: RunValues(base)?.median ?? 0, .notEvaluated,
      "\(regression.metric.name): \(side) not know it")
  }

  private func result(_ statistics: RunStatistics, _ answer: RegressionRule.Answer) -> LimitResult
  {
    let unit = regression.metric.unit.rawValue
    let (old, new) = (statistics.baseMedian, statistics.newMedian)
    let change =
      "\(regression.metric.name) \(GateNumber.text(old, besides: new)) ->"
      + " \(GateNumber.text(new, besides: old, unit: unit))"
    let range =
      "\(GateNumber.text(statistics.confidenceInterval.lowerBound)) to"
      + " \(GateNumber.text(statistics.confidenceInterval.upperBound, unit: unit))"
    let chance = "difference \(range) at 95 %, p \(GateNumber.text(answer.p))"
    let runs = "\(statistics.baseRuns) runs and \(statistics.newRuns)"
    let reason: String =
      switch answer.status {
      case .fail: "\(change) is worse than the baseline (\(chance))"
      case .inconclusive: "\(change) may be worse than the baseline, or chance (\(chance))"
      case .notEnoughRuns:
        "\(change): \(runs) are too few to tell a difference from chance; it takes"
          + " \(answer.fewestRuns) a side"
      case .pass, .notEvaluated:
        "\(change) is not worse than the baseline; \(runs) would show"
          + " \(GateNumber.text(detectable(statistics), unit: unit))"
      }
    // Where a side has too few runs, the same is true of all metrics.
    let newRuns = "\(statistics.newRuns) new \(statistics.newRuns == 1 ? "run" : "runs")"
    let shared =
      statistics.hasEnoughRuns
      ? nil
      : (group.isEmpty ? "" : group + ": ")
        + "not compared with the baseline: \(newRuns) against \(statistics.baseRuns), it takes"
        + " \(answer.fewestRuns) a side"
    return result(
      value: new, base: old, answer.status, reason, sharedReason: shared,
      confidenceInterval: statistics.hasEnoughRuns ? statistics.confidenceInterval : nil)
  }

  /// The smallest worsening that would be found: chance, but no less than is tolerated.
  private func detectable(_ statistics: RunStatistics) -> Double {
    regression.tolerance.margin(at: statistics.baseMedian) + statistics.smallestDetectableChange
  }

  private func result(
    value: Double?, base: Double, _ status: Verdict.Status, _ reason: String,
    sharedReason: String? = nil, confidenceInterval: ClosedRange<Double>? = nil
  ) -> LimitResult {
    LimitResult(
      metric: regression.metric.name, unit: regression.metric.unit.rawValue,
      subject: LimitEvaluator.text(group, subject), value: value, runs: new.count,
      limit: .baseline(
        base, relative: regression.tolerance.relative, absolute: regression.tolerance.absolute),
      confidenceInterval: confidenceInterval, level: regression.level, status: status, reason: reason,
      sharedReason: sharedReason, range: RunValues(new)?.range, valueInMotion: nil)
  }
}
