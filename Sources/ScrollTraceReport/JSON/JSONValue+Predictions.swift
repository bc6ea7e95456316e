import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

extension JSONValue {
  /// What would come of some changes together.
  static func prediction(_ prediction: Prediction, in profile: RatingThresholds) -> JSONValue {
    let ratio = prediction.ratio?.millisecondsPerSecond
    return .object([
      ("changes", .array(prediction.changes.map(change))),
      ("hitchTimeNs", .nanoseconds(prediction.hitchTime)),
      ("removedNs", .nanoseconds(prediction.removed)),
      ("hitchTimeRatioMsPerS", .number(ratio)),
      ("band", .name(ratio.map { profile.band(of: $0).rawValue })),
      ("hitches", .count(prediction.hitches)),
      ("deadlineMisses", .count(prediction.deadlineMisses)),
      ("cellsAhead", .count(prediction.cellsAhead)),
      (
        "assumptions",
        .array(prediction.changes.map { .string(PredictionMessages.assumption(of: $0)) })
      ),
    ])
  }

  /// Something that is done otherwise.
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
      ("intervalNs", .nanoseconds(interval)),
      ("text", .string(PredictionMessages.text(of: change))),
    ])
  }

  /// What it would take to be smooth at a rate.
  static func requirement(
    _ requirement: RequiredSpeedup, in profile: RatingThresholds
  ) -> JSONValue {
    .object([
      ("intervalNs", .nanoseconds(requirement.refreshInterval)),
      ("unchanged", prediction(requirement.unchanged, in: profile)),
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
      ("leftWithoutAllNs", .nanoseconds(requirement.remainingHitchTime)),
    ])
  }
}
