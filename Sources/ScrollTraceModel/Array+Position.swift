extension Array {
  /// Returns the position of the item with `key`, adding `item` at the end if it is new.
  ///
  /// - Parameter positions: The positions of the items by their keys.
  @inlinable package mutating func position<Key>(
    of key: Key, in positions: inout [Key: Int], adding item: @autoclosure () -> Element
  ) -> Int {
    if let known = positions[key] { return known }
    positions[key] = count
    append(item())
    return count - 1
  }
}
