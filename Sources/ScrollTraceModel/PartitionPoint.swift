extension RandomAccessCollection {
  /// The first index whose element fits `predicate`, `endIndex` where none does, by halving.
  ///
  /// Every element behind one that fits must fit too.
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
