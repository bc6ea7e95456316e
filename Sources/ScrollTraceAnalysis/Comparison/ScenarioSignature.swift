package import ScrollTraceModel

/// What a recording scrolled, in the terms that distinguish two recordings.
///
/// Durations hardly count if interactions are known: a busy machine lengthens them.
package struct ScenarioSignature: Hashable, Sendable {
  /// The interactions of one kind.
  package struct Part: Hashable, Sendable {
    package let kind: String
    package let count: Int
    /// Their total length.
    package let length: TimeSpan

    package init(kind: String, count: Int, length: TimeSpan) {
      self.kind = kind
      self.count = count
      self.length = length
    }
  }

  /// The interactions by kind, ascending.
  package let parts: [Part]
  /// The time that ratios are measured against.
  package let measuredTime: MeasuredTime
  /// The number of items that were displayed, in all lists; `nil` if no list reports it.
  package let displayedItems: Int?

  package init(parts: [Part], measuredTime: MeasuredTime, displayedItems: Int?) {
    self.parts = parts
    self.measuredTime = measuredTime
    self.displayedItems = displayedItems
  }

  package init(of surface: SurfaceAnalysis, in run: Analysis) {
    measuredTime = surface.measuredTime
    parts = Dictionary(grouping: surface.interactions, by: \.kind).map { kind, interactions in
      Part(
        kind: kind, count: interactions.count,
        length: interactions.reduce(into: .zero) { $0 += $1.range.length })
    }.sorted { $0.kind < $1.kind }
    let displayed = run.lists.reduce(0) { $0.saturatingAdd($1.cells.countOfItems) }
    displayedItems = displayed > 0 ? displayed : nil
  }

  /// Returns whether both can be of one scenario that was played again.
  package func resembles(_ other: ScenarioSignature) -> Bool { matches(other, within: 10) }

  /// Returns whether both can be of one scroll by hand, which is never repeated exactly.
  package func isComparable(to other: ScenarioSignature) -> Bool { matches(other, within: 4) }

  /// Returns whether it lasts as long as `length`, to a tenth.
  package func isAsLong(as length: TimeSpan) -> Bool {
    Self.isNear(measuredTime.duration.nanoseconds, length.nanoseconds, within: 10)
  }

  /// Returns whether kinds and counts are equal, and the number of items to 1 / `part`.
  private func matches(_ other: ScenarioSignature, within part: Int64) -> Bool {
    guard measuredTime.kind == other.measuredTime.kind,
      parts.map(\.kind) == other.parts.map(\.kind), parts.map(\.count) == other.parts.map(\.count)
    else { return false }
    if let left = displayedItems, let right = other.displayedItems {
      return Self.isNear(Int64(left), Int64(right), within: part)
    }
    // Even a busy machine does not double the length of a scroll. A recording without interactions
    // has only its length.
    return Self.isNear(
      measuredTime.duration.nanoseconds, other.measuredTime.duration.nanoseconds,
      within: parts.isEmpty ? 4 : 2)
  }

  private static func isNear(_ left: Int64, _ right: Int64, within part: Int64) -> Bool {
    max(left, right) - min(left, right) <= max(left, right) / part
  }
}

extension TimeSpan {
  /// Returns whether the length is within 2% of `other`.
  package func isNear(_ other: TimeSpan) -> Bool {
    let longer = max(magnitude, other.magnitude)
    return (self - other).magnitude.nanoseconds <= longer.nanoseconds / 50
  }
}

extension CellMeasures {
  /// The number of items that were displayed; where cells do not say of which item they are, that of displays.
  fileprivate var countOfItems: Int { displayedItems > 1 ? displayedItems : displayed }
}
