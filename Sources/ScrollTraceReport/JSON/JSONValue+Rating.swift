import ScrollTraceAnalysis
import ScrollTraceModel

/// The facts that say how far a ratio can be trusted, of surfaces, interactions and states.
extension JSONValue {
  /// The members that start every hitch time ratio.
  static func hitchTime(
    _ hitchTime: TimeSpan?, _ ratio: HitchTimeRatio?
  ) -> [(String, JSONValue)] {
    [
      ("hitchTimeNs", .nanoseconds(hitchTime)),
      ("hitchTimeRatioMsPerS", .number(ratio?.millisecondsPerSecond)),
    ]
  }

  /// A rating, and the reason if it is not that of the ratio (M-24).
  static func rating(_ rated: RatedHitches) -> [(String, JSONValue)] {
    [("rating", .string(rated.rating.rawValue)), ("ratingReason", .name(rated.reason?.text))]
  }

  /// The ledger of refreshes (M-23), or null if no motion is known.
  static func refreshes(_ ledger: RefreshLedger?) -> JSONValue {
    guard let ledger else { return .null }
    func count(_ part: TimeSpan) -> JSONValue { .number(ledger.refreshes(part)) }
    return .object([
      ("owed", count(ledger.owed)), ("new", count(ledger.new)),
      ("repeated", count(ledger.repeated)), ("notRequested", count(ledger.notRequested)),
      ("settled", count(ledger.settled)), ("unknown", count(ledger.unknown)),
    ])
  }
}
