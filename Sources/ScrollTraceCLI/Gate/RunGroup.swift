import ScrollTraceKit

/// A group of runs with one verdict.
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
