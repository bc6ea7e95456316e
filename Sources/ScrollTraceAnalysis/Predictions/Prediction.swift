public import ScrollTraceModel

/// What would probably have been measured with some changes (M-17).
public struct Prediction: Hashable, Sendable {
  /// What is done otherwise.
  public let changes: [Change]
  /// The hitch time inside the denominator that would be left.
  public let hitchTime: TimeSpan
  /// The hitch time that was recorded.
  public let recordedHitchTime: TimeSpan
  /// The time the ratio is measured against.
  public let duration: TimeSpan
  /// The hitches that would be left.
  public let hitches: Int
  /// The deadlines that would be missed; `nil` where none is known.
  public let deadlineMisses: Int?
  /// The cells that would be prepared before they are needed.
  public let cellsAhead: Int

  /// The hitch time that would go; negative where more would come.
  public var removed: TimeSpan { recordedHitchTime - hitchTime }

  /// The hitch time ratio that would be left.
  public var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }
}
