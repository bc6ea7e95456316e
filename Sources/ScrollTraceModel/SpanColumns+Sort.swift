extension SpanColumns {
  /// Sorts the spans by start, and longer ones first, preserving the order of equal spans.
  ///
  /// Usually they are already sorted; see `placeLateSpans`.
  mutating func sort() {
    guard isOutOfOrder else { return }
    isOutOfOrder = false
    let order = begins.indices.sorted {
      (begins[$0], ends[$1], $0) < (begins[$1], ends[$0], $1)
    }
    begins = order.map { begins[$0] }
    ends = order.map { ends[$0] }
    labels = order.map { labels[$0] }
    if !argumentLists.isEmpty { argumentLists = order.map { argumentLists[$0] } }
  }

  /// Moves each span from position `first` that is out of order to its place.
  ///
  /// Recorders write a span when it ends, so an outer span follows the spans inside it. The places
  /// are near and still in the processor's cache. If this becomes more work than sorting,
  /// everything is sorted at the end instead.
  mutating func placeLateSpans(from first: Int) {
    guard !isOutOfOrder else { return }
    let lists = argumentLists.count
    var moved = movedCount
    let limit = 4096 + begins.count * 64
    let isDone = begins.withUnsafeMutableBufferPointer { begins in
      ends.withUnsafeMutableBufferPointer { ends in
        for index in max(first, 1)..<max(first, 1, begins.count) {
          let (begin, end) = (begins[index], ends[index])
          guard begins[index - 1] >= begin, (begins[index - 1], end) > (begin, ends[index - 1])
          else { continue }
          let place = Self.place(of: begin, end, in: begins, ends, before: index)
          begins.moveElement(at: index, to: place)
          ends.moveElement(at: index, to: place)
          labels.withUnsafeMutableBufferPointer { $0.moveElement(at: index, to: place) }
          if lists > 0 {
            argumentLists.withUnsafeMutableBufferPointer { $0.moveElement(at: index, to: place) }
          }
          moved += index - place
          if moved > limit { return false }
        }
        return true
      }
    }
    movedCount = moved
    isOutOfOrder = !isDone
  }

  /// The place of a span among the first `count` spans, which are sorted and precede it.
  private static func place(
    of start: Int64, _ end: Int64, in begins: UnsafeMutableBufferPointer<Int64>,
    _ ends: UnsafeMutableBufferPointer<Int64>, before count: Int
  ) -> Int {
    func isBehind(_ index: Int) -> Bool { (begins[index], end) > (start, ends[index]) }
    // The search moves outwards in doubling steps, then bisects.
    var (high, step) = (count - 1, 1)
    while high - step >= 0, isBehind(high - step) {
      high -= step
      step *= 2
    }
    let low = max(0, high - step)
    return (low..<high).partitionPoint(isBehind)
  }
}

extension UnsafeMutableBufferPointer {
  /// Moves the element at `index` to the earlier `place`, shifting those in between.
  fileprivate func moveElement(at index: Int, to place: Int) {
    guard let start = baseAddress else { return }
    let element = start[index]
    (start + place + 1).update(from: start + place, count: index - place)
    start[place] = element
  }
}
