import ScrollTraceModel

/// The differences between two recordings of one scenario, or between several of each (M-20).
///
/// A repeated run differs too. Whether a difference is more than that is the gate's to say (M-21).
package struct Comparison: Sendable {
  /// The side to compare with.
  package let base: ComparisonSide
  /// The side that is compared.
  package let new: ComparisonSide
  /// The compared surface: the primary surface of the base, or of the new side if the base has no
  /// data.
  package let surface: String?
  package let values: [Metric: ComparedValue]
  /// The work by category, largest change first.
  package let categories: [CategoryComparison]
  /// The work that moved from or to the main thread, largest first.
  package let movedWork: [MovedWork]
  /// The causes of hitch time on both sides, largest change first.
  package let causes: [CauseComparison]
  /// The findings of the runs that represent the sides.
  package internal(set) var findings: [FindingComparison]
  /// The stacks of the runs that represent the sides, interaction by interaction.
  package let stacks: [StackComparison]
  /// The lists that are on both sides, sorted by name.
  package let lists: [ListComparison]
  package let notes: [ComparisonNote]

  package init(base baseRuns: [Analysis], new newRuns: [Analysis]) {
    let primary = (baseRuns + newRuns).lazy.compactMap(\.evaluatedPrimarySurface).first
    let base = ComparisonSide(baseRuns, surface: primary?.name)
    let new = ComparisonSide(newRuns, surface: primary?.name)
    let compared = Metric.ofFrames + Metric.ofWork + Metric.perSecond + [.blankRatio]
    let values = compared.map { metric in
      let value = { (run: Analysis, surface: SurfaceAnalysis?) in
        metric.value(MetricContext(surface, in: run))
      }
      return (metric, ComparedValue(base: base.median(value), new: new.median(value)))
    }
    self.base = base
    self.new = new
    surface = primary?.name
    self.values = Dictionary(uniqueKeysWithValues: values)
    let renamed = RenamedCategories(base, new)
    categories = CategoryComparison.all(base, new, renamed)
    movedWork = MovedWork.all(
      in: categories, mainBusy: self.values[.mainBusy]?.base.flatMap(\.time))
    causes = CauseComparison.all(base, new, renamed)
    findings = FindingComparison.all(
      base: base.shown?.findings ?? [], new: new.shown?.findings ?? [], renamed)
    stacks = StackComparison.all(base, new)
    lists = ListComparison.all(base, new)
    notes =
      ComparisonNote.all(base, new, surface: primary?.name)
      + renamed.names.sorted { $0.key < $1.key }.map {
        .renamedCategory(base: $0.key, new: $0.value)
      }
  }

  package subscript(_ metric: Metric) -> ComparedValue {
    values[metric] ?? ComparedValue(base: nil, new: nil)
  }

  package var isOfSingleRuns: Bool { base.runs.count == 1 && new.runs.count == 1 }

  /// A Boolean value indicating whether all runs can be of the same scenario, or `nil` if unknown.
  package var isOfOneScenario: Bool? {
    guard base.shownSurface != nil, new.shownSurface != nil else { return nil }
    return !notes.contains(where: \.isOfOtherScenario)
  }

  /// A Boolean value indicating whether the two sides can be of one scroll: the same number of each
  /// kind of interaction, and lengths within a quarter. Otherwise, neither is better than the
  /// other.
  package var isOfOneScroll: Bool {
    !notes.contains {
      if case .otherScenario(let base, let new) = $0 { !base.isComparable(to: new) } else { false }
    }
  }

  /// A Boolean value indicating whether work was measured for longer on one side, so that work per
  /// second is also reported.
  package var needsPerSecond: Bool {
    notes.contains { if case .otherLength = $0 { true } else { false } }
  }

  /// A Boolean value indicating whether the blank time of a side is rated.
  package var hasBlankTime: Bool {
    let value = self[.blankRatio]
    return [value.base, value.new].contains { $0?.number ?? 0 > RatedHitches.usualBlankRatio }
  }
}

/// A value on both sides of a comparison. An unknown value is `nil`, never zero.
package struct ComparedValue: Equatable, Sendable {
  /// The value of the base: the median of several runs.
  package let base: MetricValue?
  /// The value of the new side: the median of several runs.
  package let new: MetricValue?

  package init(base: MetricValue?, new: MetricValue?) {
    self.base = base
    self.new = new
  }

  /// New minus base, or `nil` if one of them is unknown.
  package var difference: MetricValue? {
    guard let base, let new else { return nil }
    return new.minus(base)
  }

  /// The difference relative to the base, or `nil` if the base is not above zero or the new value
  /// is below zero. Shares have none, because their difference is already a share.
  package var relativeDifference: Double? {
    guard let base, base.sign > 0, let new, new.sign >= 0, let difference else { return nil }
    return difference.divided(by: base)
  }

  package var isSame: Bool { base == new }

  var timeDifference: TimeSpan { difference?.time ?? .zero }

  /// The sums of times, `nil` for a side without any known value.
  static func sum(_ values: [ComparedValue]) -> ComparedValue {
    func sum(_ values: [MetricValue?]) -> MetricValue? {
      let times = values.compactMap { $0?.time }
      return times.isEmpty ? nil : .time(times.reduce(.zero, +))
    }
    return ComparedValue(base: sum(values.map(\.base)), new: sum(values.map(\.new)))
  }
}

/// One side of a comparison: the runs of one thing.
package struct ComparisonSide: Sendable {
  package enum Role: String, Sendable, CaseIterable {
    case base
    case new
  }

  package let runs: [Analysis]
  /// The compared surface of each run, or `nil` for a run without it.
  package let surfaces: [SurfaceAnalysis?]
  /// The index of the run that represents the side in graphs: the one with the median hitch time
  /// ratio, the lower of two, or the first one if there is no ratio. `nil` without runs.
  package let shownIndex: Int?

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

  package var shownSurface: SurfaceAnalysis? { shownIndex.flatMap { surfaces[$0] } }

  /// The number of runs with frames that could be evaluated.
  package var evaluatedRuns: Int { surfaces.count { $0?.ratio != nil } }

  /// Returns the median over the runs with a value (M-20: the unit is the run).
  func median(_ value: (Analysis, SurfaceAnalysis?) -> MetricValue?) -> MetricValue? {
    .median(of: zip(runs, surfaces).compactMap { value($0, $1) })
  }
}
