package import ScrollTraceModel

/// Hitch time per time, in ms/s (M-5). The sums are kept; the ratio is derived last.
package struct HitchTimeRatio: Hashable, Sendable {
  /// The hitch time inside `duration`.
  package let hitchTime: TimeSpan
  /// The time it is measured against, always longer than nothing.
  package let duration: TimeSpan

  /// Creates the ratio, or `nil` if the duration is zero.
  package init?(hitchTime: TimeSpan, duration: TimeSpan) {
    guard duration > .zero else { return nil }
    self.hitchTime = hitchTime
    self.duration = duration
  }

  /// Milliseconds of hitch time per second.
  package var millisecondsPerSecond: Double {
    Double(hitchTime.nanoseconds) / Double(duration.nanoseconds) * 1000
  }
}

extension SurfaceAnalysis {
  /// The hitch time ratio in ms/s (M-5), or `nil` if it is unknown.
  public var hitchTimeRatio: Double? { ratio?.millisecondsPerSecond }
}

extension InteractionAnalysis {
  /// The hitch time ratio in ms/s (M-5), or `nil` if it is unknown.
  public var hitchTimeRatio: Double? { ratio?.millisecondsPerSecond }
}
