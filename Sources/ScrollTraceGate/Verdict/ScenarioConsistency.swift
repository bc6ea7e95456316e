import ScrollTraceAnalysis
import ScrollTraceModel

/// Checks whether runs that share a median can be of one scenario (M-20).
struct ScenarioConsistency {
  /// The maximum number of runs that are tried as the representative one.
  private static let candidates = 16
  /// The maximum number of listed names.
  private static let maximumNames = 3

  private let outlines: [(name: String, outline: ScenarioSignature)]

  /// Creates a check of `runs`; runs without data do not count.
  init(_ runs: [Analysis]) {
    outlines = runs.compactMap { run in
      run.evaluatedPrimarySurface.map {
        (Budget.fileName(of: run), ScenarioSignature(of: $0, in: run))
      }
    }
  }

  /// Returns a note on the runs of a different scenario than most, or `nil` if there is none.
  func note(group: String) -> VerdictNote? {
    let others = outlines.prefix(Self.candidates).map { candidate in
      outlines.filter { !candidate.outline.resembles($0.outline) }
    }
    guard let place = others.indices.min(by: { others[$0].count < others[$1].count }),
      !others[place].isEmpty
    else { return nil }
    let list = others[place].map(\.name).listed(atMost: Self.maximumNames)
    return VerdictNote(
      .scenarios, .warning,
      Verdict.Group.prefix(group)
        + "\(others[place].count) of \(outlines.count) runs recorded a different scenario from"
        + " \(outlines[place].name): \(list); the median is of all runs, and --group PATTERN"
        + " separates them")
  }
}
