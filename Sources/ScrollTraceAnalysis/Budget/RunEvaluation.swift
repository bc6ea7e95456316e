import ScrollTraceModel

/// Which runs can be evaluated by the limits of a rule (M-24).
///
/// A run of too few frames says nothing of how smooth it was, good or bad. One of which too much is
/// unknown can exceed a limit, since the unknown could only make it worse, and cannot meet one.
struct RunEvaluation {
  /// What each run knows; of a run of too few frames nothing that needs them.
  let facts: [MetricFacts?]
  private let reasons: [(run: String, reason: RatingReason)]
  private let rule: Budget.Rule
  private let runCount: Int

  /// The evaluation of `runs`, which know `facts`.
  init(
    _ rule: Budget.Rule, _ facts: [MetricFacts?], of runs: [Analysis], unknownShare: Double
  ) {
    self.rule = rule
    runCount = runs.count
    var reasons: [(run: String, reason: RatingReason)] = []
    self.facts = zip(facts, runs).map { fact, run in
      let path = run.trace.source.path
      guard let fact else {
        if rule.subject == .leading { reasons.append((path, .noFrames)) }
        return nil
      }
      guard let reason = fact.reasonAgainst(unknownShare, in: run.options.profile) else {
        return fact
      }
      reasons.append((path, reason))
      guard case .fewFrames = reason else { return fact }
      var copy = fact
      copy.hitchTime = nil
      return copy
    }
    self.reasons = reasons
  }

  /// The runs that could not be evaluated, each named with the reason.
  func notes(hasBaseline: Bool) -> [VerdictNote] {
    let limits = rule.limits.filter { $0.level != .off && $0.metric.needsFrames }.map(\.level)
    let regressions = rule.regressions.filter { $0.level != .off && $0.metric.needsFrames }
    let levels = limits + (hasBaseline ? regressions.map(\.level) : [])
    guard !levels.isEmpty, !reasons.isEmpty else { return [] }
    let level: VerdictNote.Level = levels.contains(.error) ? .error : .warning
    var texts: [String] = []
    var runs: [String: [String]] = [:]
    for (run, reason) in reasons {
      // That a single run has no data, its limits say themselves.
      if runCount == 1, reason == .noFrames || reason == .noTime { continue }
      if runs[reason.text] == nil { texts.append(reason.text) }
      runs[reason.text, default: []].append(run.isEmpty ? "the trace" : run)
    }
    return texts.map { text in
      VerdictNote(
        .unevaluated, level, "not evaluated: \((runs[text] ?? []).joined(separator: ", ")): \(text)"
      )
    }
  }
}

extension MetricFacts {
  /// Why the run cannot be evaluated; `nil` if it can.
  fileprivate func reasonAgainst(
    _ unknownShare: Double, in profile: BandProfile
  ) -> RatingReason? {
    guard let surface = ratedSurface else { return isJudged ? nil : .noFrames }
    guard let hitchTime = surface.hitchTime, surface.countsInMotion.judged != 0 else {
      return .noFrames
    }
    let duration = surface.denominator.duration
    guard HitchTimeRatio(hitchTime: hitchTime, duration: duration) != nil else { return .noTime }
    if let count = surface.countsInMotion.judged, count < RatedHitches.enoughFrames,
      duration < RatedHitches.enoughTime
    {
      return .fewFrames(count: count, time: duration)
    }
    guard let ledger = surface.ledger, ledger.isUnknown(above: unknownShare) else { return nil }
    return .unknownRefreshes(share: ledger.unknownShare)
  }
}
