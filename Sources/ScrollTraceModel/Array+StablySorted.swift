extension Array {
  /// The elements in order, equal ones in their present order.
  ///
  /// As a rule traces are in order already, which is found out first.
  @inlinable package func stablySorted(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    guard indices.dropFirst().contains(where: { areInOrder(self[$0], self[$0 - 1]) }) else {
      return self
    }
    return enumerated().sorted { left, right in
      if areInOrder(left.element, right.element) { return true }
      return !areInOrder(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }

  /// The elements ascending by `key`, equal ones in their present order.
  @inlinable package func stablySorted(by key: (Element) -> some Comparable) -> [Element] {
    stablySorted { key($0) < key($1) }
  }
}
