import ScrollTraceModel

/// What differs between two recordings of one session, or between several of each (M-20).
///
/// Differences only: a run that is repeated differs too, and nothing here says whether a difference
/// is more than that.
package struct Comparison: Sendable {
  /// What came of it, by the hitch time ratio and by missed deadlines.
  package enum Outcome: String, Sendable, CaseIterable {
    /// At least one of the two is lower, none is higher.
    case better
    /// At least one of the two is higher, none is lower.
    case worse
    /// One is lower, the other one higher.
    case mixed
    /// Neither differs; other things do.
    case same
    /// Nothing differs that is compared.
    case identical
    /// A side has no ratio, which is neither better nor worse.
    case noData
  }

  /// What is compared with.
  package let base: ComparisonSide
  /// What is compared.
  package let new: ComparisonSide
  /// The surface that is compared: the one to speak of first in the base, or, where the base has no
  /// data, in the new side.
  package let surface: String?
  /// The numbers of frames and work on both sides.
  package let values: [Metric: ComparedValue]
  /// The work of each category, the largest change first.
  package let categories: [CategoryComparison]
  /// The work that left the main thread or came to it, most first.
  package let movedWork: [MovedWork]
  /// What the hitch time is attributed to on both sides, the largest change first.
  package let causes: [CauseComparison]
  /// The lists that both sides speak of, ascending by name.
  package let lists: [ListComparison]
  /// What keeps the two from being compared without reserve.
  package let notes: [ComparisonNote]

  /// The comparison of the runs of two sides.
  package init(base baseRuns: [Analysis], new newRuns: [Analysis]) {
    let primary = (baseRuns + newRuns).lazy.compactMap(\.evaluatedPrimarySurface).first
    let base = ComparisonSide(baseRuns, surface: primary?.name)
    let new = ComparisonSide(newRuns, surface: primary?.name)
    let compared = Metric.ofFrames + Metric.ofWork + Metric.perSecond
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
    lists = ListComparison.all(base, new)
    notes = ComparisonNote.all(base, new, surface: primary?.name)
  }

  /// A number on both sides.
  package subscript(_ metric: Metric) -> ComparedValue {
    values[metric] ?? ComparedValue(base: nil, new: nil)
  }

  /// Whether each side is one run.
  package var isOfSingleRuns: Bool { base.runs.count == 1 && new.runs.count == 1 }

  /// Whether all runs can be of the same session, or `nil` if a side has nothing to tell by.
  package var isOfOneScenario: Bool? {
    guard base.shownSurface != nil, new.shownSurface != nil else { return nil }
    return !notes.contains(where: \.isOfOtherScenario)
  }

  /// Whether the two sides can be of one scroll: the same interactions, as often, for up to a quarter
  /// longer. Where they cannot, neither is better than the other.
  package var isOfOneScroll: Bool {
    !notes.contains {
      if case .otherScenario(let base, let new) = $0 { !base.isComparable(to: new) } else { false }
    }
  }

  /// Whether work was looked at for longer on one side, so that it is also said per second.
  package var needsPerSecond: Bool {
    notes.contains { if case .otherLength = $0 { true } else { false } }
  }

  /// What came of it.
  package var outcome: Outcome {
    guard let ratio = self[.hitchTimeRatio].difference?.sign else { return .noData }
    let misses = self[.deadlineMisses].difference?.sign ?? 0
    switch (min(ratio, misses), max(ratio, misses)) {
    case (-1, 1): return .mixed
    case (-1, _): return .better
    case (_, 1): return .worse
    default: return hasDifference ? .same : .identical
    }
  }

  private var hasDifference: Bool {
    !values.values.allSatisfy(\.isSame) || !categories.allSatisfy(\.isSame)
      || !causes.allSatisfy(\.hitchTime.isSame) || !lists.allSatisfy(\.differing.isEmpty)
  }
}
