public import ScrollTraceModel

/// Everything that was concluded from one trace, and the trace itself for graphs.
public struct Analysis: Sendable {
  /// The trace that was analyzed.
  public let trace: Trace
  /// What the analysis was told besides the trace.
  package let options: AnalysisOptions
  /// The time that was selected, or `nil` if all of it counts.
  package let selectedTime: TimeRangeSet?
  /// One entry for each surface, ascending by name.
  public let surfaces: [SurfaceAnalysis]
  /// Main-thread and background work of the host's process (M-11).
  package let work: WorkAnalysis
  /// The work of other processes, ascending by name; empty where there are none.
  package let otherProcesses: [ProcessWork]
  /// What lists did with their cells, data and images, ascending by name; empty where the trace does
  /// not speak of any (M-14, M-15).
  package let lists: [ListAnalysis]
  /// The findings, the most severe first; `PredictionRanking` ranks them by what fixing them removes
  /// (M-19).
  package var findings: [Finding]
  /// What a reader of the report should know, about the trace first, then about the conclusions.
  package let notices: [AnalysisNotice]

  /// Whether at least one surface has frames that could be evaluated.
  public var isEvaluated: Bool { surfaces.contains { $0.isEvaluated } }

  /// The surfaces that were selected, ascending by name: all of them where none was named.
  package var selectedSurfaces: [SurfaceAnalysis] {
    guard let name = options.selection.surface else { return surfaces }
    return surfaces.filter { $0.name == name }
  }

  /// The surface that gives the verdict (M-24): of the selected ones that could be evaluated one on
  /// screen, then the one with most frames in motion; never the one with the worst figure.
  package var evaluatedPrimarySurface: SurfaceAnalysis? {
    selectedSurfaces.filter(\.isEvaluated).max { $1.comesBefore($0) }
  }

  /// The surface that is rated worst, if that is not the one that gives the verdict and is rated worse
  /// than it; of equal ratings the one with the highest ratio.
  package var worstOtherSurface: SurfaceAnalysis? {
    guard let primary = evaluatedPrimarySurface else { return nil }
    let rating = primary.rated(by: options.thresholds).rating
    return selectedSurfaces.filter { other in
      let otherRating = other.rated(by: options.thresholds).rating
      return other.surface != primary.surface && otherRating.isCertain
        && (otherRating.isWorse(than: rating) || rating == .uncertain && otherRating != .good)
    }.max {
      ($0.ratio?.millisecondsPerSecond ?? 0, $1.name)
        < ($1.ratio?.millisecondsPerSecond ?? 0, $0.name)
    }
  }

  /// The surface to tell of in full: the leading one, or where none could be evaluated the selected one
  /// with most frames, or `nil` if there are no frames.
  public var primarySurface: SurfaceAnalysis? {
    evaluatedPrimarySurface
      ?? selectedSurfaces.filter { $0.counts.total ?? 0 > 0 }.max {
        ($0.counts.total ?? 0, $1.name) < ($1.counts.total ?? 0, $0.name)
      }
  }
}

/// A notice of the trace, or one about what can be concluded from it.
package enum AnalysisNotice: Hashable, Sendable {
  /// Something about the trace.
  case trace(Notice)
  /// Fewer than 30 frames of `surface` were evaluated (M-8).
  case fewFrames(surface: String, evaluated: Int)
  /// No frame of `surface` could be evaluated: no data, which is neither zero nor a pass (M-8).
  case noData(surface: String)
  /// No refresh interval is known for `surface`; everything that needs it is unknown (M-5).
  case noInterval(surface: String)
  /// No interaction is known for `surface`: only late frames count and the ratio is of the whole
  /// recording (M-3, M-5).
  case noInteractions(surface: String)
  /// No mark and no asynchronous span fits the pattern that the user gave.
  case noMarks(pattern: String)
  /// A range that the user named lies behind the end of the recording, which has this length.
  case interactionOutside(name: String, length: TimeSpan)
  /// An interaction never ended; it counts until the end of the trace.
  case unfinishedInteraction(kind: String, since: Timestamp)
  /// Frames of `surface` never ended their commit.
  case unfinishedFrames(surface: String, count: Int)
  /// So many motions of `surface` were not evaluated: too many frames lie in several of them.
  case motionsNotEvaluated(surface: String, count: Int)
  /// Interactions, states or causes of `surface` were left out: too many of them overlap.
  case leftOut(surface: String)
}
