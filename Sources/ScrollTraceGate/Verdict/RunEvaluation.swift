import ScrollTraceAnalysis
import ScrollTraceModel

/// The runs that the limits of a rule can evaluate (M-24).
///
/// A run with too few frames is evidence neither of smooth nor of bad scrolling. A run of which too
/// much is unknown can exceed a limit, because the unknown part could only make it worse, but
/// cannot meet one.
struct RunEvaluation {
  /// The data of each run, without metrics of frames for runs with too few frames.
  let facts: [MetricContext?]
  private let reasons: [(run: String, reason: RatingReason)]
  private let rule: Budget.Rule

  /// Evaluates `runs` with their data.
  init(
    _ rule: Budget.Rule, _ facts: [MetricContext?], of runs: [Analysis], unknownShare: Double
  ) {
    self.rule = rule
    var reasons: [(run: String, reason: RatingReason)] = []
    self.facts = zip(facts, runs).map { fact, run in
      let path = run.trace.source.path
      guard let fact else {
        if rule.subject == .primary { reasons.append((path, .noFrames)) }
        return nil
      }
      guard let reason = fact.reasonAgainst(unknownShare, by: run.options.thresholds) else {
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

  /// Notes on the runs that could not be evaluated, with the reason for each.
  func notes(hasBaseline: Bool) -> [VerdictNote] {
    let limits = rule.limits.filter { $0.level != .off && $0.metric.needsFrames }.map(\.level)
    let regressions = rule.regressions.filter { $0.level != .off && $0.metric.needsFrames }
    let levels = limits + (hasBaseline ? regressions.map(\.level) : [])
    guard !levels.isEmpty, !reasons.isEmpty else { return [] }
    let level: VerdictNote.Level = levels.contains(.error) ? .error : .warning
    var texts: [String] = []
    var runs: [String: [String]] = [:]
    for (run, reason) in reasons {
      // The results of limits name the runs without data.
      if reason == .noFrames || reason == .noTime { continue }
      if runs[reason.text] == nil { texts.append(reason.text) }
      runs[reason.text, default: []].append(run.isEmpty ? "the trace" : run)
    }
    return texts.map { text in
      VerdictNote(
        .unevaluated, level, "\((runs[text] ?? []).joined(separator: ", ")): \(text)"
      )
    }
  }
}

extension MetricContext {
  /// The reason why the run cannot be evaluated, or `nil` if it can.
  fileprivate func reasonAgainst(
    _ unknownShare: Double, by thresholds: RatingThresholds
  ) -> RatingReason? {
    guard let surface = ratedSurface else { return isEvaluated ? nil : .noFrames }
    guard let hitchTime = surface.hitchTime, surface.countsInMotion.evaluated != 0 else {
      return .noFrames
    }
    let duration = surface.measuredTime.duration
    guard HitchTimeRatio(hitchTime: hitchTime, duration: duration) != nil else { return .noTime }
    if let count = surface.countsInMotion.evaluated, count < RatedHitches.enoughFrames,
      duration < RatedHitches.enoughTime
    {
      return .fewFrames(count: count, time: duration)
    }
    guard let ledger = surface.ledger, ledger.isUnknown(above: unknownShare) else { return nil }
    return .unknownRefreshes(share: ledger.unknownShare)
  }
}
