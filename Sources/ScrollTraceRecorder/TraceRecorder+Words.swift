internal import CRecorderPrimitives
internal import Synchronization

/// Spans for callers that can inline nothing of the recorder, the C interface.
///
/// Each is one call that is given all the long way needs, so that nothing is kept meanwhile: what is
/// done around the two readings of the clock is not hidden by anything.
extension TraceRecorder {
  /// Begins a span as `beginSpan(_:_:item:)` does.
  ///
  /// - Parameters:
  ///   - handle: The recorder.
  ///   - name: The address of the name's bytes, for the life of the process.
  ///   - nameCount: How many there are.
  ///   - category: The address of the category's bytes, likewise; 0 for none.
  ///   - categoryCount: How many there are.
  ///   - item: The item; the greatest number for none.
  @inline(never)
  package static func beginSpan(
    handle: UnsafeRawPointer, name: UnsafeRawPointer, nameCount: Int, category: UInt,
    categoryCount: Int, item: UInt64
  ) -> SpanToken {
    let control = UnsafeMutablePointer(mutating: handle.assumingMemoryBound(to: ControlBlock.self))
    let nameAddress = UInt(bitPattern: name)
    if control.pointee.mode.load(ordering: .relaxed) == RecorderMode.on,
      let writer = UnsafeMutablePointer<ThreadWriter>.last(of: control)
    {
      let stack = QuickStack(writer)
      let entry = writer.headerEntry(nameAddress, category)
      if entry.pointee.name == nameAddress, entry.pointee.category == category, stack.hasRoom,
        let now = writer.quickTime()
      {
        let item = item == .max ? nil : item
        let begin = writer.takeBegin(now)
        return writer.pushQuickly(entry, item: item, at: begin, onto: stack).token(item: item)
      }
    }
    return beginSlowly(handle, name, nameCount, category, categoryCount, item)
  }

  @inline(never)
  private static func beginSlowly(
    _ handle: UnsafeRawPointer, _ name: UnsafeRawPointer, _ nameCount: Int, _ category: UInt,
    _ categoryCount: Int, _ item: UInt64
  ) -> SpanToken {
    let category = UnsafeRawPointer(bitPattern: category).map {
      RecordedName(address: $0.assumingMemoryBound(to: UInt8.self), count: categoryCount)
    }
    return TraceRecorder(handle: handle).beginSpan(
      RecordedName(address: name.assumingMemoryBound(to: UInt8.self), count: nameCount),
      SpanCategory(category ?? ""), item: item == .max ? nil : item)
  }

  /// Ends the span whose token's words lie at `words`, and makes the first 0, so that it ends once.
  @inline(never)
  package static func endSpan(at words: UnsafeMutableRawPointer) {
    let token = SpanToken(
      words: words.assumingMemoryBound(to: (UInt64, UInt64, UInt64, UInt64).self).pointee)
    words.storeBytes(of: 0, as: UInt64.self)
    if let writer = token.writerHere, writer.endQuickly(token) { return }
    endSlowly(token)
  }

  @inline(never)
  private static func endSlowly(_ token: SpanToken) {
    if token.writer != nil { token.endSlowly() }
  }
}
