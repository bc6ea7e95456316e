import ScrollTraceAnalysis
import ScrollTraceModel

/// The runs that the limits of a rule can evaluate (M-24).
///
/// A run with too few frames is evidence neither of smooth nor of bad scrolling. A run of which too
/// much is unknown can exceed a limit, because the unknown part could only make it worse, but
/// cannot meet one. The others decide without runs that have no value, if they are enough.
struct RunEvaluation {
  /// What each run knows; of a run of too few frames nothing that needs them.
  private let facts: [MetricContext?]
  /// Whether each run's main thread had no core for too long (M-25).
  private let isStarved: [Bool]
  /// Whether a run is evaluated by limits on CPU time alone.
  let hasStarvedRuns: Bool
  /// The reason why each run cannot be evaluated, or `nil` if it can.
  private let reasons: [RatingReason?]
  private let runs: [Analysis]
  private let rule: Budget.Rule
  /// Whether the runs without a value are left out, because the others are enough.
  private let leavesOut: Bool

  /// Evaluates `runs` with their data.
  ///
  /// - Parameter needsAll: Whether no run may be left out.
  init(
    _ rule: Budget.Rule, _ facts: [MetricContext?], of runs: [Analysis], in budget: Budget,
    needsAll: Bool
  ) {
    self.rule = rule
    self.runs = runs
    isStarved = facts.map { $0?.ratedSurface?.starvation(in: budget) != nil }
    hasStarvedRuns = isStarved.contains(true)
    reasons = zip(facts, runs).map { fact, run in
      guard let fact else { return rule.subject == .primary ? .noFrames : nil }
      return fact.reasonAgainst(budget, by: run.options.thresholds)
    }
    self.facts = zip(facts, reasons).map { fact, reason in
      guard var fact, case .fewFrames? = reason else { return fact }
      fact.hitchTime = nil
      return fact
    }
    let missing = reasons.count { $0?.leavesNoValue ?? false }
    leavesOut =
      !needsAll && missing > 0 && RunsWithoutData.isEnough(runs.count - missing, of: runs.count)
  }

  /// What each run knows of `metric`.
  func facts(for metric: Metric) -> [MetricContext?] {
    metric.isIndependentOfLoad || !hasStarvedRuns
      ? facts : zip(facts, isStarved).map { $1 ? nil : $0 }
  }

  /// Notes on the runs that could not be evaluated, with the reason for each.
  func notes(hasBaseline: Bool) -> [VerdictNote] {
    var texts: [(text: String, level: VerdictNote.Level, from: String?)] = []
    var names: [String: [String]] = [:]
    for (index, run) in runs.enumerated() {
      guard let reason = reasons[index],
        let level = level(of: reason, hasBaseline: hasBaseline)
      else { continue }
      let isLeftOut = isLeftOut(index)
      // The results of limits name the runs without data.
      let isNamed = reason == .noTime || reason == .noFrames && facts[index]?.hitchTime == nil
      if isNamed, !isLeftOut { continue }
      let text = reason.text
      if names[text] == nil {
        let kind = isStarved[index] ? "metrics that load changes" : "hitch metrics"
        texts.append((text, isLeftOut ? .warning : level, isLeftOut ? kind : nil))
      }
      let path = run.trace.source.path
      names[text, default: []].append(path.isEmpty ? "the trace" : path)
    }
    return texts.map { text, level, kind in
      let names = names[text] ?? []
      let isAll = names.count > 1 && names.count == facts.count
      let who =
        isAll ? "\(names.count) of \(names.count) runs" : names.listed()
      let verb = kind.map { " \(names.count == 1 ? "is" : "are") left out of \($0)" } ?? ""
      return VerdictNote(kind == nil ? .unevaluated : .leftOut, level, "\(who)\(verb): \(text)")
    }
  }

  /// Returns a note on runs without `metric` that no other note names, if `result` passed without them.
  func note(on result: LimitResult, _ metric: Metric) -> VerdictNote? {
    guard result.status == .passed, !result.runsWithoutData.isEmpty else { return nil }
    let values = facts(for: metric).map { $0.flatMap(metric.number) }
    let unnamed = runs.indices.filter { values[$0] == nil && !isLeftOut($0) }.map { runs[$0] }
    return RunsWithoutData(unnamed, of: runs.count).map {
      VerdictNote(.leftOut, .warning, "\(result.name): \($0.text)")
    }
  }

  /// Returns whether every run that is not left out has `metric`.
  func isKnown(_ metric: Metric) -> Bool {
    facts(for: metric).enumerated().allSatisfy { index, fact in
      isLeftOut(index) || fact.flatMap(metric.number) != nil
    }
  }

  private func isLeftOut(_ index: Int) -> Bool {
    leavesOut && reasons[index]?.leavesNoValue == true
  }

  /// The effect of `reason` on the verdict, or `nil` if no limit of the rule is affected.
  private func level(of reason: RatingReason, hasBaseline: Bool) -> VerdictNote.Level? {
    let regressions = hasBaseline ? rule.regressions.map { ($0.metric, $0.level) } : []
    let levels = (rule.limits.map { ($0.metric, $0.level) } + regressions)
      .filter { reason.affects($0.0) }.map(\.1)
    return levels.contains(.error) ? .error : levels.contains(.warn) ? .warning : nil
  }
}

extension RatingReason {
  /// Returns whether a run with this reason cannot be evaluated by `metric`.
  fileprivate func affects(_ metric: Metric) -> Bool {
    if case .starved = self { return !metric.isIndependentOfLoad }
    return metric.needsFrames
  }

  /// Whether a run with this reason has no value of the metrics that it affects, not only doubtful ones.
  fileprivate var leavesNoValue: Bool {
    switch self {
    case .fewFrames, .noFrames, .noFramesInMotion, .starved: true
    case .unknownRefreshes, .noTime, .blank: false
    }
  }
}

extension MetricContext {
  /// The reason why the run cannot be evaluated, or `nil` if it can.
  fileprivate func reasonAgainst(
    _ budget: Budget, by thresholds: RatingThresholds
  ) -> RatingReason? {
    guard let surface = ratedSurface else { return isEvaluated ? nil : .noFrames }
    guard let hitchTime = surface.hitchTime else {
      return surface.isEvaluated ? .noFramesInMotion : .noFrames
    }
    let duration = surface.measuredTime.duration
    guard HitchTimeRatio(hitchTime: hitchTime, duration: duration) != nil else { return .noTime }
    if let count = surface.countsInMotion.evaluated, RatedHitches.areTooFew(count, in: duration) {
      return .fewFrames(count: count, time: duration)
    }
    if let ledger = surface.ledger, ledger.isUnknown(above: budget.maxUnknownShare) {
      return .unknownRefreshes(share: ledger.unknownShare)
    }
    return surface.starvation(in: budget)
  }
}

extension SurfaceAnalysis {
  /// The reason if the main thread was ready without a core for longer than the budget allows (M-25), or
  /// `nil` if it was not.
  fileprivate func starvation(in budget: Budget) -> RatingReason? {
    guard let maximum = budget.maxReadyShare, let share = thread?.readyShare, share > maximum else {
      return nil
    }
    return .starved(share: share)
  }
}
