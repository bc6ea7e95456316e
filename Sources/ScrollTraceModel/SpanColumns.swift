/// The spans of one track, stored in columns.
///
/// Spans are sorted by start; of spans with the same start, the longer one comes first. Spans that
/// a host recorded after the fact may overlap each other.
public struct SpanColumns: NumberedCollection, Sendable {
  /// The start and end of each span.
  package private(set) var times = SpanTimes()
  package private(set) var labels = PackedColumn<LabelID>()
  /// The argument list of each span, or empty if no span of the track has arguments.
  package private(set) var argumentLists = PackedColumn<ArgumentListID>()

  /// The spans that belong before the tail of `times`, and are inserted at the end; see `sort`.
  private var late: [WorkSpan] = []
  /// The number of spans that are expected in total, or 0 if nobody said so.
  private var expectedCount = 0
  /// The sum of the distances by which spans were moved so far.
  private var movedCount = 0

  package init() {}

  /// The number of spans.
  public var count: Int { times.count }

  /// The earliest start, or `nil` if there are no spans.
  var firstStart: Int64? {
    guard let first = times.first else { return nil }
    return late.reduce(first.start) { Swift.min($0, $1.bounds.start) }
  }

  func hasSpan(startingAt start: Int64) -> Bool {
    let index = times.partitionPoint { $0.start >= start }
    return index < times.count && times[index].start == start
      || late.contains { $0.bounds.start == start }
  }

  package func arguments(at index: Int) -> ArgumentListID {
    argumentLists.isEmpty ? .none : argumentLists[index]
  }

  package func forEachBlock(_ body: (SpanBlock) -> Void) {
    times.forEachBlock { first, times in
      labels.withBlock(at: first) { body(SpanBlock(first: first, times: times, labels: $0)) }
    }
  }

  /// Calls `body` with the argument lists of the block that starts at `first`, which are faster to read
  /// than at their positions; with none if no span of the track has arguments.
  package func withArguments(
    inBlockAt first: Int, _ body: (UnsafeBufferPointer<ArgumentListID>) -> Void
  ) {
    argumentLists.withBlock(at: first, body)
  }

  /// The span at a position.
  public subscript(index: Int) -> WorkSpan {
    WorkSpan(bounds: times[index], label: labels[index], arguments: arguments(at: index))
  }

  /// Reads the spans in order, which is faster than at their positions.
  public struct Iterator: IteratorProtocol {
    private let spans: SpanColumns
    private var times: SpanTimes.Iterator
    private var index = 0

    fileprivate init(_ spans: SpanColumns) {
      self.spans = spans
      times = spans.times.makeIterator()
    }

    /// Returns the next span, or `nil` after the last.
    public mutating func next() -> WorkSpan? {
      guard let bounds = times.next() else { return nil }
      defer { index += 1 }
      return WorkSpan(
        bounds: bounds, label: spans.labels[index], arguments: spans.arguments(at: index))
    }
  }

  /// Returns an iterator over the spans.
  public func makeIterator() -> Iterator { Iterator(self) }

  // MARK: - Adding

  /// Adds a span. The first span with arguments adds the column for them.
  mutating func append(start: Int64, end: Int64, label: LabelID, arguments list: ArgumentListID) {
    append(
      WorkSpan(bounds: SpanBounds(start: start, end: end), label: label, arguments: list))
  }

  mutating func append(_ span: WorkSpan) {
    addToTail(span)
    moveLateSpans(from: count - 1)
    packTail()
  }

  /// Adds a span that is not in front of any other.
  private mutating func appendLast(_ span: WorkSpan) {
    addToTail(span)
    packTail()
  }

  private mutating func addToTail(_ span: WorkSpan) {
    if span.arguments != .none, argumentLists.isEmpty { addArgumentColumn() }
    if !argumentLists.isEmpty || span.arguments != .none {
      argumentLists.tail.append(span.arguments)
    }
    labels.tail.append(span.label)
    times.tail.append(span.bounds)
  }

  /// Packs the first spans of the tail if it is long.
  private mutating func packTail() {
    let count = times.packTail(expectedCount: expectedCount)
    guard count > 0 else { return }
    labels.pack(count, expectedCount: expectedCount)
    if !argumentLists.isEmpty { argumentLists.pack(count, expectedCount: expectedCount) }
  }

  /// Expects `added` spans, and as many as follow from `growth`.
  mutating func expect(_ added: Int, growth: Double) {
    let count = self.count + added
    // The estimate comes from a file, most of which may be unused. It may cost address space, within
    // limits, but not memory.
    guard growth.isFinite else { return }
    let estimate = Double(count) * Swift.min(growth, 16)
    expectedCount = Swift.max(count, Int(Swift.min(Swift.max(estimate, 0), 0x1p27)))
  }

  /// Adds a column for arguments, of which the spans so far have none.
  private mutating func addArgumentColumn() {
    argumentLists = PackedColumn(
      repeating: .none, packedCount: times.packedCount, tailCount: times.tail.count)
  }

  mutating func append(_ batch: SpanBatchColumns) {
    let haveArguments = !batch.argumentLists.isEmpty
    if haveArguments, argumentLists.isEmpty { addArgumentColumn() }
    // No more at once than fit into the tail.
    let step = SpanTimes.longestTail / 2
    for first in stride(from: 0, to: batch.times.count, by: step) {
      let part = first..<Swift.min(first + step, batch.times.count)
      let before = count
      let follows = times.last.map { $0.start < batch.times[first].start } ?? true
      if haveArguments {
        argumentLists.tail.append(contentsOf: batch.argumentLists[part])
      } else if !argumentLists.isEmpty {
        argumentLists.tail.append(contentsOf: repeatElement(.none, count: part.count))
      }
      labels.tail.append(contentsOf: batch.labels[part])
      times.tail.append(contentsOf: batch.times[part])
      if !batch.ascends || !follows { moveLateSpans(from: before) }
      packTail()
    }
  }

  // MARK: - Order

  /// Inserts the spans that were set aside, preserving the order of equal spans.
  ///
  /// Usually there are none; see `moveLateSpans`.
  mutating func sort() {
    guard !late.isEmpty else { return }
    let ordered = late.stablySorted { $1.bounds.isBehind($0.bounds) }
    late = []
    var merged = SpanColumns()
    merged.expectedCount = count + ordered.count
    var spans = makeIterator()
    var next = spans.next()
    for span in ordered {
      while let other = next, !other.bounds.isBehind(span.bounds) {
        merged.appendLast(other)
        next = spans.next()
      }
      merged.appendLast(span)
    }
    while let span = next {
      merged.appendLast(span)
      next = spans.next()
    }
    self = merged
  }

  /// Puts of spans with equal times the one that was added last first, and those for which
  /// `isOutermost` is true before all others.
  mutating func putLaterSpansOutside(isOutermost: (LabelID) -> Bool) {
    sort()
    var last: SpanBounds?
    let hasEqualTimes = times.contains { span in
      defer { last = span }
      return span == last
    }
    guard hasEqualTimes else { return }
    var ordered = SpanColumns()
    ordered.expectedCount = count
    forEachGroup { group in
      for span in group.reversed() where isOutermost(span.label) { ordered.appendLast(span) }
      for span in group.reversed() where !isOutermost(span.label) { ordered.appendLast(span) }
    }
    self = ordered
  }

  /// Calls `body` with the spans in order, those with equal times together.
  package func forEachGroup(_ body: ([WorkSpan]) -> Void) {
    var group: [WorkSpan] = []
    for span in self {
      if let first = group.first, first.bounds != span.bounds {
        body(group)
        group.removeAll(keepingCapacity: true)
      }
      group.append(span)
    }
    if !group.isEmpty { body(group) }
  }

  /// Keeps only the spans for which `isKept` is true.
  mutating func filter(_ isKept: (SpanBounds) -> Bool) {
    sort()
    guard !times.allSatisfy(isKept) else { return }
    var kept = SpanColumns()
    for span in self where isKept(span.bounds) { kept.appendLast(span) }
    self = kept
  }

  /// Removes the spans that end before `limit`, and cuts those that start before it.
  mutating func cut(before limit: Int64) {
    filter { $0.end >= limit }
    guard let first = times.first, first.start < limit else { return }
    var kept = SpanColumns()
    for span in self {
      kept.append(
        start: Swift.max(limit, span.bounds.start), end: span.bounds.end, label: span.label,
        arguments: span.arguments)
    }
    kept.sort()
    self = kept
  }

  /// Updates the argument lists after the table has removed the first `shift`.
  mutating func moveArgumentLists(by shift: UInt32) {
    argumentLists = argumentLists.mapped { $0.moved(by: shift) }
  }

  /// Moves each span from position `first` that is out of order to where it belongs.
  ///
  /// Recorders write a span when it ends, so an outer span follows the spans inside it. The new
  /// indices are near and still in the processor's cache. The spans that belong further ahead are
  /// set aside; so are all if moving them becomes more work than sorting.
  private mutating func moveLateSpans(from first: Int) {
    let packed = times.packedCount
    let limit = 4096 + count * 64
    var index = Swift.max(first, 1)
    while let late = nextLateSpan(from: index) {
      if movedCount <= limit, let newIndex = sortedIndex(of: late, packed) {
        move(late, to: newIndex, packed)
        index = late + 1
      } else {
        setAside(late, packed)
        index = Swift.max(late, 1)
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
      var position = Swift.max(1, index - packed)
      while position < tail.count, !tail[position - 1].isBehind(tail[position]) { position += 1 }
      return position < tail.count ? position + packed : nil
    }
  }

  /// Sets a span aside, and those directly behind it that belong before the tail too: they come in runs.
  private mutating func setAside(_ index: Int, _ packed: Int) {
    var end = index + 1
    if packed > 0 {
      let last = times[packed - 1]
      while end < count, last.isBehind(times.tail[end - packed]) { end += 1 }
    }
    for index in index..<end { late.append(self[index]) }
    let range = index - packed..<end - packed
    times.tail.removeSubrange(range)
    labels.tail.removeSubrange(range)
    if !argumentLists.isEmpty { argumentLists.tail.removeSubrange(range) }
  }

  private mutating func move(_ index: Int, to newIndex: Int, _ packed: Int) {
    movedCount += index - newIndex
    let (index, newIndex) = (index - packed, newIndex - packed)
    times.tail.moveElement(at: index, to: newIndex)
    labels.tail.moveElement(at: index, to: newIndex)
    if !argumentLists.isEmpty { argumentLists.tail.moveElement(at: index, to: newIndex) }
  }

  /// The index at which the span at `index` belongs among those before it in the tail, or `nil` if
  /// it belongs before the tail.
  private func sortedIndex(of index: Int, _ packed: Int) -> Int? {
    let span = times[index]
    guard index > packed else { return nil }
    let newIndex = times.tail.withUnsafeBufferPointer { tail in
      // The search moves outwards in doubling steps, then bisects.
      var (high, step) = (index - packed - 1, 1)
      while high - step >= 0, tail[high - step].isBehind(span) {
        high -= step
        step *= 2
      }
      let low = Swift.max(0, high - step)
      return (low..<high).partitionPoint { tail[$0].isBehind(span) }
    }
    if newIndex == 0, packed > 0, times[packed - 1].isBehind(span) { return nil }
    return newIndex + packed
  }
}

/// Spans that follow each other, at most `SpanTimes.blockSize`.
package struct SpanBlock {
  package let first: Int
  package let times: UnsafeBufferPointer<SpanBounds>
  package let labels: UnsafeBufferPointer<LabelID>
}

/// A span of work on a track. ``Trace/name(of:)`` returns its name.
public struct WorkSpan: Equatable, Sendable {
  let bounds: SpanBounds
  package let label: LabelID
  package let arguments: ArgumentListID

  /// The time from its start to its end.
  public var range: TimeRange {
    TimeRange(start: Timestamp(clamping: bounds.start), end: Timestamp(clamping: bounds.end))
  }
}

/// Spans of one track to be added to its columns.
package struct SpanBatchColumns {
  /// The start and end of each span.
  package let times: UnsafeBufferPointer<SpanBounds>
  package let labels: UnsafeBufferPointer<LabelID>
  /// The arguments of each span, or empty if no span has any.
  package let argumentLists: UnsafeBufferPointer<ArgumentListID>
  package let latestEnd: Int64
  /// Whether each span starts after the one before it.
  package let ascends: Bool

  /// Creates a batch from columns of equal length. The column of arguments may be empty.
  package init(
    times: UnsafeBufferPointer<SpanBounds>, labels: UnsafeBufferPointer<LabelID>,
    argumentLists: UnsafeBufferPointer<ArgumentListID>,
    latestEnd: Int64, ascends: Bool
  ) {
    self.times = times
    self.labels = labels
    self.argumentLists = argumentLists
    self.latestEnd = latestEnd
    self.ascends = ascends
  }
}

extension Array {
  /// Moves the element at `index` to the earlier `newIndex`, shifting those in between.
  fileprivate mutating func moveElement(at index: Int, to newIndex: Int) {
    withUnsafeMutableBufferPointer { elements in
      guard let start = elements.baseAddress else { return }
      let element = start[index]
      (start + newIndex + 1).update(from: start + newIndex, count: index - newIndex)
      start[newIndex] = element
    }
  }
}
