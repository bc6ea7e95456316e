extension SpanColumns {
  /// Adds a span; the argument column appears with the first span that needs it.
  mutating func append(start: Int64, end: Int64, label: LabelID, arguments list: ArgumentListID) {
    if list != .none, argumentLists.isEmpty { addArgumentColumn(begins.count) }
    if list != .none || !argumentLists.isEmpty { argumentLists.append(list) }
    begins.append(start)
    ends.append(end)
    labels.append(label)
    placeLateSpans(from: begins.count - 1)
  }

  /// Makes room for `added` spans, and for all that are expected where the columns must grow.
  mutating func reserve(_ added: Int, growth: Double) {
    let count = begins.count + added
    guard count > begins.capacity else { return }
    // The guess comes from a file: it may cost address space, within limits, and never memory. So
    // it is made for long columns only, in whose pages nothing else lies. It is made early on, and
    // had better be too much by half than too little by a bit.
    let isLong = count >= 1024 && growth.isFinite
    let expected = isLong ? Int(min(max(Double(count) * growth * 2, 0), 0x1p27)) : 0
    let capacity = max(expected, count, begins.count * 2)
    begins.grow(toCapacity: capacity)
    ends.grow(toCapacity: capacity)
    labels.grow(toCapacity: capacity)
    if !argumentLists.isEmpty { argumentLists.grow(toCapacity: capacity) }
  }

  /// Gives back the room that was made for spans that never came.
  func releaseUnusedRoom() {
    begins.releaseUnusedRoom()
    ends.releaseUnusedRoom()
    labels.releaseUnusedRoom()
    argumentLists.releaseUnusedRoom()
  }

  /// Makes a column for arguments, with none for the first `count` spans.
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

/// Spans of one track on their way into its columns.
package struct SpanBatchColumns {
  /// When each span begins.
  package let begins: UnsafeBufferPointer<Int64>
  /// When each span ends, never before its start.
  package let ends: UnsafeBufferPointer<Int64>
  /// What each span is called.
  package let labels: UnsafeBufferPointer<LabelID>
  /// The arguments of each span; empty where none has any.
  package let argumentLists: UnsafeBufferPointer<ArgumentListID>
  /// The latest of the ends.
  package let latestEnd: Int64
  /// Whether each span is known to begin later than the one before it.
  package let ascends: Bool

  /// Columns of one length, the one of arguments perhaps empty.
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
