extension SpanColumns {
  /// Adds a span. The first span with arguments adds the column for them.
  mutating func append(start: Int64, end: Int64, label: LabelID, arguments list: ArgumentListID) {
    if list != .none, argumentLists.isEmpty { addArgumentColumn(begins.count) }
    if list != .none || !argumentLists.isEmpty { argumentLists.append(list) }
    begins.append(start)
    ends.append(end)
    labels.append(label)
    placeLateSpans(from: begins.count - 1)
  }

  /// Reserves room for `added` spans, or for all that are expected if the columns must grow.
  mutating func reserve(_ added: Int, growth: Double) {
    let count = begins.count + added
    guard count > begins.capacity else { return }
    // The estimate comes from a file, most of which may be unused. It may cost address space, within
    // limits, but not memory, so it is used only for long columns, which have their pages to
    // themselves. It is made early, and half too much is better than a little too few.
    let isLong = count >= 1024 && growth.isFinite
    let expected = isLong ? Int(min(max(Double(count) * min(growth * 2, 16), 0), 0x1p27)) : 0
    let capacity = max(expected, count, begins.count * 2)
    begins.grow(toCapacity: capacity)
    ends.grow(toCapacity: capacity)
    labels.grow(toCapacity: capacity)
    if !argumentLists.isEmpty { argumentLists.grow(toCapacity: capacity) }
  }

  /// Releases room that was reserved but not needed.
  func releaseUnusedRoom() {
    begins.releaseUnusedRoom()
    ends.releaseUnusedRoom()
    labels.releaseUnusedRoom()
    argumentLists.releaseUnusedRoom()
  }

  /// Adds a column for arguments, empty for the first `count` spans.
  private mutating func addArgumentColumn(_ count: Int) {
    argumentLists.grow(toCapacity: max(begins.capacity, count))
    argumentLists.append(contentsOf: repeatElement(.none, count: count))
  }

  /// Adds spans, column by column.
  mutating func append(_ batch: SpanBatchColumns) {
    let before = begins.count
    let haveArguments = !batch.argumentLists.isEmpty
    if haveArguments, argumentLists.isEmpty { addArgumentColumn(before) }
    if haveArguments {
      argumentLists.append(contentsOf: batch.argumentLists)
    } else if !argumentLists.isEmpty {
      argumentLists.append(contentsOf: repeatElement(.none, count: batch.begins.count))
    }
    begins.append(contentsOf: batch.begins)
    ends.append(contentsOf: batch.ends)
    labels.append(contentsOf: batch.labels)
    let follows = before == 0 || begins[before - 1] < begins[before]
    if !batch.ascends || !follows { placeLateSpans(from: before) }
  }
}

/// Spans of one track to be added to its columns.
package struct SpanBatchColumns {
  /// The start of each span.
  package let begins: UnsafeBufferPointer<Int64>
  /// The end of each span, never before its start.
  package let ends: UnsafeBufferPointer<Int64>
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
    begins: UnsafeBufferPointer<Int64>, ends: UnsafeBufferPointer<Int64>,
    labels: UnsafeBufferPointer<LabelID>, argumentLists: UnsafeBufferPointer<ArgumentListID>,
    latestEnd: Int64, ascends: Bool
  ) {
    self.begins = begins
    self.ends = ends
    self.labels = labels
    self.argumentLists = argumentLists
    self.latestEnd = latestEnd
    self.ascends = ascends
  }
}
