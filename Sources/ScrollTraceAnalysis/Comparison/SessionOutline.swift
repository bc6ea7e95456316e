package import ScrollTraceModel

/// What a recording is of, as far as two of them can be told apart by it: kinds of interactions, how
/// many of each, and how long.
package struct ScenarioSignature: Hashable, Sendable {
  /// The interactions of one kind.
  package struct Part: Hashable, Sendable {
    /// The kind.
    package let kind: String
    /// How many there are.
    package let count: Int
    /// How long they are together.
    package let length: TimeSpan
  }

  /// The interactions by kind, ascending.
  package let parts: [Part]
  /// The time that ratios are measured against.
  package let measuredTime: MeasuredTime

  /// The outline of what `surface` recorded.
  init(of surface: SurfaceAnalysis) {
    measuredTime = surface.measuredTime
    parts = Dictionary(grouping: surface.interactions, by: \.kind).map { kind, interactions in
      Part(
        kind: kind, count: interactions.count,
        length: interactions.reduce(into: .zero) { $0 += $1.range.length })
    }.sorted { $0.kind < $1.kind }
  }

  /// Whether both can be of the same session.
  func resembles(_ other: ScenarioSignature) -> Bool {
    guard measuredTime.kind == other.measuredTime.kind,
      measuredTime.duration.isNear(other.measuredTime.duration), parts.count == other.parts.count
    else { return false }
    return zip(parts, other.parts).allSatisfy {
      $0.kind == $1.kind && $0.count == $1.count && $0.length.isNear($1.length)
    }
  }
}

extension ScenarioSignature {
  /// Whether the two can be of one scroll at all, as by hand it never comes twice: the same interactions
  /// as often, for up to a quarter longer.
  func isComparable(to other: ScenarioSignature) -> Bool {
    let (left, right) = (measuredTime.duration, other.measuredTime.duration)
    let (shorter, longer) = (min(left, right), max(left, right))
    return measuredTime.kind == other.measuredTime.kind
      && parts.map(\.kind) == other.parts.map(\.kind)
      && parts.map(\.count) == other.parts.map(\.count)
      && longer - shorter <= TimeSpan(nanoseconds: shorter.nanoseconds / 4)
  }
}

extension TimeSpan {
  /// Whether it is within 2 % of `other`, which is what one session differs by when played again.
  func isNear(_ other: TimeSpan) -> Bool {
    let longer = max(magnitude, other.magnitude)
    return (self - other).magnitude.nanoseconds <= longer.nanoseconds / 50
  }
}
