extension RandomAccessCollection {
  /// Returns the first index whose element satisfies `predicate`, or `endIndex` if none does.
  ///
  /// If an element satisfies the predicate, all elements after it must too.
  ///
  /// - Complexity: O(log *n*).
  @inlinable package func partitionPoint(_ predicate: (Element) -> Bool) -> Index {
    var low = startIndex
    var remaining = count
    while remaining > 0 {
      let half = remaining / 2
      let middle = index(low, offsetBy: half)
      if predicate(self[middle]) {
        remaining = half
      } else {
        low = index(after: middle)
        remaining -= half + 1
      }
    }
    return low
  }
}
