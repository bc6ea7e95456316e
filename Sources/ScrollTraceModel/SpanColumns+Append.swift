extension SpanColumns {
  /// Adds a span. The first span with arguments adds the column for them.
  mutating func append(start: Int64, end: Int64, label: LabelID, arguments list: ArgumentListID) {
    append(
      WorkSpan(bounds: SpanBounds(start: start, end: end), label: label, arguments: list))
  }

  /// Adds a span.
  mutating func append(_ span: WorkSpan) {
    addToTail(span)
    placeLateSpans(from: count - 1)
    packTail()
  }

  /// Adds a span that is not in front of any other.
  mutating func appendLast(_ span: WorkSpan) {
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
    expectedCount = max(count, Int(min(max(Double(count) * min(growth, 16), 0), 0x1p27)))
  }

  /// Adds a column for arguments, of which the spans so far have none.
  private mutating func addArgumentColumn() {
    argumentLists = PackedColumn(
      repeating: .none, packedCount: times.packedCount, tailCount: times.tail.count)
  }

  /// Adds spans, column by column.
  mutating func append(_ batch: SpanBatchColumns) {
    let haveArguments = !batch.argumentLists.isEmpty
    if haveArguments, argumentLists.isEmpty { addArgumentColumn() }
    // No more at once than fit into the tail.
    let step = SpanTimes.longestTail / 2
    for first in stride(from: 0, to: batch.times.count, by: step) {
      let part = first..<min(first + step, batch.times.count)
      let before = count
      let follows = times.last.map { $0.start < batch.times[first].start } ?? true
      if haveArguments {
        argumentLists.tail.append(contentsOf: batch.argumentLists[part])
      } else if !argumentLists.isEmpty {
        argumentLists.tail.append(contentsOf: repeatElement(.none, count: part.count))
      }
      labels.tail.append(contentsOf: batch.labels[part])
      times.tail.append(contentsOf: batch.times[part])
      if !batch.ascends || !follows { placeLateSpans(from: before) }
      packTail()
    }
  }
}

/// Spans of one track to be added to its columns.
package struct SpanBatchColumns {
  /// The start and end of each span.
  package let times: UnsafeBufferPointer<SpanBounds>
  /// The label of each span.
  package let labels: UnsafeBufferPointer<LabelID>
  /// The arguments of each span, or empty if no span has any.
  package let argumentLists: UnsafeBufferPointer<ArgumentListID>
  /// The latest end.
  package let latestEnd: Int64
  /// A Boolean value indicating whether each span starts after the one before it.
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
