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

  /// The members of the ledger (M-23), each null if no motion is known.
  static func ledger(_ ledger: RefreshLedger?) -> [(String, JSONValue)] {
    let parts = ledger.map { ledger -> JSONValue in
      .object([
        ("owed", .nanoseconds(ledger.owed)), ("new", .nanoseconds(ledger.new)),
        ("repeated", .nanoseconds(ledger.repeated)),
        ("notRequested", .nanoseconds(ledger.notRequested)),
        ("settled", .nanoseconds(ledger.settled)), ("unknown", .nanoseconds(ledger.unknown)),
      ])
    }
    return [("ledgerNs", parts ?? .null), ("picturesInMotion", .count(ledger?.pictures))]
  }
}
