import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

extension JSONValue {
  /// The predicted effect of some changes together.
  static func prediction(_ prediction: Prediction, by thresholds: RatingThresholds) -> JSONValue {
    let ratio = prediction.ratio?.millisecondsPerSecond
    return .object(
      [
        ("changes", .array(prediction.changes.map(change))),
        ("hitchTimeNs", .nanoseconds(prediction.hitchTime)),
        ("removedNs", .nanoseconds(prediction.removed)),
        ("hitchTimeRatioMsPerS", .number(ratio)),
      ] + JSONValue.rating(prediction.rated(by: thresholds)) + [
        ("hitches", .count(prediction.hitches)),
        ("deadlineMisses", .count(prediction.deadlineMisses)),
        ("cellsAhead", .count(prediction.cellsAhead)),
        (
          "assumptions",
          .array(
            prediction.changes.map { .string(PredictionMessages.assumption(of: $0)) })
        ),
      ])
  }

  /// A proposed change.
  static func change(_ change: ProposedChange) -> JSONValue {
    var (category, name, percent, interval): (String?, String?, Int?, TimeSpan?) = (
      nil, nil, nil, nil
    )
    switch change {
    case .speedup(let work, let part): (category, name, percent) = (work.category, work.name, part)
    case .refreshInterval(let other): interval = other
    default: break
    }
    return .object([
      ("kind", .string(PredictionMessages.word(for: change))), ("category", .name(category)),
      ("name", .name(name)), ("percent", .count(percent)),
      ("refreshIntervalNs", .nanoseconds(interval)),
      ("text", .string(PredictionMessages.text(of: change))),
    ])
  }

  /// The speedup required for zero hitch time at a refresh rate.
  static func requiredSpeedup(
    _ requirement: RequiredSpeedup, by thresholds: RatingThresholds
  ) -> JSONValue {
    .object([
      ("refreshIntervalNs", .nanoseconds(requirement.refreshInterval)),
      ("unchanged", prediction(requirement.unchanged, by: thresholds)),
      (
        "parts",
        .array(
          requirement.parts.map {
            .object([
              ("category", .string($0.work.category)), ("name", .name($0.work.name)),
              ("percent", .count($0.percent)),
            ])
          })
      ),
      ("percentOfAll", .count(requirement.percentOfAll)),
      ("remainingHitchTimeNs", .nanoseconds(requirement.remainingHitchTime)),
    ])
  }
}
