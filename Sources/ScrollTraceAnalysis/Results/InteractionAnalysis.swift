public import ScrollTraceModel

/// What was concluded about one interaction of a surface.
public struct InteractionAnalysis: Sendable {
  /// drag, deceleration ..., or the host's word.
  public let kind: String
  /// Its name, empty where it has none.
  public let name: String
  /// From when to when; an unfinished one lasts until the end of the trace.
  public let range: TimeRange
  /// Whether it ended before the trace did.
  package let isFinished: Bool
  /// The counts of its frames.
  package let counts: FrameCounts
  /// The hitch time inside it, or `nil` if no frame of the surface could be evaluated.
  public let hitchTime: TimeSpan?
  /// Main-thread and background work inside it.
  package let work: WorkSums
  /// Every refresh in it, counted once (M-23); `nil` if no refresh interval is known.
  package let ledger: RefreshLedger?

  /// The hitch time ratio.
  package var ratio: HitchTimeRatio? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: range.length) }
  }
}

/// What was concluded about the time in which a state held (M-18).
package struct StateAnalysis: Sendable {
  /// The state's name.
  package let key: String
  /// Its value.
  package let value: String
  /// How long it held inside the denominator.
  package let duration: TimeSpan
  /// The counts of the frames it belongs to.
  package let counts: FrameCounts
  /// The hitch time of those frames inside the denominator, or `nil` if none could be evaluated.
  package let hitchTime: TimeSpan?
  /// Every refresh in that time, counted once (M-23); `nil` if no refresh interval or motion is known.
  package let ledger: RefreshLedger?

  /// The hitch time ratio.
  package var ratio: HitchTimeRatio? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: duration) }
  }
}
