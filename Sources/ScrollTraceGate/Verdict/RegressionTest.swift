import ScrollTraceAnalysis

/// Compares one metric of a subject with the baseline's runs.
struct RegressionTest {
  private let regression: Budget.Regression
  private let subject: MetricSubject
  private let group: String
  private let base: [Double]
  private let new: [Double]
  /// The best values that free cores could have given.
  private let baseWithoutLoad: [Double]
  private let newWithoutLoad: [Double]
  /// The medians of the percentiles beside the metric's, where both sides know them.
  private let neighbors: [(base: Double, new: Double)]
  private let missing: RunsWithoutData?
  /// Whether the baseline was made with the subject.
  private let isSubjectInBaseline: Bool
  private let reasonWithoutValue: String
  private var label: String { regression.metric.label }
  private var unit: String { regression.metric.unit.rawValue }

  init(
    _ regression: Budget.Regression, _ subject: MetricSubject, group: String,
    base: [RunValuesByMetric], new: [MetricContext?], runs: [Analysis]
  ) {
    let metric = regression.metric
    let values = new.map { $0.flatMap(metric.number) }
    self.regression = regression
    self.subject = subject
    self.group = group
    self.base = base.compactMap { $0.value(of: metric, subject) }
    isSubjectInBaseline = base.contains { $0.values[subject.text] != nil }
    self.new = values.compactMap(\.self)
    reasonWithoutValue =
      runs.contains(where: \.isEvaluated)
      ? metric.reasonWithoutValue(in: new) : LimitEvaluator.reasonWithoutFrames
    baseWithoutLoad = base.compactMap { $0.valueWithoutLoad(of: metric, subject) }
    newWithoutLoad = zip(new, values).compactMap { context, value in
      value.map { _ in context.flatMap(metric.numberWithoutLoad) ?? Metric.unboundedBest(metric) }
    }
    neighbors = metric.neighbors.compactMap { other in
      guard let old = RunValues(base.compactMap { $0.value(of: other, subject) }),
        let now = RunValues(new.compactMap { $0.flatMap(other.number) })
      else { return nil }
      return (base: old.median, new: now.median)
    }
    missing = RunsWithoutData(zip(runs, values).filter { $1 == nil }.map(\.0), of: runs.count)
  }

  /// The result of the test.
  ///
  /// - Parameters:
  ///   - detect: The increase as a part of the baseline that the runs have to be able to show, or `nil` for
  ///     none.
  ///   - isStrict: Whether a comparison of too few runs is not evaluated.
  func result(detecting detect: Double?, isStrict: Bool) -> LimitResult {
    guard let statistics = RunStatistics(base: base, new: new) else {
      let advice = isSubjectInBaseline ? "" : "; create it again with this budget"
      return result(
        .notEvaluated,
        "\(label): " + (new.isEmpty ? reasonWithoutValue : "the baseline has none\(advice)"))
    }
    let (old, new) = (statistics.baseMedian, statistics.newMedian)
    // Values within the tolerance are not written with more digits to look different.
    let isApart = (new - old).magnitude > regression.tolerance.margin(at: old)
    let change =
      "\(label): \(GateNumber.text(new, besides: isApart ? old : new, unit: unit))"
      + (regression.metric == .commitP95 ? " of wall time" : "")
      + " (baseline \(GateNumber.text(old, besides: isApart ? new : old, unit: unit)))"
    guard statistics.hasEnoughRuns else {
      return tooFewRuns(statistics, change, isStrict ? .notEvaluated : .tooFewRuns)
    }
    let rule = RegressionRule(
      regression.tolerance, higherIsBetter: regression.metric.higherIsBetter)
    let interval = statistics.confidenceInterval
    let isAtEdge = isAtEdge(from: old, to: new)
    // With a core whenever it was ready, a main thread is only better.
    if rule.isWorse(base: base, new: newWithoutLoad) {
      if isAtEdge {
        return result(
          .notEvaluated,
          "\(change) is not evaluated: p90 and p99 did not grow like it, so it may be one of a few long"
            + " commits by chance", confidenceInterval: interval, isByChance: true)
      }
      let reason =
        "\(change) is worse by more than the tolerance of"
        + " \(GateNumber.text(regression.tolerance.margin(at: old), unit: unit))"
        + " (\(GateNumber.probability(rule.p(base: base, new: newWithoutLoad))))"
      return result(
        .failed, reason + (missing.map { "; \($0.text)" } ?? ""), confidenceInterval: interval)
    }
    if let missing {
      return result(
        .notEvaluated, "\(label): \(missing.advice)", confidenceInterval: interval)
    }
    if rule.isWorse(base: baseWithoutLoad, new: self.new) {
      return result(
        .notEvaluated,
        "\(change): the main thread lacked a core, which may be all the difference;"
          + " \(LimitEvaluator.adviceWithoutCore)",
        confidenceInterval: interval)
    }
    let increase = rule.detectableIncrease(base: base, new: self.new)
    let isBetter = !isAtEdge && rule.isWorse(base: self.new, new: baseWithoutLoad)
    let seen = GateNumber.increase(increase, over: old, regression.metric)
    if let detect, !isBetter, increase > goal(detect, over: old) {
      return result(
        .notEvaluated,
        "\(change): \(remedy(toShow: goal(detect, over: old), over: old, rule, seen))",
        confidenceInterval: interval, detectableIncrease: increase)
    }
    let doubt =
      rule.mayBeWorse(base: base, new: self.new)
      ? "\(change) may be worse, but the runs differ too much to tell; "
        + moreRuns(toShow: (new - old).magnitude, rule) : nil
    return result(
      .passed,
      change + (isBetter ? ": better" : ": no regression; \(seen) or more would have been seen"),
      confidenceInterval: interval, detectableIncrease: increase, isBetter: isBetter, doubt: doubt)
  }

  /// Returns whether no percentile beside the metric's changed at least half as much: with two lengths of
  /// commits, the metric is one or the other by chance.
  private func isAtEdge(from old: Double, to new: Double) -> Bool {
    !neighbors.isEmpty && neighbors.allSatisfy { ($0.new - $0.base) / (new - old) < 0.5 }
  }

  /// Returns the increase that has to be detectable: a part of the base, or, on a base near zero, of what is
  /// tolerated.
  private func goal(_ part: Double, over base: Double) -> Double {
    max(part * base.magnitude, (1 + part) * regression.tolerance.absolute)
  }

  /// Returns why the runs do not show an increase of `goal`, and what to do.
  private func remedy(
    toShow goal: Double, over base: Double, _ rule: RegressionRule, _ seen: String
  ) -> String {
    let margin = regression.tolerance.margin(at: base)
    guard goal > margin else {
      return "only changes above the tolerance of \(GateNumber.text(margin, unit: unit)) are"
        + " regressions; to detect \(GateNumber.text(goal, unit: unit)), lower the tolerance"
    }
    return "only \(seen) or more would have been seen; \(moreRuns(toShow: goal, rule))"
  }

  /// Returns the advice to record as many runs as would show an increase of `goal`, or more similar ones.
  private func moreRuns(toShow goal: Double, _ rule: RegressionRule) -> String {
    rule.runsPerSide(toShow: goal, base: base, new: new).map {
      "record more runs, about \($0) per side (estimated from their spread)"
    } ?? "that takes more than 100 runs per side, or runs that differ less"
  }

  private func tooFewRuns(
    _ statistics: RunStatistics, _ change: String, _ status: Verdict.Status
  ) -> LimitResult {
    // The same is true of all metrics.
    let newRuns = "\(statistics.newRuns) new \(statistics.newRuns == 1 ? "run" : "runs")"
    let needed = "at least \(RunStatistics.minimumRuns) per side are needed"
    if let missing {
      return result(.notEvaluated, "\(label): \(missing.advice)")
    }
    return result(
      status, "\(change): \(statistics.baseRuns) + \(statistics.newRuns) runs; \(needed)",
      sharedReason: Verdict.Group.prefix(group)
        + "not compared with the baseline: \(newRuns), \(statistics.baseRuns) in the baseline;"
        + " \(needed)")
  }

  private func result(
    _ status: Verdict.Status, _ reason: String, sharedReason: String? = nil,
    confidenceInterval: ClosedRange<Double>? = nil,
    detectableIncrease: Double? = nil, isBetter: Bool = false, isByChance: Bool = false,
    doubt: String? = nil
  ) -> LimitResult {
    LimitResult(
      metric: regression.metric.name, unit: unit, subject: LimitEvaluator.text(group, subject),
      value: RunValues(new)?.median, runs: new.count,
      limit: .baseline(
        RunValues(base)?.median, relative: regression.tolerance.relative,
        absolute: regression.tolerance.absolute),
      confidenceInterval: confidenceInterval, detectableIncrease: detectableIncrease,
      isBetter: isBetter, isByChance: isByChance, doubt: doubt, level: regression.level,
      status: status, reason: reason,
      sharedReason: sharedReason, range: RunValues(new)?.range,
      runsWithoutData: missing?.names ?? [])
  }
}
