import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// A duration in nanoseconds, or null if unknown.
  static func nanoseconds(_ span: TimeSpan?) -> JSONValue {
    span.map { .integer($0.nanoseconds) } ?? .null
  }

  /// A time in nanoseconds from `start`, or null if unknown.
  static func nanoseconds(_ time: Timestamp?, from start: Timestamp) -> JSONValue {
    nanoseconds(time.map { $0 - start })
  }

  /// A count, or null if unknown.
  static func count(_ count: Int?) -> JSONValue {
    count.map { .integer(Int64($0)) } ?? .null
  }

  /// A number, or null if unknown.
  static func number(_ value: Double?) -> JSONValue {
    value.map { .number($0) } ?? .null
  }

  /// A value in the unit of its metric, or null if unknown.
  static func value(_ value: MetricValue?) -> JSONValue {
    switch value {
    case .time(let span): .nanoseconds(span)
    case .count(let count): Int64(exactly: count).map { .integer($0) } ?? .number(count)
    case .share(let value), .factor(let value), .millisecondsPerSecond(let value),
      .perSecond(let value):
      .number(value)
    case nil: .null
    }
  }

  /// A name, or null if unknown.
  static func name(_ name: String?) -> JSONValue {
    name.map { .string($0) } ?? .null
  }

  /// Percentiles of durations, or null without values.
  static func percentiles(_ values: Percentiles?) -> JSONValue {
    guard let values else { return .null }
    return .object([
      ("p50", .nanoseconds(values.p50)), ("p90", .nanoseconds(values.p90)),
      ("p95", .nanoseconds(values.p95)), ("p99", .nanoseconds(values.p99)),
      ("max", .nanoseconds(values.max)),
    ])
  }

  /// An object whose members are at `paths`: keys with periods between them, two at most.
  ///
  /// Members of the same inner object follow each other.
  static func object(paths members: [(String, JSONValue)]) -> JSONValue {
    var result: [(String, JSONValue)] = []
    for (path, value) in members {
      let keys = path.split(separator: ".", maxSplits: 1).map(String.init)
      guard keys.count == 2 else {
        result.append((path, value))
        continue
      }
      if case .object(let inner)? = result.last?.1, result.last?.0 == keys[0] {
        result[result.count - 1].1 = .object(inner + [(keys[1], value)])
      } else {
        result.append((keys[0], .object([(keys[1], value)])))
      }
    }
    return .object(result)
  }

  /// Frame counts. Hitches are null if no frame was evaluated.
  static func frames(_ counts: FrameCounts, isEvaluated: Bool) -> JSONValue {
    .object([
      ("total", .count(counts.total)), ("evaluated", .count(counts.evaluated)),
      ("notEvaluated", .count(counts.notEvaluated)),
      ("deadlineMisses", .count(counts.deadlineMisses)),
      ("hitches", .count(isEvaluated ? counts.hitches : nil)),
      ("refreshesMissed", .count(counts.refreshesMissed)),
      ("presented", .count(counts.presented)), ("dropped", .count(counts.dropped)),
      ("lateWithoutHitch", .count(counts.lateWithoutHitch)),
      ("notRequested", .count(counts.notRequested)),
    ])
  }

  /// The members of what a hitch's window was filled with besides work; null if nothing is known.
  static func rest(of attribution: Attribution?) -> [(String, JSONValue)] {
    let counted = attribution.flatMap { $0.thread == nil ? nil : $0 }
    return [
      ("waitingNs", .nanoseconds(attribution?.waiting)),
      ("notScheduledNs", .nanoseconds(counted?.notScheduled)),
      ("blockedNs", .nanoseconds(counted?.blocked)),
      ("notRunningNs", .nanoseconds(counted?.notRunning)),
      ("lateStartNs", .nanoseconds(attribution?.lateStart)),
      ("idleNs", .nanoseconds(attribution?.idle)),
      ("unrecordedNs", .nanoseconds(attribution?.unrecorded)),
      ("estimatedNs", .nanoseconds(counted?.estimated)),
      ("thread", .thread(attribution?.thread)),
    ]
  }

  /// What a thread did by the system's own count, or null if unknown (M-25).
  static func thread(_ times: ThreadTimes?) -> JSONValue {
    guard let times else { return .null }
    return .object([
      ("ranNs", .nanoseconds(times.running)),
      ("readyNs", .nanoseconds(times.knowsReady ? times.ready : nil)),
      ("blockedNs", .nanoseconds(times.knowsReady ? times.blocked : nil)),
      ("notRunningNs", .nanoseconds(times.notRunning)),
      ("unknownNs", .nanoseconds(times.unknown)),
      ("preemptions", times.preemptions.map { .integer($0) } ?? .null),
      ("waits", times.waits.map { .integer($0) } ?? .null),
      ("diskFaults", times.diskFaults.map { .integer($0) } ?? .null),
    ])
  }

  /// The members of every sum of work.
  static func work(_ sums: WorkSums) -> [(String, JSONValue)] {
    [
      ("mainBusyNs", .nanoseconds(sums.mainBusy)),
      ("backgroundBusyNs", .nanoseconds(sums.backgroundBusy)),
      ("mainRunningNs", .nanoseconds(sums.mainBusy)),
      ("mainWaitingNs", .nanoseconds(sums.mainWaiting)),
      ("backgroundRunningNs", .nanoseconds(sums.backgroundBusy)),
      ("backgroundWaitingNs", .nanoseconds(sums.backgroundWaiting)),
      ("mainShare", .number(sums.mainShare)), ("parallelism", .number(sums.parallelism)),
      ("mainThread", .thread(sums.mainThread)),
    ]
  }
}
