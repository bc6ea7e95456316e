extension TraceRecorder {
  /// Records work on an image.
  ///
  /// - Parameters:
  ///   - item: The item the image belongs to.
  ///   - view: The view it is for.
  ///   - bytes: Its size in bytes.
  public func image<Value: ~Copyable, Failure: Error>(
    _ step: ImageStep, item: UInt64? = nil, view: UInt64? = nil, bytes: UInt64? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginImage(step, item: item)
    defer { endImage(token, view: view, bytes: bytes) }
    return try body()
  }

  /// Begins work on an image where a closure does not fit.
  public func beginImage(_ step: ImageStep, item: UInt64? = nil) -> SpanToken {
    beginSpan(step.name, .image, item: item)
  }

  /// Ends work on an image.
  public func endImage(_ token: SpanToken, view: UInt64? = nil, bytes: UInt64? = nil) {
    let item = token.hasItem ? token.item : nil
    endSpan(token, details: ImageDetails(item: item, view: view, bytes: bytes))
  }

  /// Records an instant in the life of an image.
  public func image(
    _ mark: ImageMark, item: UInt64? = nil, view: UInt64? = nil, bytes: UInt64? = nil
  ) {
    guard takesEvent() else { return }
    writer.writeInstant(
      mark.name, .image, details: ImageDetails(item: item, view: view, bytes: bytes))
  }

  /// Records work on an image after the fact; see `recordSpan`.
  public func recordImage(
    _ step: ImageStep, item: UInt64? = nil, view: UInt64? = nil, bytes: UInt64? = nil,
    from begin: Nanoseconds, to end: Nanoseconds
  ) {
    guard takesEvent() else { return }
    writer.recordSpan(
      step.name, SpanCategory.image.name, from: begin, to: end,
      details: ImageDetails(item: item, view: view, bytes: bytes))
  }
}

/// What is known of an image.
private struct ImageDetails: EventDetails {
  var item: UInt64?
  var view: UInt64?
  var bytes: UInt64?

  var keys: UInt64 { item.bit(.item) | view.bit(.view) | bytes.bit(.bytes) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let item { record.argument(.item, item) }
    if let view { record.argument(.view, view) }
    if let bytes { record.argument(.bytes, bytes) }
  }
}
