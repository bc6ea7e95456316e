import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

extension JSONValue {
  /// The predicted effect of some changes together.
  static func prediction(_ prediction: Prediction, by thresholds: RatingThresholds) -> JSONValue {
    // What is not predictable has no figure.
    let known = prediction.obstacle == nil ? prediction : nil
    return .object(
      [
        ("changes", .array(prediction.changes.map(change))),
        ("hitchTimeNs", .nanoseconds(known?.hitchTime)),
        ("removedNs", .nanoseconds(known?.removed)),
        ("certainNs", .range(prediction.ranges?.certain)),
        ("likelyNs", .range(prediction.ranges?.likely)),
        ("possibleNs", .range(prediction.ranges?.possible)),
        ("hitRate", .number(prediction.ranges?.hitRate)),
        ("notPredictable", .name(prediction.obstacle.map(PredictionMessages.text(of:)))),
        ("hitchTimeRatioMsPerS", .number(known?.ratio?.millisecondsPerSecond)),
      ] + rating(of: known, by: thresholds) + [
        ("hitches", .count(known?.hitches)),
        ("deadlineMisses", .count(known?.deadlineMisses)),
        ("cellsAhead", .count(known?.cellsAhead)),
        (
          "assumptions",
          .array(
            prediction.changes.map { .string(PredictionMessages.assumption(of: $0)) })
        ),
      ])
  }

  private static func rating(
    of prediction: Prediction?, by thresholds: RatingThresholds
  ) -> [(String, JSONValue)] {
    prediction.map { JSONValue.rating($0.rated(by: thresholds)) }
      ?? [("rating", .null), ("ratingReason", .null)]
  }

  /// An interval of removed hitch time as its low and its high end, or null.
  static func range(_ range: RemovedTime?) -> JSONValue {
    range.map { .array([.nanoseconds($0.low), .nanoseconds($0.high)]) } ?? .null
  }

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
