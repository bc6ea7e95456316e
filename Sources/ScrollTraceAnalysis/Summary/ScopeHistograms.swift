package import ScrollTraceModel
package import ScrollTraceSummary

/// The histograms of a scope of a summary.
package struct ScopeHistograms: Sendable {
  /// The histograms, by `SummaryHistogramName`.
  package private(set) var all = SummaryScope().histograms

  /// The longest hitch, or zero if there is none.
  package private(set) var longestHitch = TimeSpan.zero

  /// Counts the durations of frames and hitches.
  ///
  /// - Parameters:
  ///   - frames: The frames of the scope.
  ///   - hitches: The lengths of the hitches within the scope's time.
  ///   - spacings: The time before a frame, by the frame's position.
  init(
    of frames: some Sequence<EvaluatedFrame>, hitches: some Sequence<TimeSpan>,
    spacings: [Int: TimeSpan]
  ) {
    var (commits, overruns, slacks) = (
      LogLinearHistogram(), LogLinearHistogram(), LogLinearHistogram()
    )
    var gaps = LogLinearHistogram()
    for frame in frames {
      if let commit = frame.frame.commitLength { commits.count(commit.nanoseconds) }
      if let overrun = frame.overrun {
        if overrun > .zero {
          overruns.count(overrun.nanoseconds)
        } else {
          slacks.count((.zero - overrun).nanoseconds)
        }
      }
      if let spacing = spacings[frame.index] { gaps.count(spacing.nanoseconds) }
    }
    var late = LogLinearHistogram()
    for hitch in hitches where hitch > .zero {
      late.count(hitch.nanoseconds)
      longestHitch = max(longestHitch, hitch)
    }
    all = [late, commits, overruns, slacks, gaps]
  }
}
