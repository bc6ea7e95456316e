package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The predicted effect of changes on a recording (M-17).
package struct Prediction: Equatable, Sendable {
  /// How sure the prediction is.
  package enum Estimate: Equatable, Sendable {
    /// The removed hitch time as ranges.
    case ranges(RemovedTimeRanges)
    /// The reason there is none.
    case obstacle(PredictionObstacle)
  }

  /// The changes.
  package let changes: [ProposedChange]
  /// The remaining hitch time inside the measured time.
  package let hitchTime: TimeSpan
  /// The recorded hitch time.
  package let recordedHitchTime: TimeSpan
  /// The measured time.
  package let duration: TimeSpan
  /// The number of remaining hitches.
  package let hitches: Int
  /// The number of remaining deadline misses, or `nil` if no deadline is known.
  package let deadlineMisses: Int?
  /// The number of cells prepared before they are needed.
  package let cellsAhead: Int

  /// The number of recorded frames that were evaluated, or `nil` if the source lists hitches only.
  package let evaluatedFrames: Int?
  /// The refreshes of the recording, each counted once (M-23), or `nil` if no motion is known.
  package let ledger: RefreshLedger?
  /// The recorded blank time ratio in ms/s, which the changes are not known to lower, or `nil` if unknown.
  package let blankRatio: Double?

  /// How sure the prediction is, or `nil` if only the replay was asked for.
  package var estimate: Estimate?

  /// The removed hitch time as ranges, or `nil` if it is not predictable.
  package var ranges: RemovedTimeRanges? {
    if case .ranges(let ranges) = estimate { ranges } else { nil }
  }
  /// The reason it is not predictable, or `nil` if it is.
  package var obstacle: PredictionObstacle? {
    if case .obstacle(let obstacle) = estimate { obstacle } else { nil }
  }

  /// The removed hitch time of the replay; negative if the changes add some.
  package var removed: TimeSpan { recordedHitchTime - hitchTime }

  /// The removed hitch time of the replay, or `nil` if the replay is unlike the recording.
  var likeliestRemoval: TimeSpan? {
    if case .unlikeRecording = obstacle { nil } else { removed }
  }

  /// The remaining hitch time ratio.
  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }

  /// The rating of the remaining hitch time by `thresholds`: no more certain than that of the recording
  /// (M-24).
  package func rated(by thresholds: RatingThresholds) -> RatedHitches {
    RatedHitches(
      hitchTime: hitchTime, duration: duration, evaluated: evaluatedFrames, ledger: ledger,
      blankRatio: blankRatio, by: thresholds)
  }
}
