import ScrollTraceAnalysis

extension JSONValue {
  /// The answer for one of several groups of runs.
  static func group(_ group: Verdict.Group) -> JSONValue {
    .object([
      ("name", .string(group.name)), ("status", .string(group.status.rawValue)),
      ("reasons", .array(group.reasons.map { .string($0) })), ("runs", .count(group.runs)),
    ])
  }

  /// What stands beside the answers.
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

  /// The answer to one limit; its numbers are in its unit.
  static func judgement(_ judgement: Judgement) -> JSONValue {
    var limit: (kind: String, value: Double, relative: Double?, absolute: Double?)
    switch judgement.limit {
    case .atMost(let bound): limit = ("atMost", bound, nil, nil)
    case .atLeast(let bound): limit = ("atLeast", bound, nil, nil)
    case .baseline(let base, let relative, let absolute):
      limit = ("baseline", base, relative, absolute)
    }
    return .object([
      ("metric", .string(judgement.metric)), ("unit", .string(judgement.unit)),
      ("subject", .string(judgement.subject)), ("value", .number(judgement.value)),
      ("range", bounds(judgement.range)), ("valueInMotion", .number(judgement.valueInMotion)),
      ("runs", .count(judgement.runs)),
      (
        "limit",
        .object([
          ("kind", .string(limit.kind)), ("value", .number(limit.value)),
          ("relative", .number(limit.relative)), ("absolute", .number(limit.absolute)),
        ])
      ),
      ("interval", bounds(judgement.interval)),
      ("level", .string(judgement.level.rawValue)),
      ("status", .string(judgement.status.rawValue)), ("reason", .string(judgement.reason)),
    ])
  }
}
