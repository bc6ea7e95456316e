import ScrollTraceKit

extension Verdict {
  /// The verdicts on groups of runs as one, each named in its reasons.
  ///
  /// - Parameters:
  ///   - idle: The rows and notes of rules that fit no trace of any group; empty where one group has
  ///     them.
  ///   - notes: What stands beside the answers; errors keep it from being a pass.
  ///   - isWhole: Whether all traces could be read and are in a group; else there is no pass.
  ///   - hasLost: Whether a trace had lost data.
  init(
    combining verdicts: [(group: RunGroup, verdict: Verdict)],
    idle: (results: [LimitResult], notes: [VerdictNote]), notes: [VerdictNote], isWhole: Bool,
    hasLost: Bool
  ) {
    let order: [Status] = [.failed, .notEvaluated, .inconclusive, .tooFewRuns, .passed]
    let errors = notes.filter { $0.level == .error }
    let ofIdle =
      idle.results.isEmpty ? nil : Verdict(summing: idle.results, notes: idle.notes)
    var found = Set(verdicts.map(\.verdict.status))
    if let ofIdle { found.insert(ofIdle.status) }
    if !isWhole || !errors.isEmpty { found.insert(.notEvaluated) }
    var reasons: [String] = []
    for status in order {
      for (group, verdict) in verdicts where verdict.status == status {
        // Reasons of several groups say of which they are; that all is well is said of each.
        reasons +=
          status == .passed && verdicts.count > 1
          ? verdict.reasons.map { "\(group.name): \($0)" } : verdict.reasons
      }
      if status == .failed { reasons += errors.map(\.text) }
    }
    reasons += ofIdle?.reasons ?? []
    if !isWhole { reasons.append("a trace could not be read, or is in no group") }
    if hasLost { reasons.append("a trace had lost data") }
    self.init(
      order.first(where: found.contains) ?? .notEvaluated, reasons: reasons,
      results: verdicts.flatMap(\.verdict.results) + idle.results,
      groups: verdicts.count < 2
        ? []
        : verdicts.map {
          Group(
            name: $0.name, status: $1.status, reasons: $1.reasons, runs: $0.runs.count)
        },
      notes: notes + verdicts.flatMap(\.verdict.notes) + idle.notes)
  }
}
