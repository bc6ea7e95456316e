internal import CRecorderShims
internal import ScrollTraceLayout

/// The paths that nearly all spans take: without calls, and with few arguments, so that no
/// registers are saved.
///
/// Each function does everything or nothing. If something must be prepared first, the caller takes
/// the slow path. Every instruction counts: on many processors, none executes while the tick
/// counter is read.
extension UnsafeMutablePointer<ThreadWriter> {
  /// The writer that the calling thread used last, or `nil` if it belongs to another recorder.
  @inline(__always)
  static func last(of control: UnsafeMutablePointer<ControlBlock>) -> Self? {
    let writer = scrolltrace_get_writer().assumingMemoryBound(to: ThreadWriter.self)
    return UnsafeRawPointer(writer).load(as: UInt.self) == UInt(bitPattern: control) ? writer : nil
  }

  /// Begins a span, now if there is no time, if the chunk defines its texts, or returns `nil`.
  @inline(__always)
  func beginFast(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>, item: UInt64?,
    at time: UInt64? = nil
  ) -> FastPathSpan? {
    let stack = FastPathStack(self)
    guard let found = headerEntry(category: category, name: name), stack.hasRoom,
      let now = time ?? fastTime()
    else { return nil }
    return pushFast(found, item: item, at: takeBegin(now), onto: stack)
  }

  /// Ends a span of this thread that is as deep as the innermost one, now if there is no time, and
  /// returns whether it did. The chunk defines the name of the item's argument.
  @inline(__always)
  func endFast(
    begin: UInt64, header: UInt64, item: UInt64?, key: Vocabulary.Key = .item,
    on stack: FastPathStack, at time: UInt64? = nil
  ) -> Bool {
    let record = pointee.cursor
    let next = record + (item == nil ? 24 : 40)
    guard begin >= pointee.chunkFloor, hasRoom(upTo: next),
      let now = time ?? fastTime()
    else { return false }
    writeSpan(
      at: record, begin: begin, header: header, item: item, key: key, to: takeEnd(now), next: next)
    stack.pop()
    return true
  }

  /// Ends the innermost open span of this thread, which has no argument other than its item, and
  /// returns whether it did.
  @inline(__always)
  func endFast(_ token: SpanToken, key: Vocabulary.Key = .item, at time: UInt64? = nil) -> Bool {
    let stack = FastPathStack(self)
    switch UInt32(truncatingIfNeeded: token.bits) {
    case UInt32(truncatingIfNeeded: FXTWord.plainSpan):
      guard stack.entryIfInnermost(token) != nil else { return false }
      return endFast(begin: token.begin, header: token.bits, item: nil, on: stack, at: time)
    case UInt32(truncatingIfNeeded: FXTWord.itemSpan):
      guard stack.isInnermost(begin: token.begin) else { return false }
      return endFast(
        begin: token.begin, header: token.bits, item: token.item, key: key, on: stack, at: time)
    default: return false
    }
  }

  /// Replaces the innermost open span of this thread, which has no item, by another with a single
  /// time. Returns a token without a writer if it did not.
  @inline(__always)
  func switchFast(
    _ token: SpanToken, to name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>
  ) -> SpanToken {
    let stack = FastPathStack(self)
    let record = pointee.cursor
    let next = record + 24
    guard UInt32(truncatingIfNeeded: token.bits) == UInt32(truncatingIfNeeded: FXTWord.plainSpan),
      let entry = stack.entryIfInnermost(token),
      let found = headerEntry(category: category, name: name), token.begin >= pointee.chunkFloor,
      hasRoom(upTo: next), let now = fastTime()
    else { return .off }
    let end = Swift.max(now, pointee.earliestEnd)
    let begin = Swift.max(end, pointee.earliestBegin)
    pointee.earliestBegin = begin &+ 1
    pointee.earliestEnd = begin
    writeSpan(
      at: record, begin: token.begin, header: token.bits, item: nil, key: .item, to: end,
      next: next)
    // Until the start is stored, the entry is that of the recorded span, which counts as closed.
    (entry + RecordingLayout.Entry.category).storeBytes(
      of: found.pointee.references, as: UInt64.self)
    scrolltrace_store_release(entry + RecordingLayout.Entry.begin, begin)
    return SpanToken(
      writer: UnsafeMutableRawPointer(self), begin: begin, bits: found.pointee.header,
      item: stack.exchange().word)
  }

  /// Returns whether a record that ends at `next` fits into the chunk, and the chunk may still be
  /// written to.
  @inline(__always)
  func hasRoom(upTo next: UnsafeMutableRawPointer) -> Bool { UInt(bitPattern: next) <= limit }

  /// Pushes a span onto a stack that has room for it.
  @inline(__always)
  func pushFast(
    _ found: UnsafeMutablePointer<HeaderEntry>, item: UInt64?, at begin: UInt64,
    onto stack: FastPathStack
  ) -> FastPathSpan {
    let entry = stack.nextEntry
    scrolltrace_store(entry + RecordingLayout.Entry.begin, begin)
    let header = found.pointee.header
    if let item {
      let flag = UInt64(RecordingLayout.Entry.hasItem) << 32
      (entry + RecordingLayout.Entry.item).storeBytes(of: item, as: UInt64.self)
      (entry + RecordingLayout.Entry.category).storeBytes(
        of: found.pointee.references | flag, as: UInt64.self)
    } else {
      (entry + RecordingLayout.Entry.category).storeBytes(
        of: found.pointee.references, as: UInt64.self)
    }
    let word = stack.push().word
    return FastPathSpan(
      writer: UnsafeMutableRawPointer(self), begin: begin,
      header: item == nil ? header : header &+ (FXTWord.itemSpan &- FXTWord.plainSpan), word: word)
  }

  /// Writes the record of a span that ends at `next` (W1 to W3).
  @inline(__always)
  func writeSpan(
    at record: UnsafeMutableRawPointer, begin: UInt64, header: UInt64, item: UInt64?,
    key: Vocabulary.Key, to end: UInt64, next: UnsafeMutableRawPointer
  ) {
    (record + 8).storeBytes(of: begin.littleEndian, as: UInt64.self)
    (next - 8).storeBytes(of: end.littleEndian, as: UInt64.self)
    if let item {
      let argument = FXTWord.argument(.uint64, words: 2, key: key.index)
      (record + 16).storeBytes(of: argument.littleEndian, as: UInt64.self)
      (record + 24).storeBytes(of: item.littleEndian, as: UInt64.self)
    }
    writePad(at: next, behind: record, size: item == nil ? 24 : 40)
    scrolltrace_store_release(record, header.littleEndian)
    pointee.cursor = next
  }

  /// Writes the pad after a record that replaces the start of the existing pad (W2).
  @inline(__always)
  func writePad(
    at next: UnsafeMutableRawPointer, behind record: UnsafeMutableRawPointer, size: UInt64
  ) {
    // The existing pad covers the rest of the chunk.
    let pad = UInt64(littleEndian: record.load(as: UInt64.self))
    let left = pad &- FXTWord.padGrowth &* size
    next.storeBytes(of: left.littleEndian, as: UInt64.self)
  }
}

/// A span that was begun on the fast path.
@usableFromInline
struct FastPathSpan {
  @usableFromInline let writer: UnsafeMutableRawPointer
  @usableFromInline let begin: UInt64
  @usableFromInline let header: UInt64
  /// The stack's state word when the span was the innermost.
  @usableFromInline let word: UInt64

  /// Ends the span without an item.
  @usableFromInline @inline(never)
  func end() {
    let writer = writer.assumingMemoryBound(to: ThreadWriter.self)
    scrolltrace_enter()
    let stack = FastPathStack(writer)
    let hasEnded =
      stack.isAsDeep(as: word) && writer.endFast(begin: begin, header: header, item: nil, on: stack)
    scrolltrace_leave(writer)
    if !hasEnded { token(item: nil).endNested() }
  }

  @usableFromInline @inline(never)
  func end(item: UInt64) {
    let writer = writer.assumingMemoryBound(to: ThreadWriter.self)
    scrolltrace_enter()
    let stack = FastPathStack(writer)
    let hasEnded =
      stack.isAsDeep(as: word)
      && writer.endFast(begin: begin, header: header, item: item, on: stack)
    scrolltrace_leave(writer)
    if !hasEnded { token(item: item).endNested() }
  }

  @inlinable
  func token(item: UInt64?) -> SpanToken {
    SpanToken(writer: writer, begin: begin, bits: header, item: item ?? word)
  }
}

extension UnsafeMutablePointer<ControlBlock> {
  /// Begins a span of the calling thread on the fast path, or returns `nil`.
  @usableFromInline @inline(never)
  func openSpan(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>
  ) -> FastPathSpan? {
    guard let writer = UnsafeMutablePointer<ThreadWriter>.last(of: self) else { return nil }
    scrolltrace_enter()
    let span = writer.beginFast(name, category, item: nil)
    scrolltrace_leave(writer)
    return span
  }

  /// Begins a span with an item on the fast path, or returns `nil`.
  @usableFromInline @inline(never)
  func openSpan(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>, item: UInt64
  ) -> FastPathSpan? {
    guard let writer = UnsafeMutablePointer<ThreadWriter>.last(of: self) else { return nil }
    scrolltrace_enter()
    let span = writer.beginFast(name, category, item: item)
    scrolltrace_leave(writer)
    return span
  }
}

/// A thread's stack of open spans, whose state word is read once.
struct FastPathStack {
  private let slot: UnsafeMutableRawPointer
  /// The depth and the generation.
  let word: UInt64

  @inline(__always)
  init(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let slot = writer.stack
    self.init(slot, UInt64(littleEndian: (slot + RecordingLayout.Slot.depth).load(as: UInt64.self)))
  }

  @inline(__always)
  private init(_ slot: UnsafeMutableRawPointer, _ word: UInt64) {
    self.slot = slot
    self.word = word
  }

  /// Whether an entry is free.
  @inline(__always)
  var hasRoom: Bool {
    word & (0xFFFF_FFFF & ~UInt64(truncatingIfNeeded: RecordingLayout.Stacks.entryCount - 1)) == 0
  }

  /// The entry after the innermost span's, or `nil` if the stack is full.
  @inline(__always)
  var nextEntry: UnsafeMutableRawPointer {
    UnsafeMutablePointer<ThreadWriter>.entry(Int(word & 0xFFFF_FFFF), of: slot)
  }

  /// Returns whether the depth is the same as when the state word was `word`.
  @inline(__always)
  func isAsDeep(as word: UInt64) -> Bool {
    UInt32(truncatingIfNeeded: word) == UInt32(truncatingIfNeeded: self.word)
  }

  /// The entry of a span without an item that was begun on the fast path, or `nil` if it is not the
  /// innermost.
  @inline(__always)
  func entryIfInnermost(_ token: SpanToken) -> UnsafeMutableRawPointer? {
    guard isAsDeep(as: token.item) else { return nil }
    // The token guarantees that the depth is that of an entry.
    let index =
      (UInt32(truncatingIfNeeded: word) &- 1) & UInt32(RecordingLayout.Stacks.entryCount - 1)
    let entry = UnsafeMutablePointer<ThreadWriter>.entry(Int(index), of: slot)
    let isSame = scrolltrace_load(entry + RecordingLayout.Entry.begin) == token.begin
    return isSame ? entry : nil
  }

  /// Returns whether the innermost open span began at `begin`. The starts of a thread's spans
  /// differ.
  @inline(__always)
  func isInnermost(begin: UInt64) -> Bool {
    let index = UInt32(truncatingIfNeeded: word) &- 1
    guard index < UInt32(truncatingIfNeeded: RecordingLayout.Stacks.entryCount) else {
      return false
    }
    let entry = UnsafeMutablePointer<ThreadWriter>.entry(Int(index), of: slot)
    return scrolltrace_load(entry + RecordingLayout.Entry.begin) == begin
  }

  /// Counts the new entry, after its content was written (F-5).
  @inline(__always)
  func push() -> FastPathStack { set(word &+ (1 << 32 | 1)) }

  /// Pops the innermost entry.
  @inline(__always) @discardableResult
  func pop() -> FastPathStack { set(word &+ (1 << 32 &- 1)) }

  /// Records that the innermost entry was replaced.
  @inline(__always)
  func exchange() -> FastPathStack { set(word &+ 1 << 32) }

  @inline(__always)
  private func set(_ word: UInt64) -> FastPathStack {
    scrolltrace_store_release(slot + RecordingLayout.Slot.depth, word.littleEndian)
    return FastPathStack(slot, word)
  }
}

extension SpanToken {
  @inline(never)
  func endSlow() { recorder?.closeSpan(self) }

  /// Ends the span, which is around a closure, the long way.
  @inline(never)
  func endNested() { recorder?.closeNestedSpan(self) }

  /// Ends the span if it is the calling thread's innermost, and returns whether it did.
  @usableFromInline @inline(never)
  func endFast() -> Bool {
    guard let writer = writerHere else { return false }
    scrolltrace_enter()
    let hasEnded = writer.endFast(self)
    scrolltrace_leave(writer)
    return hasEnded
  }

  /// Ends the recorded span and begins a phase at the same time.
  @usableFromInline @inline(never)
  func change(toPhase phase: RecordedName) -> SpanToken {
    if let writer = writerHere,
      writer.pointee.control.mode == RecorderMode.on
    {
      scrolltrace_enter()
      let next = writer.switchFast(self, to: phase.start, SpanCategory.phase.name.start)
      scrolltrace_leave(writer)
      if next.writer != nil { return next }
    }
    return recorder?.exchangeSpan(self, toPhase: phase) ?? .off
  }

  /// The span's recorder, or `nil` if the thread no longer exists.
  var recorder: RecorderPointer? {
    writer.flatMap(ThreadWriter.recorder).map { RecorderPointer(control: $0, simulated: nil) }
  }

  /// The span's writer, or `nil` if this thread used another one last.
  @inline(__always)
  var writerHere: UnsafeMutablePointer<ThreadWriter>? {
    let current = scrolltrace_get_writer()
    guard UInt(bitPattern: writer) == UInt(bitPattern: current) else { return nil }
    return current.assumingMemoryBound(to: ThreadWriter.self)
  }
}
