/// Rows for spans that can overlap, because spans on a Perfetto row must be nested or consecutive.
struct PerfettoLanes {
  /// The rows and the time at which each is free, as a heap with the first free one on top.
  private var heap: [(end: Int64, lane: UInt64)] = []

  /// Occupies a free row for a span, and returns it, or `nil` if there is none.
  mutating func occupy(from start: Int64, to end: Int64) -> UInt64? {
    guard let first = heap.first, first.end <= start else { return nil }
    heap[0].end = end
    sink()
    return first.lane
  }

  /// Adds a row that is in use until `end`.
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
      var smallest = parent
      for child in [parent * 2 + 1, parent * 2 + 2]
      where child < heap.count && isLess(child, smallest) {
        smallest = child
      }
      guard smallest != parent else { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }

  private func isLess(_ left: Int, _ right: Int) -> Bool {
    (heap[left].end, heap[left].lane) < (heap[right].end, heap[right].lane)
  }
}
