import ScrollTraceAnalysis
import ScrollTraceModel

/// The runs that the limits of a rule can evaluate (M-24).
///
/// A run with too few frames is evidence neither of smooth nor of bad scrolling. A run of which too
/// much is unknown can exceed a limit, because the unknown part could only make it worse, but
/// cannot meet one, and is not compared: the rest can be the slow part of the same scroll.
struct RunEvaluation {
  /// What each run knows; of a run of too few frames nothing that needs them.
  private let facts: [MetricContext?]
  /// Whether each run's main thread had no core for too long (M-25).
  private let isStarved: [Bool]
  /// Whether a run is evaluated by limits on CPU time alone.
  let hasStarvedRuns: Bool
  /// Whether too much of a run is unknown to compare the rest with other runs.
  let isPartlyUnknown: Bool
  private let reasons: [(run: String, reason: RatingReason)]
  private let rule: Budget.Rule

  /// Evaluates `runs` with their data.
  init(
    _ rule: Budget.Rule, _ facts: [MetricContext?], of runs: [Analysis], in budget: Budget
  ) {
    self.rule = rule
    isStarved = facts.map { $0?.ratedSurface?.starvation(in: budget) != nil }
    hasStarvedRuns = isStarved.contains(true)
    var reasons: [(run: String, reason: RatingReason)] = []
    self.facts = zip(facts, runs).map { fact, run in
      let path = run.trace.source.path
      guard var fact, let reason = fact.reasonAgainst(budget) else {
        return fact
      }
      // The results of limits name the runs without data.
      let isNamed = reason == .noTime || reason == .noFrames && fact.hitchTime == nil
      if !isNamed { reasons.append((path, reason)) }
      if case .fewFrames = reason { fact.hitchTime = nil }
      return fact
    }
    isPartlyUnknown = reasons.contains {
      if case .unknownRefreshes = $0.reason { true } else { false }
    }
    self.reasons = reasons
  }

  /// What each run knows of `metric`.
  func facts(for metric: Metric) -> [MetricContext?] {
    metric.isIndependentOfLoad || !hasStarvedRuns
      ? facts : zip(facts, isStarved).map { $1 ? nil : $0 }
  }

  /// Notes on the runs that could not be evaluated, one for each reason.
  func notes(hasBaseline: Bool) -> [VerdictNote] {
    var kinds: [(kind: String, level: VerdictNote.Level)] = []
    var runs: [String: [(name: String, text: String)]] = [:]
    for (run, reason) in reasons {
      guard let level = level(of: reason, hasBaseline: hasBaseline) else { continue }
      // Runs with one reason differ in its numbers.
      let kind = reason.text.filter { !$0.isNumber }
      if runs[kind] == nil { kinds.append((kind, level)) }
      runs[kind, default: []].append((run.isEmpty ? "the trace" : run, reason.text))
    }
    return kinds.map { kind, level in
      let all = runs[kind] ?? []
      let text = all.first?.text ?? ""
      let names = all.filter { $0.text == text }.map(\.name)
      let others = all.filter { $0.text != text }.map(\.name)
      let isAll = names.count > 1 && names.count == facts.count
      let who = isAll ? "\(names.count) of \(names.count) runs" : names.listed()
      let isPart = rule.subject == .primary && all.count < facts.count
      let it = all.count == 1 ? "it" : "them"
      return VerdictNote(
        .unevaluated, level,
        "\(who): \(text)" + (others.isEmpty ? "" : "; likewise \(others.listed())")
          + (isPart ? "; record \(it) again, or leave \(it) out" : ""))
    }
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
}

extension MetricContext {
  /// The reason why the run cannot be evaluated, or `nil` if it can.
  fileprivate func reasonAgainst(_ budget: Budget) -> RatingReason? {
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
