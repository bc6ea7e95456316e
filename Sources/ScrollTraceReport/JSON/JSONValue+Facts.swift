import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// A duration in nanoseconds, or null if unknown.
  static func nanoseconds(_ span: TimeSpan?) -> JSONValue {
    span.map { .integer($0.nanoseconds) } ?? .null
  }

  /// A count, or null if unknown.
  static func count(_ count: Int?) -> JSONValue {
    count.map { .integer(Int64($0)) } ?? .null
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
}
