import ScrollTraceModel

/// One side of a comparison: the runs that recorded the same thing.
package struct ComparisonSide: Sendable {
  /// Which side it is.
  package enum Role: String, Sendable, CaseIterable {
    /// What is compared with.
    case base
    /// What is compared.
    case new
  }

  /// One analysis for each run, in the order they were given.
  package let runs: [Analysis]
  /// The surface of each run that is compared; `nil` for a run without it.
  package let surfaces: [SurfaceAnalysis?]
  /// The run that stands for the side in graphs: the one whose hitch time ratio is the median, of an
  /// even number the lower one, and the first where there is no ratio; `nil` without runs.
  package let shownIndex: Int?

  /// The side made of `runs`, of each the surface called `name`.
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

  /// The run that stands for the side.
  package var shown: Analysis? { shownIndex.map { runs[$0] } }

  /// The surface of that run.
  package var shownSurface: SurfaceAnalysis? { shownIndex.flatMap { surfaces[$0] } }

  /// How many runs had frames that could be evaluated.
  package var judgedRuns: Int { surfaces.count { $0?.ratio != nil } }

  /// The median over the runs that know it (M-20: the unit is the run).
  func median(_ value: (Analysis, SurfaceAnalysis?) -> MetricValue?) -> MetricValue? {
    .median(of: zip(runs, surfaces).compactMap { value($0, $1) })
  }
}
