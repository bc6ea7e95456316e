package import ScrollTraceModel

/// An interval of removed hitch time; negative where a change adds some.
package struct RemovedTime: Equatable, Sendable {
  package let low: TimeSpan
  package let high: TimeSpan

  package init(low: TimeSpan, high: TimeSpan) {
    (self.low, self.high) = (min(low, high), max(low, high))
  }

  /// The length of the interval.
  package var width: TimeSpan { high - low }

  /// Returns the smallest interval that contains this one and another.
  func union(_ other: RemovedTime) -> RemovedTime {
    RemovedTime(low: min(low, other.low), high: max(high, other.high))
  }

  /// Whether `time` is in the interval, to a microsecond: refreshes are rounded to nanoseconds.
  package func contains(_ time: TimeSpan) -> Bool {
    let rounding = TimeSpan(nanoseconds: 1_000)
    return low - rounding <= time && time <= high + rounding
  }
}

/// The removed hitch time as three nested intervals (M-17).
///
/// The surer a statement is, the wider is its interval: all but a few pairs of the study lie in the
/// certain one, nine of ten in the likely one, half of them in the possible one.
package struct RemovedTimeRanges: Equatable, Sendable {
  package let certain: RemovedTime
  package let likely: RemovedTime
  package let possible: RemovedTime
  /// The share of the study's pairs of this kind of change that lay in the likely interval, or `nil` if
  /// the study did not measure the kind.
  package let hitRate: Double?

  /// Whether some hitch time is likely to go.
  package var helps: Bool { likely.low > .zero }
}

/// The reason a change is not predictable for a recording.
package enum PredictionObstacle: Equatable, Sendable {
  /// What comes of it depends too much on what the recording does not show: replays that differ in that
  /// are so far apart.
  case undetermined(RemovedTime)
  /// Positions far apart follow each other, so that nothing can be prepared ahead for them.
  case jumps(share: Double)
  /// For a part of the time of the hitches, all cores were busy, so that work moved to another thread is
  /// not free.
  case coresBusy(share: Double)
  /// Most of the time of the hitches was not recorded.
  case unrecorded(share: Double)
  /// The replay without any change has another hitch time than the recording, by more than a prediction
  /// may be wide.
  case unlikeRecording(replayed: TimeSpan, recorded: TimeSpan)
  /// The replay needs too many frames.
  case tooLarge
}
