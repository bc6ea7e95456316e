package import ScrollTraceModel

extension Attribution {
  /// The work of one category and name, for all items.
  package struct Group: Hashable, Sendable {
    package let category: String
    package let name: String
    /// The time in such spans, without the spans inside them.
    package internal(set) var selfTime: TimeSpan
    /// The share of the window, 0 to 1.
    package internal(set) var share: Double
    /// The number of items, or 0 if the source does not name them.
    package internal(set) var itemCount: Int
    /// The item with the most time, or `nil` if unknown.
    package internal(set) var largestItem: String?
  }

  /// The causes with the items of one name combined, longest first.
  ///
  /// Work that is slow for a dozen consecutive items is one cause, and may be the largest.
  package var groups: [Group] {
    var indices: [WorkName: Int] = [:]
    var groups: [Group] = []
    for cause in causes {
      let names = WorkName(category: cause.category, name: cause.name)
      let index = indices[names] ?? groups.count
      if index == groups.count {
        indices[names] = index
        groups.append(
          Group(
            category: cause.category, name: cause.name, selfTime: .zero, share: 0, itemCount: 0,
            largestItem: cause.item))
      }
      groups[index].selfTime += cause.selfTime
      groups[index].share += cause.share
      guard let item = cause.item else { continue }
      groups[index].itemCount += 1
      // Causes are sorted by time, largest first.
      groups[index].largestItem = groups[index].largestItem ?? item
    }
    return groups.stablySorted { $0.selfTime > $1.selfTime }
  }
}
