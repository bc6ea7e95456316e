/// Finds the next value above a limit in O(log *n*), with a tree of maxima.
struct FirstAbove {
  private let count: Int
  private let size: Int
  private var maxima: [Int64]

  /// Creates a tree.
  init(_ values: [Int64]) {
    count = values.count
    var size = 1
    while size < values.count { size *= 2 }
    self.size = size
    maxima = Array(repeating: Int64.min, count: 2 * size)
    for (index, value) in values.enumerated() { maxima[size + index] = value }
    for node in stride(from: size - 1, to: 0, by: -1) {
      maxima[node] = max(maxima[2 * node], maxima[2 * node + 1])
    }
  }

  /// The first position from `start` with a value above `limit`, or `nil` if there is none.
  func first(from start: Int, above limit: Int64) -> Int? {
    guard start < count else { return nil }
    var node = size + max(0, start)
    while maxima[node] <= limit {
      // Move up until a subtree to the right has not been searched.
      while node & 1 == 1 {
        node >>= 1
        if node <= 1 { return nil }
      }
      if node <= 1 { return nil }
      node += 1
    }
    while node < size {
      node *= 2
      if maxima[node] <= limit { node += 1 }
    }
    return node - size
  }
}
