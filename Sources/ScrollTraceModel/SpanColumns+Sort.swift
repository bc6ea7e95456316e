extension SpanColumns {
  /// Places the spans that were set aside, preserving the order of equal spans.
  ///
  /// Usually there are none; see `placeLateSpans`.
  mutating func sort() {
    guard !late.isEmpty else { return }
    let ordered = late.stablySorted { $1.bounds.isBehind($0.bounds) }
    late = []
    var merged = SpanColumns()
    merged.expectedCount = count + ordered.count
    var next = 0
    for span in ordered {
      while next < count, !times[next].isBehind(span.bounds) {
        merged.appendLast(self[next])
        next += 1
      }
      merged.appendLast(span)
    }
    while next < count {
      merged.appendLast(self[next])
      next += 1
    }
    self = merged
  }

  /// Keeps only the spans for which `isKept` is true.
  mutating func filter(_ isKept: (SpanBounds) -> Bool) {
    sort()
    guard !times.allSatisfy(isKept) else { return }
    var kept = SpanColumns()
    for index in 0..<count where isKept(times[index]) { kept.appendLast(self[index]) }
    self = kept
  }

  /// Moves each span from position `first` that is out of order to its place.
  ///
  /// Recorders write a span when it ends, so an outer span follows the spans inside it. The places
  /// are near and still in the processor's cache. Those that belong further ahead are set aside; so
  /// are all if moving them becomes more work than sorting.
  mutating func placeLateSpans(from first: Int) {
    let packed = times.packedCount
    let limit = 4096 + count * 64
    var index = max(first, 1)
    while let late = nextLateSpan(from: index) {
      if movedCount <= limit, let place = place(of: late, packed) {
        move(late, to: place, packed)
        index = late + 1
      } else {
        setAside(late, packed)
        index = max(late, 1)
      }
    }
  }

  /// The first position from `index` in the tail with a span that belongs before the previous one.
  private func nextLateSpan(from index: Int) -> Int? {
    let packed = times.packedCount
    if index == packed, packed > 0, let first = times.tail.first,
      times[packed - 1].isBehind(first)
    {
      return index
    }
    return times.tail.withUnsafeBufferPointer { tail in
      var position = max(1, index - packed)
      while position < tail.count, !tail[position - 1].isBehind(tail[position]) { position += 1 }
      return position < tail.count ? position + packed : nil
    }
  }

  private mutating func setAside(_ index: Int, _ packed: Int) {
    late.append(self[index])
    times.tail.remove(at: index - packed)
    labels.tail.remove(at: index - packed)
    if !argumentLists.isEmpty { argumentLists.tail.remove(at: index - packed) }
  }

  private mutating func move(_ index: Int, to place: Int, _ packed: Int) {
    movedCount += index - place
    let (index, place) = (index - packed, place - packed)
    times.tail.moveElement(at: index, to: place)
    labels.tail.moveElement(at: index, to: place)
    if !argumentLists.isEmpty { argumentLists.tail.moveElement(at: index, to: place) }
  }

  /// The place of the span at `index` among those before it in the tail, or `nil` if it belongs
  /// before the tail.
  private func place(of index: Int, _ packed: Int) -> Int? {
    let span = times[index]
    guard index > packed else { return nil }
    let place = times.tail.withUnsafeBufferPointer { tail in
      // The search moves outwards in doubling steps, then bisects.
      var (high, step) = (index - packed - 1, 1)
      while high - step >= 0, tail[high - step].isBehind(span) {
        high -= step
        step *= 2
      }
      let low = max(0, high - step)
      return (low..<high).partitionPoint { tail[$0].isBehind(span) }
    }
    if place == 0, packed > 0, times[packed - 1].isBehind(span) { return nil }
    return place + packed
  }
}

extension Array {
  /// Moves the element at `index` to the earlier `place`, shifting those in between.
  fileprivate mutating func moveElement(at index: Int, to place: Int) {
    withUnsafeMutableBufferPointer { elements in
      guard let start = elements.baseAddress else { return }
      let element = start[index]
      (start + place + 1).update(from: start + place, count: index - place)
      start[place] = element
    }
  }
}
