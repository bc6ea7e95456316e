extension BudgetSubject {
  /// So many names are told.
  private static let mostNames = 6

  /// What `runs` have of the same sort, for who named one that they do not have.
  func known(in runs: [Analysis]) -> String {
    let all = runs.flatMap(names)
    let names = all.reduce(into: [String]()) { known, name in
      if known.count <= Self.mostNames, !known.contains(name) { known.append(name) }
    }
    guard !names.isEmpty else { return "there is none" }
    let more = names.count > Self.mostNames ? " and more" : ""
    return "there are " + names.prefix(Self.mostNames).joined(separator: ", ") + more
  }

  private func names(in run: Analysis) -> [String] {
    switch self {
    case .primary: []
    case .surface: run.surfaces.map(\.name)
    case .interaction:
      (run.evaluatedPrimarySurface?.interactions ?? []).map { $0.kind.isEmpty ? $0.name : $0.kind }
    case .state: (run.evaluatedPrimarySurface?.states ?? []).map { "\($0.key)=\($0.value)" }
    }
  }
}
