internal import ScrollTraceLayout

/// Spans of tasks, which are suspended and go from thread to thread: no work of a thread.
extension TraceRecorder {
  /// Records `operation` as a span of the calling task, from its start to its end, including the time in
  /// which the task is suspended.
  ///
  /// ```swift
  /// let photo = try await recorder.withSpan("download", item: id) { try await server.photo(id) }
  /// ```
  ///
  /// The span is asynchronous: it belongs to no thread's stack, and is never work of the main thread. To
  /// record long work on a thread, add a span inside `operation`, around code that does not suspend. See
  /// <doc:RecordingFromAsyncCode>.
  ///
  /// - Parameters:
  ///   - name: The name of the work.
  ///   - category: The category of the work.
  ///   - item: The item that the work is for, or `nil` for none.
  ///   - isolation: The actor on which `operation` runs: the caller's.
  ///   - operation: The work.
  @_disfavoredOverload
  public func withSpan<Value: ~Copyable, Failure: Error>(
    _ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let span = beginTaskSpan(name, category, ItemDetails(item: item?.number))
    defer { endTaskSpan(span) }
    return try await operation()
  }

  /// Records work on an image as a span of the calling task; see
  /// ``withSpan(_:_:item:isolation:operation:)``.
  @_disfavoredOverload
  public func withImageStep<Value: ~Copyable, Failure: Error>(
    _ step: ImageStep, item: ItemID? = nil, viewID: UInt64? = nil, bytes: UInt64? = nil,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let span = beginTaskSpan(
      step.name, .image, ContentDetails(item: item?.number, view: viewID, bytes: bytes))
    defer { endTaskSpan(span) }
    return try await operation()
  }

  /// Records work on the data behind a list as a span of the calling task; see
  /// ``withSpan(_:_:item:isolation:operation:)``.
  @_disfavoredOverload
  public func withDataStep<Value: ~Copyable, Failure: Error>(
    _ step: DataStep, list: ListID? = nil, item: ItemID? = nil, viewID: UInt64? = nil,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let span = beginTaskSpan(
      step.name, .data, ContentDetails(list: list, item: item?.number, view: viewID))
    defer { endTaskSpan(span) }
    return try await operation()
  }

  /// Records an interaction for the duration of `operation`.
  ///
  /// - Parameters:
  ///   - kind: The kind of the interaction.
  ///   - surface: The surface that moves, or `nil` for all surfaces.
  ///   - isolation: The actor on which `operation` runs: the caller's.
  ///   - operation: The code that moves the content.
  @_disfavoredOverload
  public func withInteraction<Value: ~Copyable, Failure: Error>(
    _ kind: InteractionKind, surface: RecordedSurface? = nil,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let token = beginInteraction(kind, surface: surface)
    defer { endInteraction(token) }
    return try await operation()
  }

  func recordTaskSpan(
    _ name: RecordedName, _ category: SpanCategory, from begin: RecorderTime, to end: RecorderTime,
    item: ItemID?
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    defer { pointer.leave(writer) }
    guard let reference = writer.reference(category: category.name, name: name) else { return }
    writer.writeAsync(
      reference, from: UInt64(max(0, begin.nanoseconds)), to: UInt64(max(0, end.nanoseconds)),
      isApart: true, details: ItemDetails(item: item?.number))
  }

  /// Writes the start of a task's span, so that it is in the file whatever becomes of the process.
  private func beginTaskSpan(
    _ name: RecordedName, _ category: SpanCategory, _ details: some EventDetails
  ) -> TaskSpan? {
    guard let writer = pointer.enterToRecord() else { return nil }
    defer { pointer.leave(writer) }
    let time = writer.eventTime()
    guard let reference = writer.reference(category: category.name, name: name) else { return nil }
    let id = writer.takeAsyncID(isApart: true)
    guard writer.writeEvent(.asyncBegin, reference, at: time, tail: id, details: details) else {
      return nil
    }
    return TaskSpan(reference: reference, id: id)
  }

  /// Writes the end of a task's span, on whatever thread.
  private func endTaskSpan(_ span: TaskSpan?) {
    guard let span, let writer = pointer.enterToEnd() else { return }
    defer { pointer.leave(writer) }
    writer.writeEvent(
      .asyncEnd, span.reference, at: writer.eventTime(), tail: span.id, details: NoDetails())
  }
}

private struct TaskSpan {
  let reference: NameReference
  /// What joins begin and end.
  let id: UInt64
}
