package import ScrollTraceModel

extension Attribution {
  /// The work of one category and name, whatever items it was on.
  package struct Group: Hashable, Sendable {
    /// The category.
    package let category: String
    /// The name.
    package let name: String
    /// The time inside such spans and not inside spans that they contain.
    package internal(set) var selfTime: TimeSpan
    /// The part of the window, 0 ... 1.
    package internal(set) var share: Double
    /// How many items it was on, where the source names them; 0 where it does not.
    package internal(set) var itemCount: Int
    /// The item that took most of it.
    package internal(set) var largestItem: String?
  }

  /// What `causes` has item by item, the items of one name together, most time first.
  ///
  /// Work that is slow for a dozen items in a row is one cause, and as such the largest.
  package var groups: [Group] {
    struct Names: Hashable {
      let category: String
      let name: String
    }
    var places: [Names: Int] = [:]
    var groups: [Group] = []
    for cause in causes {
      let names = Names(category: cause.category, name: cause.name)
      let place = places[names] ?? groups.count
      if place == groups.count {
        places[names] = place
        groups.append(
          Group(
            category: cause.category, name: cause.name, selfTime: .zero, share: 0, itemCount: 0,
            largestItem: cause.item))
      }
      groups[place].selfTime += cause.selfTime
      groups[place].share += cause.share
      guard let item = cause.item else { continue }
      groups[place].itemCount += 1
      // Causes come with most time first.
      groups[place].largestItem = groups[place].largestItem ?? item
    }
    return groups.stablySorted { $0.selfTime > $1.selfTime }
  }
}
