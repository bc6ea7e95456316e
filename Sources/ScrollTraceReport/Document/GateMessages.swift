package import ScrollTraceAnalysis
package import ScrollTraceGate
import ScrollTraceModel

/// The result of a gate in words: its notes, its main cause, and the verdict in one line.
extension Report {
  // MARK: - Main cause

  /// The run with the highest hitch time ratio, the first of equal ones, or `nil` if there is no
  /// run.
  ///
  /// With groups of runs, only those with the report's own status count: a group that meets its
  /// budget is not the reason why another does not.
  package var worstRun: Analysis? {
    let runs = runsOfDecidingGroups
    return runs.worstFirst.first.map { runs[$0] }
  }

  private var runsOfDecidingGroups: [Analysis] {
    guard verdict.groups.reduce(0, { $0 + $1.runs }) == runs.count else { return runs }
    var rest = runs[...]
    var deciding: [Analysis] = []
    for group in verdict.groups {
      let own = rest.prefix(max(0, group.runs))
      rest = rest.dropFirst(own.count)
      if group.status == verdict.status { deciding += own }
    }
    return deciding.isEmpty ? runs : deciding
  }

  /// The main cause of the worst run's hitch time, or `nil` if it is unknown or every limit with a
  /// value is met.
  var mainCause: (run: Analysis, surface: SurfaceAnalysis, cause: CauseSummary)? {
    let answers = verdict.results.filter { $0.value != nil }
    let failed = worstOfFailedSurface
    guard answers.isEmpty || answers.contains(where: { $0.status != .passed }),
      let run = failed?.run ?? worstRun,
      let surface = failed?.surface ?? run.evaluatedPrimarySurface,
      let cause = surface.causes.first(where: { $0.kind != .unknown })
    else { return nil }
    return (run, surface, cause)
  }

  /// The surface whose limits alone failed, in the run in which its hitch time ratio is highest, or `nil` if
  /// others failed too.
  private var worstOfFailedSurface: (run: Analysis, surface: SurfaceAnalysis)? {
    let failed = verdict.results.filter { $0.status == .failed && $0.level == .error }
    guard let subject = failed.first?.subject, failed.allSatisfy({ $0.subject == subject }) else {
      return nil
    }
    var worst: (run: Analysis, surface: SurfaceAnalysis)?
    func ratio(_ surface: SurfaceAnalysis) -> Double { surface.ratio?.millisecondsPerSecond ?? 0 }
    for run in runsOfDecidingGroups {
      let named = run.surfaces.first { subject.hasSuffix(MetricSubject.surface($0.name).text) }
      guard let named else { continue }
      if let worst, ratio(worst.surface) >= ratio(named) { continue }
      worst = (run, named)
    }
    return worst
  }

  // MARK: - Notes

  private static let maximumRunsWithoutData = 3

  /// The verdict's notes, and for limits that were not evaluated the reason and the next step.
  var gateNotes: [VerdictNote] {
    guard verdict != .withoutBudget else { return [] }
    let isMissing = verdict.results.contains { $0.status == .notEvaluated && $0.runs == 0 }
    return verdict.notes + (isMissing ? notesOnMissingRatios : [])
  }

  /// The runs without a hitch time ratio, the first of them with the reason and the next step.
  package var notesOnMissingRatios: [VerdictNote] {
    let empty = runs.filter { $0.evaluatedPrimarySurface?.ratio == nil }
    let listed = empty.prefix(Self.maximumRunsWithoutData).map { run in
      let text = RunMessages(run)
      let steps = text.steps
      let knowsLength = run.isEvaluated && !text.listsHitchesOfUnknownTime
      let next = knowsLength ? steps.nextStep : steps.nextWithoutData
      return VerdictNote(
        .noData, .warning,
        "\(text.nameEnding(run.trace.source.path, 80)) has no hitch time ratio:"
          + " \(text.reasonForNoData)" + (next.map { "; next: \($0.text())" } ?? ""))
    }
    let more = empty.count - listed.count
    guard more > 0 else { return listed }
    let text = "\(Quantity.count(more, "more trace")) without a hitch time ratio"
    return listed + [VerdictNote(.noData, .warning, text)]
  }

  // MARK: - One line

  /// The verdict in one line: the values, their limits and the main cause, with control characters
  /// made visible.
  ///
  /// If any limit is exceeded, only such limits are listed. Lost data and other reasons to doubt
  /// the result are always included.
  package var verdictLine: String {
    let deciding = verdict.results.filter { $0.level == .error }
    let broken = deciding.filter { $0.status != .passed }
    let warnings = verdict.results.filter { warning in
      warning.level == .warn && warning.status != .passed
        && !broken.contains { ($0.metric, $0.subject) == (warning.metric, warning.subject) }
    }
    var parts =
      verdict.growth + statements(on: broken.isEmpty && warnings.isEmpty ? deciding : broken)
    parts += statements(on: warnings).map { "warning: " + $0 }
    if parts.isEmpty { parts = verdict.sentences }
    if broken.contains(where: { $0.status == .notEvaluated }) { parts += reasonsWithoutData }
    if !broken.isEmpty || !warnings.isEmpty, let cause = causeText { parts.append(cause) }
    // Errors are already among the reasons if nothing else was evaluated.
    let notes = verdict.notes.filter {
      $0.level != .note && $0.kind != .lostData && !parts.contains($0.text)
    }
    parts += notes.map { ($0.level == .warning ? "warning: " : "") + $0.text }
    if let losses = lossText { parts.append(losses) }
    return EscapingContext.terminal.escape(parts.joined(separator: "; "))
  }

  private func statements(on results: [LimitResult]) -> [String] {
    JointResult.all(results).compactMap { joint in
      joint.results.first.map { statement($0, because: joint.reason) }
    }
  }

  /// Returns the result of a limit: its value, or the reason why it has none.
  private func statement(_ result: LimitResult, because reason: String) -> String {
    switch result.status {
    case .passed, .failed:
      let median = result.runs > 1 ? " (median of \(result.runs) runs)" : ""
      return "\(VerdictMessages.name(of: result)): \(VerdictMessages.value(of: result))"
        + "\(median), \(VerdictMessages.limit(of: result))"
    case .tooFewRuns, .notEvaluated:
      return VerdictMessages.clipped(reason, to: 1_000)
    }
  }

  /// The reasons why no frame of any run could be evaluated, or empty if any could.
  private var reasonsWithoutData: [String] {
    guard let run = runs.first, !runs.contains(where: \.isEvaluated) else { return [] }
    if run.surfaces.isEmpty { return ["the trace contains no frames"] }
    guard let surface = run.surfaces.first(where: { $0.basis == .none }) else { return [] }
    return ["the frames of '\(VerdictMessages.clipped(surface.name))' contain no usable times"]
  }

  private var causeText: String? {
    guard let (run, surface, cause) = mainCause else { return nil }
    let name = runs.count > 1 ? " of the worst run" : ""
    let causeName = RunMessages(run).text(of: cause.kind)
    return "\(Quantity.share(surface.share(of: cause.hitchTime))) of the hitch time\(name) is"
      + " attributed to \(causeName)"
  }

  /// The first loss, and the number of traces with losses.
  private var lossText: String? {
    let lossy = runs.filter { !$0.trace.losses.isEmpty }
    guard let run = lossy.first, let loss = run.trace.losses.first else { return nil }
    let who =
      runs.count > 1
      ? "\(lossy.count) of \(runs.count) traces, the first \(run.trace.source.path)," : "the trace"
    let others = run.trace.losses.count - 1
    let more = others > 0 ? ", and \(Quantity.count(others, "other reason"))" : ""
    return "\(who) lost data: \(Messages(start: run.trace.range.start).text(of: loss))\(more)"
  }
}
