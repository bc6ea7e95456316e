import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// What differs between two sides; runs are named by their places in the report's list of runs.
  static func comparison(_ comparison: Comparison) -> JSONValue {
    let count = comparison.base.runs.count
    return .object([
      ("base", side(comparison.base, from: 0)), ("new", side(comparison.new, from: count)),
      ("surface", .name(comparison.surface)),
      ("outcome", .string(comparison.outcome.rawValue)),
      ("sameSession", comparison.isOfOneScenario.map { .bool($0) } ?? .null),
      ("frames", metrics(Metric.ofFrames, of: comparison)),
      ("work", metrics(Metric.ofWork, of: comparison)),
      (
        "perSecond",
        comparison.needsPerSecond ? metrics(Metric.perSecond, of: comparison) : .null
      ),
      ("categories", .array(comparison.categories.map(category))),
      (
        "movedWork",
        .array(
          comparison.movedWork.map {
            .object([
              ("category", .string($0.category)), ("mainNs", .nanoseconds($0.main)),
              ("backgroundNs", .nanoseconds($0.background)),
            ])
          })
      ),
      ("causes", .array(comparison.causes.map(cause))),
      ("lists", .array(comparison.lists.map(list))),
      (
        "notes",
        .array(
          comparison.notes.map {
            .object([
              ("kind", .string(Messages.kind(of: $0))), ("text", .string(Messages.text(of: $0))),
            ])
          })
      ),
    ])
  }

  private static func side(_ side: ComparisonSide, from first: Int) -> JSONValue {
    .object([
      ("runs", .array(side.runs.indices.map { .count(first + $0) })),
      ("shownRun", .count(side.shownIndex.map { first + $0 })),
    ])
  }

  private static func metrics(
    _ metrics: [Metric], of comparison: Comparison
  ) -> JSONValue {
    .object(metrics.map { ($0.name, compared(comparison[$0])) })
  }

  private static func category(_ row: CategoryComparison) -> JSONValue {
    .object([
      ("category", .name(row.category)), ("mainSelfNs", compared(row.main)),
      ("backgroundSelfNs", compared(row.background)),
    ])
  }

  private static func cause(_ cause: CauseComparison) -> JSONValue {
    var (category, name): (String?, String?) = (nil, nil)
    if case .work(let first, let second)? = cause.kind { (category, name) = (first, second) }
    return .object([
      ("kind", .name(cause.kind?.word)), ("category", .name(category)), ("name", .name(name)),
      ("hitchTimeNs", compared(cause.hitchTime)), ("hitches", compared(cause.hitches)),
      ("fate", .name(cause.fate?.rawValue)),
    ])
  }

  private static func list(_ list: ListComparison) -> JSONValue {
    .object(
      [("name", .string(list.name))]
        + ListMetric.allCases.map {
          (key(of: $0), compared(list.values[$0] ?? ComparedValue(base: nil, new: nil)))
        })
  }

  private static func compared(_ value: ComparedValue) -> JSONValue {
    .object([
      ("base", number(value.base)), ("new", number(value.new)),
      ("difference", number(value.difference)),
    ])
  }

  private static func number(_ value: MetricValue?) -> JSONValue {
    switch value {
    case .time(let span): .nanoseconds(span)
    case .count(let count): Int64(exactly: count).map { .integer($0) } ?? .number(count)
    case .share(let value), .factor(let value), .millisecondsPerSecond(let value),
      .perSecond(let value):
      .number(value)
    case nil: .null
    }
  }

  private static func key(of metric: ListMetric) -> String {
    switch metric {
    case .decodeTimeOnMain, .decodeTimeInBackground, .placeholderP50: metric.rawValue + "Ns"
    case .prepared, .preparedAhead, .reuseRate, .decodedOnMain, .decodedInBackground,
      .prefetchHitRate:
      metric.rawValue
    }
  }
}
