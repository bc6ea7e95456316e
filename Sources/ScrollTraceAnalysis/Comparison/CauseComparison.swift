import ScrollTraceModel

/// One cause of hitches on both sides, with the hitch time attributed to it (M-16).
package struct CauseComparison: Hashable, Sendable {
  /// What became of a cause.
  package enum Fate: String, Sendable {
    /// Only the new side has it.
    case appeared
    /// Only the base has it.
    case gone
  }

  /// What filled the time; `nil` for several causes together.
  package let kind: CauseSummary.Kind?
  /// The hitch time attributed to it; zero where a side has no such cause.
  package let hitchTime: ComparedValue
  /// In how many hitches it was.
  package let hitches: ComparedValue

  /// Whether it is on one side only.
  package var fate: Fate? {
    guard let base = hitchTime.base, let new = hitchTime.new else { return nil }
    if base.sign == 0, new.sign > 0 { return .appeared }
    return new.sign == 0 && base.sign > 0 ? .gone : nil
  }

  /// Several causes together; hitches are not added, since a hitch can have many causes.
  package static func sum(_ rows: some Sequence<CauseComparison>) -> CauseComparison {
    CauseComparison(
      kind: nil, hitchTime: .sum(rows.map(\.hitchTime)),
      hitches: ComparedValue(base: nil, new: nil))
  }

  /// The causes of both sides, the largest change first.
  static func all(_ base: ComparisonSide, _ new: ComparisonSide) -> [CauseComparison] {
    let (baseRuns, newRuns) = (Self.causes(of: base), Self.causes(of: new))
    let kinds = (baseRuns + newRuns).reduce(into: Set<CauseSummary.Kind>()) {
      $0.formUnion($1.keys)
    }
    return kinds.map { kind in
      func compared(_ value: (CauseSummary?) -> MetricValue) -> ComparedValue {
        ComparedValue(
          base: .median(of: baseRuns.map { value($0[kind]) }),
          new: .median(of: newRuns.map { value($0[kind]) }))
      }
      return CauseComparison(
        kind: kind, hitchTime: compared { .time($0?.hitchTime ?? .zero) },
        hitches: compared { .count(Double($0?.hitchCount ?? 0)) })
    }.sorted {
      let (left, right) = ($0.hitchTime, $1.hitchTime)
      return (
        right.timeDifference.magnitude, right.base?.time ?? .zero, $0.orderingName
      ) < (left.timeDifference.magnitude, left.base?.time ?? .zero, $1.orderingName)
    }
  }

  /// The causes of the runs that can be evaluated: of the others none is known.
  private static func causes(of side: ComparisonSide) -> [[CauseSummary.Kind: CauseSummary]] {
    side.surfaces.compactMap { surface in
      guard let surface, surface.isEvaluated else { return nil }
      return Dictionary(surface.causes.map { ($0.kind, $0) }) { first, _ in first }
    }
  }

  private var orderingName: String {
    if case .work(let category, let name)? = kind {
      "\(category)\0\(name)"
    } else {
      kind?.word ?? ""
    }
  }
}
