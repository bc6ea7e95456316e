extension Array {
  /// Returns the elements in order, preserving the order of equal elements.
  ///
  /// Traces are usually sorted already, which is checked first.
  @inlinable package func stablySorted(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    guard indices.dropFirst().contains(where: { areInOrder(self[$0], self[$0 - 1]) }) else {
      return self
    }
    return enumerated().sorted { left, right in
      if areInOrder(left.element, right.element) { return true }
      return !areInOrder(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }

  /// Returns the elements sorted by `key`, preserving the order of equal elements.
  @inlinable package func stablySorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
    guard var last = first.map(key) else { return self }
    // A key can take long to make, so that each is made once.
    let isSorted = dropFirst().allSatisfy { element in
      let own = key(element)
      defer { last = own }
      return !(own < last)
    }
    return isSorted ? self : stablySorted { key($0) < key($1) }
  }
}
