import ScrollTraceModel

/// The status of a cause that only one side of a comparison has.
public enum CauseStatus: String, Codable, Sendable, CaseIterable {
  /// The new side has the cause, and no run of the base does.
  case appeared
  /// The base has the cause, and no run of the new side does.
  case gone
}

/// A cause of hitches on both sides, with the attributed hitch time (M-16).
package struct CauseComparison: Equatable, Sendable {
  /// The kind of the cause, or `nil` for several causes combined.
  package let kind: CauseSummary.Kind?
  /// The attributed hitch time, which is zero on a side without this cause.
  package let hitchTime: ComparedValue
  package let hitches: ComparedValue

  /// The status, or `nil` if a run of each side has the cause.
  package let status: CauseStatus?

  /// Combines several causes. Hitches are not added, because a hitch can have several causes.
  package static func sum(_ rows: some Sequence<CauseComparison>) -> CauseComparison {
    let statuses = Set(rows.map(\.status))
    return CauseComparison(
      kind: nil, hitchTime: .sum(rows.map(\.hitchTime)),
      hitches: ComparedValue(base: nil, new: nil),
      status: statuses.count == 1 ? statuses.first ?? nil : nil)
  }

  /// The causes of both sides, largest change first.
  static func all(
    _ base: ComparisonSide, _ new: ComparisonSide, _ renamed: RenamedCategories
  ) -> [CauseComparison] {
    let baseRuns = Self.causes(of: base) { renamed.new($0) }
    let newRuns = Self.causes(of: new) { $0 }
    let kinds = (baseRuns + newRuns).reduce(into: Set<CauseSummary.Kind>()) {
      $0.formUnion($1.keys)
    }
    return kinds.map { kind in
      func compared(_ value: (CauseSummary?) -> MetricValue) -> ComparedValue {
        ComparedValue(
          base: .median(of: baseRuns.map { value($0[kind]) }),
          new: .median(of: newRuns.map { value($0[kind]) }))
      }
      let hitchTime = compared { .time($0?.hitchTime ?? .zero) }
      func appears(_ median: MetricValue?, in other: [[CauseSummary.Kind: CauseSummary]]) -> Bool {
        median?.sign ?? 0 > 0 && !other.isEmpty
          && other.allSatisfy { $0[kind]?.hitchTime ?? .zero == .zero }
      }
      return CauseComparison(
        kind: kind, hitchTime: hitchTime,
        hitches: compared { .count(Double($0?.hitchCount ?? 0)) },
        status: appears(hitchTime.new, in: baseRuns)
          ? .appeared : appears(hitchTime.base, in: newRuns) ? .gone : nil)
    }.sorted {
      let (left, right) = ($0.hitchTime, $1.hitchTime)
      return (
        right.timeDifference.magnitude, right.base?.time ?? .zero, $0.orderingName
      ) < (left.timeDifference.magnitude, left.base?.time ?? .zero, $1.orderingName)
    }
  }

  /// The causes of the runs that could be evaluated. Those of other runs are unknown.
  private static func causes(
    of side: ComparisonSide, named name: (CauseSummary.Kind) -> CauseSummary.Kind
  ) -> [[CauseSummary.Kind: CauseSummary]] {
    side.surfaces.compactMap { surface in
      guard let surface, surface.isEvaluated else { return nil }
      return Dictionary(surface.causes.map { (name($0.kind), $0) }) { first, _ in first }
    }
  }

  private var orderingName: String {
    if case .work(let category, let name)? = kind {
      "\(category)\0\(name)"
    } else {
      kind?.plain.rawValue ?? ""
    }
  }
}
