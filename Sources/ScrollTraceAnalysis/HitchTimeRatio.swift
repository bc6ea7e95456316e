public import ScrollTraceModel

/// Hitch time per time, in ms/s (M-5). The sums are kept; the ratio is derived last.
public struct HitchTimeRatio: Hashable, Sendable {
  /// The hitch time inside `duration`.
  public let hitchTime: TimeSpan
  /// The time it is measured against, always longer than nothing.
  public let duration: TimeSpan

  /// A ratio, or `nil` where there is no time to measure against.
  public init?(hitchTime: TimeSpan, duration: TimeSpan) {
    guard duration > .zero else { return nil }
    self.hitchTime = hitchTime
    self.duration = duration
  }

  /// Milliseconds of hitch time per second.
  public var millisecondsPerSecond: Double {
    Double(hitchTime.nanoseconds) / Double(duration.nanoseconds) * 1000
  }
}
