/// Tells whether runs that are judged together can be of one session (M-20).
struct ScenarioConsistency {
  /// So many runs are tried as the one that most others resemble.
  private static let candidates = 16
  /// So many names are told.
  private static let mostNames = 3

  private let outlines: [(name: String, outline: ScenarioSignature)]

  /// A check of `runs`; those without data count for nothing.
  init(_ runs: [Analysis]) {
    outlines = runs.compactMap { run in
      run.evaluatedPrimarySurface.map { (Budget.fileName(of: run), ScenarioSignature(of: $0)) }
    }
  }

  /// That some runs are of another session than most; `nil` where all can be of one.
  func note(group: String) -> VerdictNote? {
    let others = outlines.prefix(Self.candidates).map { candidate in
      outlines.filter { !candidate.outline.resembles($0.outline) }
    }
    guard let place = others.indices.min(by: { others[$0].count < others[$1].count }),
      !others[place].isEmpty
    else { return nil }
    let names = others[place].prefix(Self.mostNames).map(\.name)
    let more = others[place].count - names.count
    let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    return VerdictNote(
      .sessions, .warning,
      (group.isEmpty ? "" : "\(group): ")
        + "\(others[place].count) of \(outlines.count) runs recorded another session than"
        + " \(outlines[place].name): \(list); medians are of all of them, --group PATTERN"
        + " judges unlike ones apart")
  }
}
