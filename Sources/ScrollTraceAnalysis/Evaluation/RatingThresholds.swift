/// A named set of limits for hitch time ratios (M-6).
public enum RatingThresholds: String, Codable, Sendable, CaseIterable {
  /// Apple 2020, for scrolling: good < 5 <= warning < 10 <= critical.
  case scroll
  /// Apple 2026, field data of all animations, adjusted for perception:
  /// good <= 10 < warning <= 25 < critical <= 50 < severe.
  case organizer = "xcode-organizer"

  /// Returns the rating of a ratio in ms/s.
  package func rating(of value: Double) -> Rating {
    switch self {
    case .scroll:
      if value < 5 { return .good }
      return value < 10 ? .warning : .critical
    case .organizer:
      if value <= 10 { return .good }
      if value <= 25 { return .warning }
      return value <= 50 ? .critical : .severe
    }
  }

  /// The limits between the ratings in ms/s, ascending.
  package var limits: [Double] {
    switch self {
    case .scroll: [5, 10]
    case .organizer: [10, 25, 50]
    }
  }

  package var citation: String {
    switch self {
    case .scroll: "Apple 2020, scrolling"
    case .organizer: "Apple 2026, field data adjusted for perception"
    }
  }
}
