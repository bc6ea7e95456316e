package import ScrollTraceModel

/// Hitch time divided by measured time, in ms/s (M-5). Sums are stored, and the ratio is computed
/// last.
package struct HitchTimeRatio: Equatable, Sendable {
  package let hitchTime: TimeSpan
  /// The measured time, which is not zero.
  package let duration: TimeSpan

  /// Creates the ratio, or returns `nil` if the hitch time is unknown or the duration is zero.
  package init?(hitchTime: TimeSpan?, duration: TimeSpan) {
    guard let hitchTime, duration > .zero else { return nil }
    self.hitchTime = hitchTime
    self.duration = duration
  }

  package var millisecondsPerSecond: Double { hitchTime.share(of: duration) * 1000 }
}

extension SurfaceAnalysis {
  /// The hitch time ratio in ms/s (M-5), or `nil` if it is unknown.
  package var hitchTimeRatio: Double? { ratio?.millisecondsPerSecond }
}
