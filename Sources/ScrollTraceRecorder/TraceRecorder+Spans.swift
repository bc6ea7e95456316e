internal import CRecorderShims
internal import ScrollTraceLayout
internal import Synchronization

extension TraceRecorder {
  /// Records `body` as a span of the calling thread.
  ///
  /// ```swift
  /// let bitmap = recorder.span("decode", .image, item: photo.id) { decode(photo) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What is done.
  ///   - category: What kind of work it is.
  ///   - item: The item that is worked on, by its stable identifier.
  @inlinable
  public func span<Value: ~Copyable, Failure: Error>(
    _ name: RecordedName, _ category: SpanCategory = .work, item: UInt64? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard takesEvent() else { return try body() }
    if simulated == nil {
      if let item {
        if let span = control.openSpan(name.start, category.name.start, item: item) {
          defer { span.end(item: item) }
          return try body()
        }
      } else if let span = control.openSpan(name.start, category.name.start) {
        defer { span.end() }
        return try body()
      }
    }
    let token = openSpan(name, category.name, item: item)
    defer { closeSpan(token) }
    return try body()
  }

  /// Begins a span where a closure does not fit; `endSpan(_:)` on the same thread ends it.
  @inlinable
  public func beginSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, item: UInt64? = nil
  ) -> SpanToken {
    guard takesEvent() else { return .off }
    if simulated == nil {
      let span =
        if let item {
          control.openSpan(name.start, category.name.start, item: item)
        } else {
          control.openSpan(name.start, category.name.start)
        }
      if let span { return span.token(item: item) }
    }
    return openSpan(name, category.name, item: item)
  }

  @usableFromInline @inline(never)
  func openSpan(_ name: RecordedName, _ category: RecordedName, item: UInt64?) -> SpanToken {
    writer.beginSpan(name, category, item: item)
  }

  /// Ends a span.
  @inlinable
  public func endSpan(_ token: SpanToken) {
    if token.writer == nil || token.endQuickly() { return }
    closeSpan(token)
  }

  @usableFromInline @inline(never)
  func closeSpan(_ token: SpanToken) {
    endSpan(token, details: ItemDetails(item: token.hasItem ? token.item : nil))
  }

  /// Ends a span, which was recorded, and begins a phase at the same instant.
  @usableFromInline @inline(never)
  func exchangeSpan(_ token: SpanToken, toPhase phase: RecordedName) -> SpanToken {
    guard takesEvent() else {
      endSpan(token)
      return .off
    }
    let writer = writer
    let time = writer.readClock()
    endSpan(token, at: time, details: ItemDetails(item: token.hasItem ? token.item : nil))
    return writer.beginSpan(phase, SpanCategory.phase.name, item: nil, at: time)
  }

  /// The writer that may write the end of a span: also when recording was switched off meanwhile,
  /// but neither after the end, where the file says that the span is open, nor in the child of a
  /// fork.
  @inline(__always)
  var writerToEnd: UnsafeMutablePointer<ThreadWriter>? {
    let mode = control.pointee.mode.load(ordering: .relaxed)
    return mode > RecorderMode.on ? nil : writer
  }

  /// Ends a span with arguments.
  func endSpan(_ token: SpanToken, at time: UInt64? = nil, details: some EventDetails) {
    guard token.writer != nil, let writer = writerToEnd else { return }
    if token.writer == UnsafeMutableRawPointer(writer), let depth = writer.depth(of: token) {
      writer.endSpan(token, depth: depth, at: time, details: details)
    } else {
      endElsewhere(token, writer, at: time, details: details)
    }
  }

  /// Ends a span out of order, on another thread than its own, or of another recorder.
  @inline(never)
  private func endElsewhere(
    _ token: SpanToken, _ writer: UnsafeMutablePointer<ThreadWriter>, at time: UInt64?,
    details: some EventDetails
  ) {
    guard let owner = token.writer, let recorder = ThreadWriter.recorder(of: owner) else { return }
    if recorder != control {
      // A token's numbers of texts are those of its own recorder, and that is where the span ends.
      TraceRecorder(control: recorder, simulated: nil).endSpan(token, at: time, details: details)
      return
    }
    let end = time ?? writer.readClock()
    if owner != UnsafeMutableRawPointer(writer) {
      control.pointee.store.takeUnretainedValue().markEnded(token)
    }
    writer.writeAsync(token.reference, from: token.begin, to: end, details: details)
  }
}
