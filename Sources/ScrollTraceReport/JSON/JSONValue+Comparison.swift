import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

extension JSONValue {
  /// A comparison. Runs are identified by their indices in the report's `runs`.
  static func comparison(
    _ comparison: Comparison, _ outcome: RegressionOutcome
  ) -> JSONValue {
    let count = comparison.base.runs.count
    return .object([
      ("base", side(comparison.base, from: 0)), ("new", side(comparison.new, from: count)),
      ("surface", .name(comparison.surface)),
      ("outcome", .string(outcome.rawValue)),
      ("sameScenario", comparison.isOfOneScenario.map { .bool($0) } ?? .null),
      ("frames", metrics(Metric.ofFrames, of: comparison)),
      ("work", metrics(Metric.ofWork, of: comparison)),
      (
        "perSecond",
        comparison.needsPerSecond ? metrics(Metric.perSecond, of: comparison) : .null
      ),
      ("categories", .array(comparison.categories.map(category))),
      ("movedWork", movedWork(comparison)),
      ("causes", .array(comparison.causes.map(cause))),
      ("findings", .array(comparison.findings.map { finding($0, of: comparison) })),
      ("predictionOutcome", comparison.predictionOutcome.map(predictionOutcome) ?? .null),
      ("stacks", .array(comparison.stacks.map(stacks))),
      ("lists", .array(comparison.lists.map(list))),
      ("notes", notes(comparison)),
    ])
  }

  private static func movedWork(_ comparison: Comparison) -> JSONValue {
    .array(
      comparison.movedWork.map {
        .object([
          ("category", .string($0.category)), ("mainNs", .nanoseconds($0.main)),
          ("backgroundNs", .nanoseconds($0.background)),
        ])
      })
  }

  private static func notes(_ comparison: Comparison) -> JSONValue {
    .array(
      comparison.notes.map {
        .object([
          ("kind", .string(JSONWord.kind(of: $0))), ("text", .string(Messages.text(of: $0))),
        ])
      })
  }

  private static func stacks(_ stacks: StackComparison) -> JSONValue {
    func rows(_ rows: [StackComparison.Row]) -> JSONValue {
      .array(
        rows.prefix(40).map { row in
          .object([
            ("name", .string(row.name)), ("place", .name(row.place)),
            ("baseNs", .nanoseconds(row.base)), ("newNs", .nanoseconds(row.new)),
            ("differenceNs", .nanoseconds(row.difference)),
          ])
        })
    }
    return .object([
      (
        "interaction",
        stacks.interaction.map {
          .object([("kind", .string($0.kind)), ("name", .string($0.name))])
        } ?? .null
      ),
      ("baseNs", .nanoseconds(stacks.base)), ("newNs", .nanoseconds(stacks.new)),
      ("functions", rows(stacks.functions)), ("spans", rows(stacks.spans)),
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
    .object(paths: metrics.map { ($0.name, compared(comparison[$0])) })
  }

  private static func category(_ row: CategoryComparison) -> JSONValue {
    .object([
      ("category", .name(row.category)), ("mainSelfNs", compared(row.main)),
      ("backgroundSelfNs", compared(row.background)),
    ])
  }

  private static func cause(_ cause: CauseComparison) -> JSONValue {
    .object(
      causeMembers(cause.kind) + [
        ("hitchTimeNs", compared(cause.hitchTime)), ("hitches", compared(cause.hitches)),
        ("status", .name(cause.status?.rawValue)),
      ])
  }

  private static func finding(
    _ row: FindingComparison, of comparison: Comparison
  ) -> JSONValue {
    let side = row.base == nil ? comparison.new : comparison.base
    let shown = row.base ?? row.new
    func value(of one: MetricValue?, _ other: MetricValue?, none: MetricValue) -> JSONValue {
      compared(ComparedValue(base: one ?? none, new: other ?? none))
    }
    return .object([
      ("kind", .name(shown?.id.rawValue)), ("status", .string(row.status.rawValue)),
      (
        "hitchTimeNs",
        value(
          of: row.base.map { .time($0.measures.hitchTime) },
          row.new.map { .time($0.measures.hitchTime) }, none: .time(.zero))
      ),
      (
        "count",
        value(
          of: row.base.map { .count(Double($0.measures.count)) },
          row.new.map { .count(Double($0.measures.count)) }, none: .count(0))
      ),
      (
        "title",
        .name(
          side.shown.flatMap { run in shown.map { FindingText(of: run.trace).title(of: $0) } })
      ),
    ])
  }

  private static func predictionOutcome(_ outcome: PredictionOutcome) -> JSONValue {
    .object([
      ("kind", .string(outcome.finding.id.rawValue)),
      ("upToNs", .nanoseconds(outcome.upTo)), ("removedNs", .nanoseconds(outcome.removed)),
      ("text", .name(FindingDifference.text(of: outcome))),
    ])
  }

  private static func list(_ list: ListComparison) -> JSONValue {
    .object(
      paths: [("name", .string(list.name))]
        + ListMetric.allCases.map {
          (path(of: $0), compared(list.values[$0] ?? ComparedValue(base: nil, new: nil)))
        })
  }

  private static func compared(_ value: ComparedValue) -> JSONValue {
    .object([
      ("base", .value(value.base)), ("new", .value(value.new)),
      ("difference", .value(value.difference)),
    ])
  }

  private static func path(of metric: ListMetric) -> String {
    switch metric {
    case .placeholderP50: "placeholderNs.p50"
    case .blankRatio: "blank.ratioMsPerS"
    case .decodeTimeOnMain, .decodeTimeInBackground: metric.rawValue + "Ns"
    case .prepared, .preparedAhead, .reuseRate, .decodedOnMain, .decodedInBackground,
      .prefetchHitRate:
      metric.rawValue
    }
  }
}
