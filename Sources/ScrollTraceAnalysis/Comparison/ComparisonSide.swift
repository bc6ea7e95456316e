import ScrollTraceModel

/// One side of a comparison: the runs of one thing.
package struct ComparisonSide: Sendable {
  package enum Role: String, Sendable, CaseIterable {
    /// The side to compare with.
    case base
    /// The side that is compared.
    case new
  }

  /// The analyses of the runs, in the given order.
  package let runs: [Analysis]
  /// The compared surface of each run, or `nil` for a run without it.
  package let surfaces: [SurfaceAnalysis?]
  /// The index of the run that represents the side in graphs: the one with the median hitch time
  /// ratio, the lower of two, or the first one if there is no ratio. `nil` without runs.
  package let shownIndex: Int?

  /// Creates a side with the surface that is compared.
  init(_ runs: [Analysis], surface name: String?) {
    self.runs = runs
    surfaces = runs.map { run in
      let named = run.surfaces.filter { $0.name == name }
      return named.first(where: \.isEvaluated) ?? named.first
    }
    let ratios = surfaces.enumerated().compactMap { index, surface in
      surface?.ratio.map { (value: $0.millisecondsPerSecond, index: index) }
    }.sorted { ($0.value, $0.index) < ($1.value, $1.index) }
    shownIndex = ratios.isEmpty ? runs.indices.first : ratios[(ratios.count - 1) / 2].index
  }

  /// The run that represents the side.
  package var shown: Analysis? { shownIndex.map { runs[$0] } }

  /// The compared surface of the run that represents the side.
  package var shownSurface: SurfaceAnalysis? { shownIndex.flatMap { surfaces[$0] } }

  /// The number of runs with frames that could be evaluated.
  package var evaluatedRuns: Int { surfaces.count { $0?.ratio != nil } }

  /// Returns the median over the runs with a value (M-20: the unit is the run).
  func median(_ value: (Analysis, SurfaceAnalysis?) -> MetricValue?) -> MetricValue? {
    .median(of: zip(runs, surfaces).compactMap { value($0, $1) })
  }
}
