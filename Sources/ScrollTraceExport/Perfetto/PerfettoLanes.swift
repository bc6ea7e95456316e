/// Rows for spans that may overlap: on a row of Perfetto they nest, or lie one behind the other.
struct PerfettoLanes {
  /// The rows with the instant up to which each is taken; a heap, the one that is free first on top.
  private var heap: [(end: Int64, lane: UInt64)] = []

  /// The row for a span from `begin` to `end`, or `nil` if all are taken.
  mutating func take(from start: Int64, to end: Int64) -> UInt64? {
    guard let first = heap.first, first.end <= start else { return nil }
    heap[0].end = end
    sink()
    return first.lane
  }

  /// Adds a row that is taken up to `end`.
  mutating func add(_ lane: UInt64, to end: Int64) {
    heap.append((end, lane))
    var child = heap.count - 1
    while child > 0, isLess(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [parent * 2 + 1, parent * 2 + 2]
      where child < heap.count && isLess(child, least) {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func isLess(_ left: Int, _ right: Int) -> Bool {
    (heap[left].end, heap[left].lane) < (heap[right].end, heap[right].lane)
  }
}
