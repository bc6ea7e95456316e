public import ScrollTraceModel

/// The conclusions about an interaction of a surface.
public struct InteractionAnalysis: Sendable {
  /// The kind: drag, deceleration and so on, or a custom word.
  public let kind: String
  /// The interaction's name, or an empty string.
  public let name: String
  /// The range. An open interaction lasts until the end of the trace.
  public let range: TimeRange
  /// A Boolean value indicating whether the interaction ended before the trace.
  package let isFinished: Bool
  package let counts: FrameCounts
  /// The hitch time, or `nil` if no frame of the surface could be evaluated.
  public let hitchTime: TimeSpan?
  /// The main-thread and background work.
  package let work: WorkSums
  /// The ledger of refreshes (M-23), or `nil` if no refresh interval is known.
  package let ledger: RefreshLedger?
  /// The histograms of the interaction, or `nil` if the options ask for none.
  package let histograms: ScopeHistograms?

  package var ratio: HitchTimeRatio? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: range.length) }
  }
}

/// The conclusions about the time in which a state had a value (M-18).
package struct StateAnalysis: Sendable {
  package let key: String
  package let value: String
  /// The time with this value within the measured time.
  package let duration: TimeSpan
  package let counts: FrameCounts
  /// The hitch time of those frames in the measured time, or `nil` if none could be evaluated.
  package let hitchTime: TimeSpan?
  /// What the main thread did in that time by the system's own count (M-25), or `nil` if unknown.
  package let thread: ThreadTimes?
  /// Every refresh in that time, counted once (M-23); `nil` if no refresh interval or motion is known.
  package let ledger: RefreshLedger?
  /// The work in that time and the histograms, or `nil` if the options ask for none.
  package let totals: StateTotals?

  package var ratio: HitchTimeRatio? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: duration) }
  }
}

/// What a summary contains of a state beyond its analysis.
package struct StateTotals: Sendable {
  package let work: WorkSums
  package let histograms: ScopeHistograms
}
