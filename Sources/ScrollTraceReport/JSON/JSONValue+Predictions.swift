import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// What would go without a cause.
  static func prediction(_ prediction: Prediction) -> JSONValue {
    let cause: JSONValue =
      switch prediction.subject {
      case .removable(let cause): Self.cause(cause)
      case .other(let kind): Self.cause(kind)
      }
    return .object([
      ("cause", cause), ("speedup", .number(prediction.speedup)),
      ("upToNs", .nanoseconds(prediction.upTo)), ("ofNs", .nanoseconds(prediction.whole)),
      (
        "with",
        .array(
          prediction.with.map {
            .object([
              ("cause", Self.cause($0.cause)), ("togetherNs", .nanoseconds($0.together)),
            ])
          })
      ),
      ("reason", .name(prediction.reason?.rawValue)),
    ])
  }

  /// A cause that a change of the app may remove.
  static func cause(_ cause: RemovableCause) -> JSONValue {
    switch cause {
    case .work(let work): causeObject("work", work)
    case .item(let work, let item): causeObject("item", work, item: item)
    case .wait(let wait): Self.cause(CauseSummary.Kind.waiting(wait))
    case .unrecorded: Self.cause(CauseSummary.Kind.unrecorded)
    }
  }

  /// A cause of hitches.
  static func cause(_ kind: CauseSummary.Kind) -> JSONValue { .object(causeMembers(kind)) }

  /// The members that name a cause of hitches.
  static func causeMembers(_ kind: CauseSummary.Kind?) -> [(String, JSONValue)] {
    var (work, wait): (WorkName?, Wait?) = (nil, nil)
    switch kind {
    case .work(let category, let name): work = WorkName(category: category, name: name)
    case .waiting(let found): (work, wait) = (found.span, found)
    default: break
    }
    return [
      ("kind", .name(kind?.word)), ("category", .name(work?.category)),
      ("name", .name(work?.name)), ("waitKind", .name(wait?.kind.rawValue)),
      ("heldByThread", .name(wait?.owner?.thread)), ("heldByWork", .name(wait?.owner?.work)),
    ]
  }

  private static func causeObject(
    _ kind: String, _ work: WorkName, item: String? = nil
  ) -> JSONValue {
    .object([
      ("kind", .string(kind)), ("category", .string(work.category)), ("name", .name(work.name)),
      ("item", .name(item)),
    ])
  }

  /// The speedup required for zero hitch time at a refresh rate.
  static func requiredSpeedup(_ requirement: RequiredSpeedup) -> JSONValue {
    .object([
      ("refreshIntervalNs", .nanoseconds(requirement.refreshInterval)),
      ("hitchTimeNs", .nanoseconds(requirement.hitchTime)),
      ("lateCommits", .count(requirement.lateCommits)),
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
