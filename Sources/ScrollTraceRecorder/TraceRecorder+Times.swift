extension TraceRecorder {
  /// Records a span after the fact, with times of the recorder's clock.
  ///
  /// On a real thread it belongs to no stack, since it may cross other spans: an asynchronous span.
  /// On a simulated thread it is a span of the stack, unless it begins before the last one ended.
  public func recordSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, from begin: Nanoseconds,
    to end: Nanoseconds, item: UInt64? = nil
  ) {
    guard takesEvent() else { return }
    writer.recordSpan(
      name, category.name, from: begin, to: end, details: ItemDetails(item: item))
  }

  /// Begins a span at a given time: on simulated threads, whose spans nest like those of real ones.
  ///
  /// Times of one thread must not run backwards; earlier ones are moved to the last.
  public func beginSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, item: UInt64? = nil,
    at time: Nanoseconds
  ) -> SpanToken {
    guard takesEvent() else { return .off }
    return writer.beginSpan(name, category.name, item: item, at: UInt64(max(0, time)))
  }

  /// Ends a span at a given time.
  public func endSpan(_ token: SpanToken, at time: Nanoseconds) {
    let item = token.hasItem ? token.item : nil
    endSpan(token, at: UInt64(max(0, time)), details: ItemDetails(item: item))
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes a span with given times: of the stack if it comes in order on a simulated thread, else
  /// asynchronous (F-6).
  func recordSpan(
    _ name: RecordedName, _ category: RecordedName, from begin: Nanoseconds, to end: Nanoseconds,
    details: some EventDetails
  ) {
    guard let reference = reference(category: category, name: name) else { return }
    let begin = UInt64(Swift.max(0, begin))
    let end = UInt64(Swift.max(0, end))
    let first = pointee.earliestBegin
    // A begin that only has to differ from the one before moves by 1 ns.
    let isInOrder = begin >= first || begin &+ 1 == first && begin >= pointee.earliestEnd
    if pointee.isSimulated && isInOrder {
      let begin = Swift.max(begin, first)
      let end = Swift.max(begin, end)
      pointee.earliestBegin = Swift.max(begin &+ 1, end)
      pointee.earliestEnd = end
      writeEvent(.complete, reference, at: begin, tail: end, details: details)
    } else {
      writeAsync(reference, from: begin, to: end, details: details)
    }
  }
}
