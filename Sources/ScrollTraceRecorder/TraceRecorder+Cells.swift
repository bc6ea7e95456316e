extension TraceRecorder {
  /// Records a step of a cell's preparation.
  ///
  /// ```swift
  /// recorder.cell(.configure, CellDetails(list: feed, item: post.id, position: row)) {
  ///   cell.show(post)
  /// }
  /// ```
  public func cell<Value: ~Copyable, Failure: Error>(
    _ step: CellStep, _ details: CellDetails = CellDetails(),
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginCell(step, item: details.item)
    defer { endCell(token, details) }
    return try body()
  }

  /// Records a step of a cell's preparation that finds out more about the cell.
  ///
  /// ```swift
  /// recorder.cell(.dequeue, CellDetails(item: post.id)) { details in
  ///   let cell = pool.popLast()
  ///   details.reused = cell != nil
  ///   return cell ?? Cell()
  /// }
  /// ```
  public func cell<Value: ~Copyable, Failure: Error>(
    _ step: CellStep, _ details: CellDetails = CellDetails(),
    _ body: (inout CellDetails) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var details = details
    let token = beginCell(step, item: details.item)
    defer { endCell(token, details) }
    return try body(&details)
  }

  /// Begins a step where a closure does not fit.
  public func beginCell(_ step: CellStep, item: UInt64? = nil) -> SpanToken {
    beginSpan(step.name, .cell, item: item)
  }

  /// Ends a step, with all that is known by now.
  public func endCell(_ token: SpanToken, _ details: CellDetails = CellDetails()) {
    var details = details
    if details.item == nil, token.hasItem { details.item = token.item }
    endSpan(token, details: details)
  }

  /// Records an instant in a cell's life.
  public func cell(_ mark: CellMark, _ details: CellDetails = CellDetails()) {
    guard takesEvent() else { return }
    writer.writeInstant(mark.name, .cell, details: details)
  }

  /// Records a step of a cell's preparation after the fact; see `recordSpan`.
  public func recordCell(
    _ step: CellStep, _ details: CellDetails = CellDetails(), from begin: Nanoseconds,
    to end: Nanoseconds
  ) {
    guard takesEvent() else { return }
    writer.recordSpan(
      step.name, SpanCategory.cell.name, from: begin, to: end, details: details)
  }
}
