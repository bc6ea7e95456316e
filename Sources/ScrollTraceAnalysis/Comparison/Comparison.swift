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
  /// The metrics of frames and work on both sides.
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

  /// Compares the runs of two sides.
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
    categories = CategoryComparison.all(base, new)
    movedWork = MovedWork.all(
      in: categories, mainBusy: self.values[.mainBusy]?.base.flatMap(\.time))
    causes = CauseComparison.all(base, new)
    findings = FindingComparison.all(
      base: base.shown?.findings ?? [], new: new.shown?.findings ?? [])
    stacks = StackComparison.all(base, new)
    lists = ListComparison.all(base, new)
    notes = ComparisonNote.all(base, new, surface: primary?.name)
  }

  package subscript(_ metric: Metric) -> ComparedValue {
    values[metric] ?? ComparedValue(base: nil, new: nil)
  }

  /// A Boolean value indicating whether each side is one run.
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
