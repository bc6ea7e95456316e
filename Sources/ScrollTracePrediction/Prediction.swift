package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The predicted effect of changes on a recording (M-17).
package struct Prediction: Hashable, Sendable {
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

  /// The removed hitch time; negative if the changes add some.
  package var removed: TimeSpan { recordedHitchTime - hitchTime }

  /// The remaining hitch time ratio.
  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }
}
