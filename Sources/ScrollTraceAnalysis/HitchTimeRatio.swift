package import ScrollTraceModel

/// Hitch time per time, in ms/s (M-5). The sums are kept; the ratio is derived last.
package struct HitchTimeRatio: Hashable, Sendable {
  /// The hitch time inside `duration`.
  package let hitchTime: TimeSpan
  /// The time it is measured against, always longer than nothing.
  package let duration: TimeSpan

  /// A ratio, or `nil` where there is no time to measure against.
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

/// How bad a ratio is, in the words of a profile (M-6).
public enum Rating: String, Sendable, CaseIterable {
  /// Nothing to do.
  case good
  /// Worth a look.
  case warning
  /// Needs work.
  case critical
  /// Needs work at once; only in profiles that have it.
  case immediate
}

/// A named set of limits for hitch time ratios (M-6).
public enum RatingThresholds: String, Sendable, CaseIterable {
  /// Apple 2020, for scrolling: good < 5 <= warning < 10 <= critical.
  case scroll
  /// Apple 2026, field data of all animations, adjusted for perception:
  /// good <= 10 < warning <= 25 < critical <= 50 < immediate.
  case organizer

  /// The band of a ratio of `value` ms/s.
  package func band(of value: Double) -> Rating {
    switch self {
    case .scroll:
      if value < 5 { return .good }
      return value < 10 ? .warning : .critical
    case .organizer:
      if value <= 10 { return .good }
      if value <= 25 { return .warning }
      return value <= 50 ? .critical : .immediate
    }
  }

  /// The limits between the bands in ms/s, ascending.
  package var limits: [Double] {
    switch self {
    case .scroll: [5, 10]
    case .organizer: [10, 25, 50]
    }
  }

  /// Where the limits come from, for the report.
  package var citation: String {
    switch self {
    case .scroll: "Apple 2020, scrolling"
    case .organizer: "Apple 2026, field data adjusted for perception"
    }
  }
}
