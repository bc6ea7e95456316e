public import ScrollTraceModel

/// The conclusions from one trace, and the trace itself for graphs.
public struct Analysis: Sendable {
  /// The trace that was analyzed.
  public let trace: Trace
  package let options: AnalysisOptions
  /// The selected time, or `nil` if everything counts.
  package let selectedTime: TimeRangeSet?
  /// The surfaces, sorted by name.
  package let surfaces: [SurfaceAnalysis]
  /// The main-thread and background work of the host's process (M-11).
  package let work: WorkAnalysis
  /// The work of other processes, sorted by name.
  package let otherProcesses: [ProcessWork]
  /// The measurements of lists, sorted by name, or empty if the trace contains none (M-14, M-15).
  package let lists: [ListAnalysis]
  /// What sampled stacks say (M-26), or `nil` if there are none.
  package let samples: SampleAnalysis?
  /// The findings, by removable hitch time (M-19).
  package let findings: [Finding]
  /// The facts that a reader of the report should know, those about the trace first.
  package let notices: [AnalysisNotice]
  /// A Boolean value indicating whether only what a report on many runs needs is left.
  package var isDigest = false

  /// The findings, each with later ones that say the same, word for word, of hitches of other surfaces.
  package var distinctFindings: [(finding: Finding, same: [Finding])] {
    findings.distinct { $0.saysSame(as: $1) }
  }

  /// A Boolean value indicating whether at least one surface has frames that could be evaluated.
  public var isEvaluated: Bool { surfaces.contains { $0.isEvaluated } }

  /// The selected surfaces, sorted by name, or all surfaces if none is selected.
  package var selectedSurfaces: [SurfaceAnalysis] {
    surfaces.filter(options.selects)
  }

  /// The surface that gives the verdict (M-24), or `nil` if none could be evaluated.
  package var evaluatedPrimarySurface: SurfaceAnalysis? {
    options.primaryIndex(of: surfaces).map { surfaces[$0] }
  }

  /// The surface with the worst rating, if it is worse than the verdict's, or `nil`. Among equal
  /// ratings, the one with the highest ratio.
  package var worstOtherSurface: SurfaceAnalysis? { worstSurface(isOfOtherApp: false) }

  /// The worst surface of another app than that of the verdict, such as the home screen, or `nil`.
  package var worstSurfaceOfOtherApp: SurfaceAnalysis? { worstSurface(isOfOtherApp: true) }

  private func worstSurface(isOfOtherApp: Bool) -> SurfaceAnalysis? {
    guard let primary = evaluatedPrimarySurface else { return nil }
    let otherApps = options.otherApps(among: surfaces, in: trace)
    let rating = primary.rated(by: options.thresholds).rating
    func ratio(_ surface: SurfaceAnalysis) -> Double { surface.ratio?.millisecondsPerSecond ?? 0 }
    return selectedSurfaces.filter { other in
      let otherRating = other.rated(by: options.thresholds).rating
      return other.surface != primary.surface && otherApps.contains(other.surface) == isOfOtherApp
        && otherRating.isCertain
        && (otherRating.isWorse(than: rating)
          || rating == .uncertain && otherRating != .good && ratio(other) > ratio(primary))
    }.max { (ratio($0), $1.name) < (ratio($1), $0.name) }
  }

  /// The surface whose hitches are explained: the worst one if the verdict is certain and it is worse, else that of
  /// the verdict, or `nil` if none could be evaluated.
  package var explainedSurface: SurfaceAnalysis? {
    guard let primary = evaluatedPrimarySurface else { return nil }
    let isCertain = primary.rated(by: options.thresholds).rating.isCertain
    return isCertain ? worstOtherSurface ?? primary : primary
  }

  /// The surface to report in full: the primary one, or the one that would be if it could be evaluated, or
  /// `nil` if there are no frames.
  package var primarySurface: SurfaceAnalysis? {
    evaluatedPrimarySurface
      ?? selectedSurfaces.filter { $0.counts.total ?? 0 > 0 }.max { $1.comesBefore($0) }
  }
}

/// A notice of the trace, or one about the conclusions.
package enum AnalysisNotice: Hashable, Sendable {
  case trace(Notice)
  /// Fewer than 30 frames of `surface` were evaluated (M-8).
  case fewFrames(surface: String, evaluated: Int)
  /// No frame of `surface` could be evaluated. The result is neither zero nor a pass (M-8).
  case noData(surface: String)
  /// No refresh interval is known for `surface`, so everything that needs it is unknown (M-5).
  case noInterval(surface: String)
  /// No interaction is known for `surface`, so only late frames count, and the ratio is of the
  /// whole recording (M-3, M-5).
  case noInteractions(surface: String)
  /// No mark and no asynchronous span matches the user's pattern.
  case noMarks(pattern: String)
  /// A range that the user named is after the end of the recording, which has this length.
  case interactionOutside(name: String, length: TimeSpan)
  /// An interaction never ended. It counts until the end of the trace.
  case unfinishedInteraction(kind: String, since: Timestamp)
  /// Commits of `surface` never ended.
  case unfinishedFrames(surface: String, count: Int)
  /// So many motions of `surface` were not evaluated: too many frames lie in several of them.
  case motionsNotEvaluated(surface: String, count: Int)
  /// The main thread had no free core for this time of the hitches, which other causes made late as well; what other
  /// threads did meanwhile is the end of a sentence.
  case noFreeCore(surface: String, time: TimeSpan, meanwhile: Phrase)
  /// Interactions, states or causes of `surface` were left out: too many of them overlap.
  case leftOut(surface: String)
}
