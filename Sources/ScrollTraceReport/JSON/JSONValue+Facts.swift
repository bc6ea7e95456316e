import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// A length of time in nanoseconds; null where it is unknown.
  static func nanoseconds(_ span: TimeSpan?) -> JSONValue {
    span.map { .integer($0.nanoseconds) } ?? .null
  }

  /// An instant in nanoseconds from `start`; null where it is unknown.
  static func nanoseconds(_ time: Timestamp?, from start: Timestamp) -> JSONValue {
    nanoseconds(time.map { $0 - start })
  }

  /// A count; null where it is unknown.
  static func count(_ count: Int?) -> JSONValue {
    count.map { .integer(Int64($0)) } ?? .null
  }

  /// A number; null where it is unknown.
  static func number(_ value: Double?) -> JSONValue {
    value.map { .number($0) } ?? .null
  }

  /// A name; null where it is unknown.
  static func name(_ name: String?) -> JSONValue {
    name.map { .string($0) } ?? .null
  }

  /// Percentiles of lengths of time; null where there are none.
  static func percentiles(_ values: Percentiles?) -> JSONValue {
    guard let values else { return .null }
    return .object([
      ("p50", .nanoseconds(values.p50)), ("p90", .nanoseconds(values.p90)),
      ("p95", .nanoseconds(values.p95)), ("p99", .nanoseconds(values.p99)),
      ("max", .nanoseconds(values.max)),
    ])
  }

  /// The counts of frames; hitches are unknown where no frame could be judged.
  static func frames(_ counts: FrameCounts, isJudged: Bool) -> JSONValue {
    .object([
      ("total", .count(counts.total)), ("judged", .count(counts.judged)),
      ("notJudged", .count(counts.notJudged)), ("deadlineMisses", .count(counts.deadlineMisses)),
      ("hitches", .count(isJudged ? counts.hitches : nil)),
      ("refreshesMissed", .count(counts.refreshesMissed)),
      ("expectedRefreshes", .count(counts.expectedRefreshes)),
      ("presented", .count(counts.presented)), ("dropped", .count(counts.dropped)),
      ("stuffed", .count(counts.lateWithoutHitch)), ("notRequested", .count(counts.notRequested)),
    ])
  }

  /// The members that every hitch time ratio comes with.
  static func hitchTime(
    _ hitchTime: TimeSpan?, _ ratio: HitchTimeRatio?, in profile: BandProfile
  ) -> [(String, JSONValue)] {
    let value = ratio?.millisecondsPerSecond
    return [
      ("hitchTimeNs", .nanoseconds(hitchTime)), ("hitchTimeRatioMsPerS", .number(value)),
      ("band", .name(value.map { profile.band(of: $0).rawValue })),
    ]
  }

  /// The members of a rating and of the ledger that it rests on.
  static func rated(
    _ rated: RatedHitches, _ ledger: RefreshLedger?
  ) -> [(String, JSONValue)] {
    [
      ("rating", .string(rated.rating.rawValue)), ("ratingReason", .name(rated.reason?.text)),
      ("refreshes", ledger.map(refreshes) ?? .null),
    ]
  }

  private static func refreshes(_ ledger: RefreshLedger) -> JSONValue {
    func count(_ part: TimeSpan) -> JSONValue { .number(ledger.refreshes(part)) }
    return .object([
      ("owed", count(ledger.owed)), ("new", count(ledger.new)),
      ("repeated", count(ledger.repeated)), ("notRequested", count(ledger.notRequested)),
      ("settled", count(ledger.settled)), ("unknown", count(ledger.unknown)),
    ])
  }

  /// The members of a sum of work.
  static func work(_ sums: WorkSums) -> [(String, JSONValue)] {
    [
      ("mainBusyNs", .nanoseconds(sums.mainBusy)),
      ("backgroundBusyNs", .nanoseconds(sums.backgroundBusy)),
      ("mainRunningNs", .nanoseconds(sums.mainBusy)),
      ("mainWaitingNs", .nanoseconds(sums.mainWaiting)),
      ("backgroundRunningNs", .nanoseconds(sums.backgroundBusy)),
      ("backgroundWaitingNs", .nanoseconds(sums.backgroundWaiting)),
      ("mainShare", .number(sums.mainShare)), ("parallelism", .number(sums.parallelism)),
    ]
  }
}
