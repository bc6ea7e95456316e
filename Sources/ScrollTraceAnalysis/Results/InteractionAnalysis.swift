package import ScrollTraceModel

/// The conclusions about an interaction of a surface.
package struct InteractionAnalysis: Sendable {
  /// The kind: drag, deceleration and so on, or a custom word.
  package let kind: String
  /// The interaction's name, or an empty string.
  package let name: String
  /// The range. An open interaction lasts until the end of the trace.
  package let range: TimeRange
  /// A Boolean value indicating whether the interaction ended before the trace.
  package let isFinished: Bool
  package internal(set) var sums: InteractionSums

  /// The hitch time, or `nil` if no frame of the surface could be evaluated.
  package var hitchTime: TimeSpan? { sums.hitchTime }
  package var counts: FrameCounts { sums.counts }
  package var work: WorkSums { sums.work }
  package var ratio: HitchTimeRatio? { sums.ratio }
}

/// What lies in an interaction, or in several together, where each frame, hitch and refresh counts once.
package struct InteractionSums: Sendable {
  /// The length of the time that the interactions cover.
  package var duration: TimeSpan
  package var counts: FrameCounts
  /// The hitch time, or `nil` if no frame could be evaluated.
  package var hitchTime: TimeSpan?
  package var work: WorkSums
  /// The ledger of refreshes (M-23), or `nil` if no refresh interval is known.
  package var ledger: RefreshLedger?
  /// The histograms, or `nil` if the options ask for none.
  package let histograms: ScopeHistograms?
  /// The blank time of each list with any (M-27).
  var blankTimes: [TimeSpan] = []

  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }

  /// The highest blank time ratio of a list in ms/s, or `nil` if none was blank.
  var blankRatio: Double? {
    HitchTimeRatio(hitchTime: blankTimes.max(), duration: duration)?.millisecondsPerSecond
  }

  /// The sums over two times that have none in common, without histograms.
  static func + (left: InteractionSums, right: InteractionSums) -> InteractionSums {
    InteractionSums(
      duration: left.duration + right.duration, counts: left.counts + right.counts,
      hitchTime: sumOfKnown(left.hitchTime, right.hitchTime, by: +), work: left.work + right.work,
      ledger: sumOfKnown(left.ledger, right.ledger, by: +), histograms: nil,
      blankTimes: zip(left.blankTimes, right.blankTimes).map(+))
  }
}

/// A part of overlapping interactions, in which none starts or ends.
package struct InteractionPart: Sendable {
  let range: TimeRange
  var sums: InteractionSums
}

extension SurfaceAnalysis {
  /// Returns the sums over some of the interactions, in which what several of them contain counts once; `nil`
  /// for none.
  package func sums(over interactions: [InteractionAnalysis]) -> InteractionSums? {
    var all = interactions.map(\.sums)
    if !interactionParts.isEmpty {
      let time = TimeRangeSet(union: interactions.map(\.range))
      all = interactionParts.filter { time.index(containing: $0.range.start) != nil }.map(\.sums)
    }
    return all.first.map { all.dropFirst().reduce($0, +) }
  }
}

extension FrameCounts {
  /// The counts in two times that have none in common. The time of only one may have what is counted.
  fileprivate static func + (left: FrameCounts, right: FrameCounts) -> FrameCounts {
    func sum(_ count: KeyPath<FrameCounts, Int?>) -> Int? {
      sumOfKnown(left[keyPath: count], right[keyPath: count]) { $0.saturatingAdd($1) }
    }
    return FrameCounts(
      total: sum(\.total), evaluated: sum(\.evaluated), notEvaluated: sum(\.notEvaluated),
      deadlineMisses: sum(\.deadlineMisses), hitches: sum(\.hitches),
      refreshesMissed: sum(\.refreshesMissed), presented: sum(\.presented),
      dropped: sum(\.dropped), lateWithoutHitch: sum(\.lateWithoutHitch),
      notRequested: sum(\.notRequested))
  }
}

/// The conclusions about the time in which a state had a value (M-18).
package struct StateAnalysis: Sendable {
  package let key: String
  package let value: String
  /// The time with this value within the measured time.
  let time: TimeRangeSet
  package let counts: FrameCounts
  /// The hitch time of those frames in the measured time, or `nil` if none could be evaluated.
  package let hitchTime: TimeSpan?
  /// What the main thread did in that time by the system's own count (M-25), or `nil` if unknown.
  package let thread: ThreadTimes?
  /// Every refresh in that time, counted once (M-23); `nil` if no refresh interval or motion is known.
  package let ledger: RefreshLedger?
  /// The work in that time and the histograms, or `nil` if the options ask for none.
  package let totals: StateTotals?
  /// The highest blank time ratio of a list in ms/s (M-27), or `nil` if none was blank.
  var blankRatio: Double?

  /// The length of the time with this value.
  package var duration: TimeSpan { time.length }

  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }
}

/// What a summary contains of a state beyond its analysis.
package struct StateTotals: Sendable {
  package let work: WorkSums
  package let histograms: ScopeHistograms
}
