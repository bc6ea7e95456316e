import ScrollTraceAnalysis
import ScrollTraceModel

/// The facts that tell how far a ratio can be trusted, as surfaces and interactions have them.
extension JSONValue {
  /// The members that accompany every hitch time ratio.
  static func hitchTime(
    _ hitchTime: TimeSpan?, _ ratio: HitchTimeRatio?, by thresholds: RatingThresholds
  ) -> [(String, JSONValue)] {
    [
      ("hitchTimeNs", .nanoseconds(hitchTime)),
      ("hitchTimeRatioMsPerS", .number(ratio?.millisecondsPerSecond)),
    ] + ratingMembers(of: ratio, by: thresholds)
  }

  /// The rating of a ratio, and the reason if the ratio could not be rated (M-24).
  static func ratingMembers(
    of ratio: HitchTimeRatio?, by thresholds: RatingThresholds
  ) -> [(String, JSONValue)] {
    let rating = ratio.map { thresholds.band(of: $0.millisecondsPerSecond) }
    return [("rating", .name(rating.map(JSONWord.rating))), ("ratingReason", .null)]
  }
}
