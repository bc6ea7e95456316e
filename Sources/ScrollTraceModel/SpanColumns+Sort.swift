extension SpanColumns {
  /// Puts the spans into ascending order of begin, longer ones first; equal ones keep theirs.
  mutating func sort() {
    guard !isSorted, !moveLateSpans() else { return }
    let order = begins.indices.sorted {
      (begins[$0], ends[$1], $0) < (begins[$1], ends[$0], $1)
    }
    begins = order.map { begins[$0] }
    ends = order.map { ends[$0] }
    labels = order.map { labels[$0] }
    if !argumentLists.isEmpty { argumentLists = order.map { argumentLists[$0] } }
  }

  private var isSorted: Bool {
    for index in begins.indices.dropFirst()
    where (begins[index - 1], ends[index]) > (begins[index], ends[index - 1]) {
      return false
    }
    return true
  }

  /// Moves each span that comes too late to its place; `false` where that is more work than sorting.
  ///
  /// Recorders write a span when it ends, so that outer spans come right after what they hold.
  private mutating func moveLateSpans() -> Bool {
    var steps = begins.count * 32
    for index in begins.indices.dropFirst() {
      let (begin, end) = (begins[index], ends[index])
      var place = index
      while place > 0, (begins[place - 1], end) > (begin, ends[place - 1]) { place -= 1 }
      guard place < index else { continue }
      begins.moveElement(at: index, to: place)
      ends.moveElement(at: index, to: place)
      labels.moveElement(at: index, to: place)
      if !argumentLists.isEmpty { argumentLists.moveElement(at: index, to: place) }
      steps -= index - place
      if steps < 0 { return false }
    }
    return true
  }
}

extension Array {
  /// Moves the element at `index` to the earlier `place`; those in between move up by one.
  fileprivate mutating func moveElement(at index: Int, to place: Int) {
    withUnsafeMutableBufferPointer { elements in
      let element = elements[index]
      for position in stride(from: index, to: place, by: -1) {
        elements[position] = elements[position - 1]
      }
      elements[place] = element
    }
  }
}
