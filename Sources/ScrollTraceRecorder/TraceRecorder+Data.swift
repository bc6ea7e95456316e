internal import ScrollTraceLayout

extension TraceRecorder {
  /// Records work on the data behind a list.
  ///
  /// - Parameters:
  ///   - list: The list the data is for.
  ///   - item: The item it is for.
  ///   - view: The view it is for.
  public func data<Value: ~Copyable, Failure: Error>(
    _ step: DataStep, list: ListID? = nil, item: UInt64? = nil, view: UInt64? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginData(step, item: item)
    defer { endData(token, list: list, view: view) }
    return try body()
  }

  /// Begins work on data where a closure does not fit.
  public func beginData(_ step: DataStep, item: UInt64? = nil) -> SpanToken {
    beginSpan(step.name, .data, item: item)
  }

  /// Ends work on data.
  public func endData(_ token: SpanToken, list: ListID? = nil, view: UInt64? = nil) {
    let item = token.hasItem ? token.item : nil
    endSpan(token, details: DataDetails(list: list, item: item, view: view))
  }

  /// Records that a snapshot of the data is applied to a list.
  public func applySnapshot<Value: ~Copyable, Failure: Error>(
    to list: ListID? = nil, _ changes: SnapshotChanges = SnapshotChanges(),
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginSnapshot()
    defer { endSnapshot(token, to: list, changes) }
    return try body()
  }

  /// Begins to apply a snapshot where a closure does not fit.
  public func beginSnapshot() -> SpanToken {
    beginSpan(RecordedName(Vocabulary.Data.applySnapshot), .data)
  }

  /// Ends to apply a snapshot; by now the changes are known.
  public func endSnapshot(
    _ token: SpanToken, to list: ListID? = nil, _ changes: SnapshotChanges = SnapshotChanges()
  ) {
    endSpan(token, details: SnapshotDetails(list: list, changes: changes))
  }

  /// Records an instant in the life of data.
  public func data(
    _ mark: DataMark, list: ListID? = nil, item: UInt64? = nil, view: UInt64? = nil
  ) {
    guard takesEvent() else { return }
    writer.writeInstant(
      mark.name, .data, details: DataDetails(list: list, item: item, view: view))
  }

  /// Records work on data after the fact; see `recordSpan`.
  public func recordData(
    _ step: DataStep, list: ListID? = nil, item: UInt64? = nil, view: UInt64? = nil,
    from begin: Nanoseconds, to end: Nanoseconds
  ) {
    guard takesEvent() else { return }
    writer.recordSpan(
      step.name, SpanCategory.data.name, from: begin, to: end,
      details: DataDetails(list: list, item: item, view: view))
  }
}

/// What is known of a piece of data.
private struct DataDetails: EventDetails {
  var list: ListID?
  var item: UInt64?
  var view: UInt64?

  var keys: UInt64 { list.bit(.list) | item.bit(.item) | view.bit(.view) }
  var texts: (first: RecordedName?, second: RecordedName?) { (list?.name, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let list { record.argument(.list, list, text: first) }
    if let item { record.argument(.item, item) }
    if let view { record.argument(.view, view) }
  }
}
