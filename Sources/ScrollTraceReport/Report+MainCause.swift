package import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

extension Report {
  /// The run with the highest hitch time ratio, the first of equals; `nil` where there is no run.
  ///
  /// Where groups of runs were judged, only those count whose verdict is the report's own: a group that
  /// keeps its budget is not why another does not.
  package var worstRun: Analysis? {
    let runs = runsOfDecidingGroups
    let ratios = runs.map { $0.evaluatedPrimarySurface?.ratio?.millisecondsPerSecond ?? -1 }
    return zip(runs, ratios).first { $1 == ratios.max() }?.0
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

  /// What the hitch time of the worst run is charged to most; `nil` where nobody can say, and where
  /// every limit that has a value is kept.
  var mainCause: (run: Analysis, surface: SurfaceAnalysis, cause: CauseSummary)? {
    let answers = verdict.results.filter { $0.value != nil }
    guard answers.isEmpty || answers.contains(where: { $0.status != .passed }), let run = worstRun,
      let surface = run.evaluatedPrimarySurface,
      let cause = surface.causes.first(where: { $0.kind != .unknown })
    else { return nil }
    return (run, surface, cause)
  }
}
