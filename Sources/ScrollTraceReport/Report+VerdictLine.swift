import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

extension Report {
  /// The verdict in one line: what was measured, what it is held against, and what it is due to.
  ///
  ///     hitchTimeRatioMsPerS 31.88 ms/s, at most 10 ms/s; 93.8 % of the hitch time is charged to
  ///     image/decode
  ///
  /// Only limits that are not kept are told where there are any, and lost data and what keeps the
  /// answer from meaning what it seems to always. What could act
  /// on a terminal is made visible.
  package var verdictLine: String {
    let deciding = verdict.results.filter { $0.level == .error }
    let broken = deciding.filter { $0.status != .passed }
    let warnings = verdict.results.filter { warning in
      warning.level == .warn && warning.status != .passed
        && !broken.contains { ($0.metric, $0.subject) == (warning.metric, warning.subject) }
    }
    var parts = (broken.isEmpty && warnings.isEmpty ? deciding : broken).map(told)
    parts += warnings.map { "warning: " + told($0) }
    if parts.isEmpty { parts = verdict.reasons }
    if broken.contains(where: { $0.status == .notEvaluated }) { parts += reasonsWithoutData }
    if !broken.isEmpty || !warnings.isEmpty, let cause = causeText { parts.append(cause) }
    // What is an error is among the reasons where nothing else was judged.
    let notes = verdict.notes.filter { $0.level != .note && !parts.contains($0.text) }
    parts += notes.map { ($0.level == .warning ? "warning: " : "") + $0.text }
    if let losses = lossText { parts.append(losses) }
    return EscapingContext.terminal.escape(parts.joined(separator: "; "))
  }

  /// One limit: the value beside it, or why there is none or why it cannot be told.
  private func told(_ result: LimitResult) -> String {
    switch result.status {
    case .passed, .failed:
      let median = result.runs > 1 ? " (median of \(result.runs) runs)" : ""
      return "\(VerdictMessages.name(of: result)): \(VerdictMessages.value(of: result))"
        + "\(median), \(VerdictMessages.limit(of: result))"
    case .inconclusive, .tooFewRuns, .notEvaluated:
      return VerdictMessages.clipped(result.reason, to: 1_000)
    }
  }

  /// Why no frame of any run could be judged; nothing where some could.
  private var reasonsWithoutData: [String] {
    guard let run = runs.first, !runs.contains(where: \.isEvaluated) else { return [] }
    if run.surfaces.isEmpty { return ["the trace holds no frames"] }
    guard let surface = run.surfaces.first(where: { $0.basis == .none }) else { return [] }
    return ["the frames of '\(VerdictMessages.clipped(surface.name))' hold no usable times"]
  }

  /// What most of the hitch time is charged to.
  private var causeText: String? {
    guard let (run, surface, cause) = mainCause else { return nil }
    let name = runs.count > 1 ? " of the worst run" : ""
    let words = TextRun(run, style: TextStyle()).text(of: cause.kind)
    return "\(Quantity.share(surface.share(of: cause.hitchTime))) of the hitch time\(name) is"
      + " charged to \(words)"
  }

  /// What was lost first, and in how many traces.
  private var lossText: String? {
    let lossy = runs.filter { !$0.trace.losses.isEmpty }
    guard let run = lossy.first, let loss = run.trace.losses.first else { return nil }
    let who = runs.count > 1 ? "\(lossy.count) of \(runs.count) traces" : "the trace"
    let others = run.trace.losses.count - 1
    let more = others > 0 ? ", and \(Quantity.count(others, "other cause"))" : ""
    return "\(who) had lost data: \(Messages(start: run.trace.range.start).text(of: loss))\(more)"
  }
}
