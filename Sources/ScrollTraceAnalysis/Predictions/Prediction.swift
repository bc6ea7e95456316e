package import ScrollTraceModel

/// What would probably have been measured with some changes (M-17).
package struct Prediction: Hashable, Sendable {
  /// What is done otherwise.
  package let changes: [ProposedChange]
  /// The hitch time inside the denominator that would be left.
  package let hitchTime: TimeSpan
  /// The hitch time that was recorded.
  package let recordedHitchTime: TimeSpan
  /// The time the ratio is measured against.
  package let duration: TimeSpan
  /// The hitches that would be left.
  package let hitches: Int
  /// The deadlines that would be missed; `nil` where none is known.
  package let deadlineMisses: Int?
  /// The cells that would be prepared before they are needed.
  package let cellsAhead: Int

  /// The hitch time that would go; negative where more would come.
  package var removed: TimeSpan { recordedHitchTime - hitchTime }

  /// The hitch time ratio that would be left.
  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }
}
