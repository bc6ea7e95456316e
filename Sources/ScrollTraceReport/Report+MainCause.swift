package import ScrollTraceAnalysis
import ScrollTraceModel

extension Report {
  /// The run with the highest hitch time ratio, the first of equals; `nil` where there is no run.
  package var worstRun: Analysis? {
    let ratios = runs.map { $0.leadingSurface?.ratio?.millisecondsPerSecond ?? -1 }
    return zip(runs, ratios).first { $1 == ratios.max() }?.0
  }

  /// What the hitch time of the worst run is charged to most; `nil` where nobody can say.
  var mainCause: (run: Analysis, surface: SurfaceAnalysis, cause: CauseSummary)? {
    guard let run = worstRun, let surface = run.leadingSurface,
      let cause = surface.causes.first(where: { $0.kind != .unknown })
    else { return nil }
    return (run, surface, cause)
  }
}
