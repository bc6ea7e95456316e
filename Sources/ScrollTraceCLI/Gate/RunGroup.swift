import ScrollTraceKit

/// The runs of one thing, which get one verdict.
struct RunGroup {
  /// The pattern that their names fit; empty where there is only one group.
  let name: String
  /// The runs.
  let runs: [Analysis]

  /// `runs` by the first pattern that their names fit, without groups for patterns that fit none, and
  /// the paths of those that fit no pattern.
  static func all(
    _ runs: [Analysis], patterns: [String]
  ) -> (groups: [RunGroup], others: [String]) {
    guard !patterns.isEmpty else { return ([RunGroup(name: "", runs: runs)], []) }
    var rest = runs
    var groups: [RunGroup] = []
    for pattern in patterns {
      let fits = { (run: Analysis) in
        NamePattern(pattern).matches(run.trace.source.path.split(separator: "/").last ?? "")
      }
      let fitting = rest.filter(fits)
      rest.removeAll(where: fits)
      if !fitting.isEmpty { groups.append(RunGroup(name: pattern, runs: fitting)) }
    }
    return (groups, rest.map(\.trace.source.path))
  }
}
