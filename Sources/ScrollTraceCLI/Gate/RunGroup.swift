import ScrollTraceKit

struct RunGroup {
  /// The pattern that the file names match, or an empty string if there is only one group.
  let name: String
  let runs: [Analysis]

  /// Divides `runs` by the first matching pattern, without empty groups, and returns the paths that
  /// match none.
  static func all(
    _ runs: [Analysis], patterns: [String]
  ) -> (groups: [RunGroup], others: [String]) {
    guard !patterns.isEmpty else { return ([RunGroup(name: "", runs: runs)], []) }
    var rest = runs
    var groups: [RunGroup] = []
    for pattern in patterns {
      let fits = { (run: Analysis) in
        NamePattern(pattern).matches(run.trace.source.path.fileName)
      }
      let fitting = rest.filter(fits)
      rest.removeAll(where: fits)
      if !fitting.isEmpty { groups.append(RunGroup(name: pattern, runs: fitting)) }
    }
    return (groups, rest.map(\.trace.source.path))
  }
}

extension Verdict {
  /// Combines the verdicts on groups of runs. Their reasons and warnings name their group.
  ///
  /// - Parameters:
  ///   - idle: The results and notes of rules that match no trace, or empty if a group contains
  ///     them.
  ///   - notes: Additional notes. An error prevents a pass.
  ///   - motion: A remark on traces without interactions, or `nil` if all have some.
  ///   - losses: Returns the note on traces that lost data, which does not decide, for the status.
  init(
    combining verdicts: [(group: RunGroup, verdict: Verdict)],
    idle: (results: [LimitResult], notes: [VerdictNote]), notes: [VerdictNote],
    motion: String?, losses: (Status) -> VerdictNote?
  ) {
    let order: [Status] = [.failed, .notEvaluated, .tooFewRuns, .passed]
    let errors = notes.filter { $0.level == .error }
    let ofIdle =
      idle.results.isEmpty ? nil : Verdict(summing: idle.results, notes: idle.notes)
    var found = Set(verdicts.map(\.verdict.status))
    if let ofIdle { found.insert(ofIdle.status) }
    if !errors.isEmpty { found.insert(.notEvaluated) }
    var reasons: [String] = []
    var warnings: [String] = []
    // What a group meets is no reason for the failure of another.
    for status in order where status != .passed || !found.contains(.failed) {
      for (_, verdict) in verdicts where verdict.status == status {
        reasons += verdict.reasons
        warnings += verdict.warnings
      }
      if status == .failed { reasons += errors.map(\.text) }
    }
    reasons += ofIdle?.reasons ?? []
    let status = order.first(where: found.contains) ?? .notEvaluated
    let losses = losses(status)
    if let losses { reasons.append(losses.text) }
    if let motion { reasons.append(motion) }
    self.init(
      status, reasons: reasons,
      warnings: warnings + (ofIdle?.warnings ?? []),
      results: verdicts.flatMap(\.verdict.results) + idle.results,
      groups: verdicts.count < 2
        ? []
        : verdicts.map {
          Group(
            name: $0.name, status: $1.status, reasons: $1.sentences, runs: $0.runs.count)
        },
      notes: notes + [losses].compactMap(\.self) + verdicts.flatMap(\.verdict.notes) + idle.notes,
      growth: verdicts.flatMap(\.verdict.growth))
  }
}
