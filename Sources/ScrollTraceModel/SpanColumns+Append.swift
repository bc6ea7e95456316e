extension SpanColumns {
  /// Adds a span. The first span with arguments adds the column for them.
  mutating func append(start: Int64, end: Int64, label: LabelID, arguments list: ArgumentListID) {
    append(
      WorkSpan(bounds: SpanBounds(start: start, end: end), label: label, arguments: list))
  }

  /// Adds a span.
  mutating func append(_ span: WorkSpan) {
    appendLast(span)
    placeLateSpans(from: count - 1)
    times.packTail()
  }

  /// Adds a span that is not in front of any other.
  mutating func appendLast(_ span: WorkSpan) {
    if span.arguments != .none, argumentLists.isEmpty { addArgumentColumn(count) }
    if span.arguments != .none || !argumentLists.isEmpty { argumentLists.append(span.arguments) }
    labels.append(span.label)
    times.append(span.bounds)
  }

  /// Reserves room for `added` spans, or for all that are expected if the columns must grow.
  mutating func reserve(_ added: Int, growth: Double) {
    let count = self.count + added
    guard count > labels.capacity else { return }
    // The estimate comes from a file, most of which may be unused. It may cost address space, within
    // limits, but not memory, so it is used only for long columns, which have their pages to
    // themselves. It is made early, and half too much is better than a little too few.
    let isLong = count >= 1024 && growth.isFinite
    let expected = isLong ? Int(min(max(Double(count) * min(growth * 2, 16), 0), 0x1p27)) : 0
    let capacity = max(expected, count, self.count * 2)
    times.grow(toCapacity: capacity)
    labels.grow(toCapacity: capacity)
    if !argumentLists.isEmpty { argumentLists.grow(toCapacity: capacity) }
  }

  /// Releases room that was reserved but not needed.
  func releaseUnusedRoom() {
    times.releaseUnusedRoom()
    labels.releaseUnusedRoom()
    argumentLists.releaseUnusedRoom()
  }

  /// Adds a column for arguments, empty for the first `count` spans.
  private mutating func addArgumentColumn(_ count: Int) {
    argumentLists.grow(toCapacity: max(labels.capacity, count))
    argumentLists.append(contentsOf: repeatElement(.none, count: count))
  }

  /// Adds spans, column by column.
  mutating func append(_ batch: SpanBatchColumns) {
    let haveArguments = !batch.argumentLists.isEmpty
    if haveArguments, argumentLists.isEmpty { addArgumentColumn(count) }
    // No more at once than fit into the tail.
    let step = SpanTimes.longestTail / 2
    for first in stride(from: 0, to: batch.times.count, by: step) {
      let part = first..<min(first + step, batch.times.count)
      let before = count
      let follows = times.last.map { $0.start < batch.times[first].start } ?? true
      if haveArguments {
        argumentLists.append(contentsOf: batch.argumentLists[part])
      } else if !argumentLists.isEmpty {
        argumentLists.append(contentsOf: repeatElement(.none, count: part.count))
      }
      labels.append(contentsOf: batch.labels[part])
      times.tail.append(contentsOf: batch.times[part])
      if !batch.ascends || !follows { placeLateSpans(from: before) }
      times.packTail()
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
