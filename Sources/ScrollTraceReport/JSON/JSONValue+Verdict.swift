import ScrollTraceAnalysis
import ScrollTraceGate

extension JSONValue {
  /// The verdict of one of several groups of runs.
  static func group(_ group: Verdict.Group) -> JSONValue {
    .object([
      ("name", .string(group.name)), ("status", .string(group.status.rawValue)),
      ("reasons", .array(group.reasons.map { .string($0) })), ("runs", .count(group.runs)),
    ])
  }

  static func note(_ note: VerdictNote) -> JSONValue {
    .object([
      ("kind", .string(note.kind.rawValue)), ("level", .string(note.level.rawValue)),
      ("text", .string(note.text)),
    ])
  }

  private static func bounds(_ range: ClosedRange<Double>?) -> JSONValue {
    range.map {
      .object([("low", .number($0.lowerBound)), ("high", .number($0.upperBound))])
    } ?? .null
  }

  /// The result of one limit. Its numbers are in its unit, which is that of the metric's name.
  static func result(_ result: LimitResult) -> JSONValue {
    var limit: (kind: String, value: Double, relative: Double?, absolute: Double?)
    switch result.limit {
    case .atMost(let bound): limit = ("atMost", bound, nil, nil)
    case .atLeast(let bound): limit = ("atLeast", bound, nil, nil)
    case .baseline(let base, let relative, let absolute):
      limit = ("baseline", base, relative, absolute)
    }
    return .object([
      ("metric", .string(result.metric)), ("unit", .string(result.unit)),
      ("subject", .string(result.subject)), ("value", .number(result.value)),
      ("range", bounds(result.range)), ("valueInMotion", .number(result.valueInMotion)),
      ("runs", .count(result.runs)),
      (
        "limit",
        .object([
          ("kind", .string(limit.kind)), ("value", .number(limit.value)),
          ("relative", .number(limit.relative)), ("absolute", .number(limit.absolute)),
        ])
      ),
      ("confidenceInterval", bounds(result.confidenceInterval)),
      ("level", .string(result.level.rawValue)),
      ("status", .string(result.status.rawValue)), ("reason", .string(result.reason)),
    ])
  }
}
