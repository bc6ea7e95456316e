internal import CRecorderShims
internal import ScrollTraceLayout
internal import Synchronization

/// The paths that nearly all spans take: no calls, few arguments, so that nothing has to be saved.
///
/// Each does all or nothing; where something is to be prepared first, the caller takes the long way.
/// Every instruction counts: on many processors none runs while the tick counter is read.
extension UnsafeMutablePointer<ThreadWriter> {
  /// The writer the calling thread used last, if it is of the recorder `control`.
  @inline(__always)
  static func last(of control: UnsafeMutablePointer<ControlBlock>) -> Self? {
    let writer = scrolltrace_get_writer().assumingMemoryBound(to: ThreadWriter.self)
    return UnsafeRawPointer(writer).load(as: UInt.self) == UInt(bitPattern: control) ? writer : nil
  }

  /// Begins a span now whose texts the chunk defines, or `nil` if it did not.
  ///
  /// - Parameters:
  ///   - name: Where the name's bytes lie.
  ///   - category: Where the category's bytes lie.
  ///   - time: When it begins; `nil` for now.
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

  /// Ends a span of this thread that is as deep as the innermost one; whether it did.
  ///
  /// - Parameters:
  ///   - item: The argument, where the header has one.
  ///   - key: What the argument is called; defined in this chunk.
  ///   - time: When it ends; `nil` for now.
  @inline(__always)
  func endFast(
    begin: UInt64, header: UInt64, item: UInt64?, key: ArgumentKey = .item,
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

  /// Ends the innermost open span of this thread, with no argument but its item; whether it did.
  @inline(__always)
  func endFast(_ token: SpanToken, key: ArgumentKey = .item, at time: UInt64? = nil) -> Bool {
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

  /// Ends the innermost open span of this thread, which has no item, and begins another in its place,
  /// with one time for both; a token without writer where it did not.
  @inline(__always)
  func switchFast(
    _ token: SpanToken, to name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>
  ) -> SpanToken {
    let stack = FastPathStack(self)
    let record = pointee.cursor
    let next = record + 24
    guard UInt32(truncatingIfNeeded: token.bits) == UInt32(truncatingIfNeeded: FXTWord.plainSpan),
      let entry = stack.entryIfInnermost(token),
      let found = headerEntry(category: category, name: name),
      token.begin >= pointee.chunkFloor, hasRoom(upTo: next),
      let now = fastTime()
    else { return .off }
    let end = Swift.max(now, pointee.earliestEnd)
    let begin = Swift.max(end, pointee.earliestBegin)
    pointee.earliestBegin = begin &+ 1
    pointee.earliestEnd = begin
    writeSpan(
      at: record, begin: token.begin, header: token.bits, item: nil, key: .item, to: end,
      next: next)
    // Until the start is stored, the entry is that of the span that is recorded: not open.
    (entry + RecordingLayout.Entry.category).storeBytes(
      of: found.pointee.references, as: UInt64.self)
    scrolltrace_store_release(entry + RecordingLayout.Entry.begin, begin)
    return SpanToken(
      writer: UnsafeMutableRawPointer(self), begin: begin, bits: found.pointee.header,
      item: stack.exchange().word)
  }

  /// Whether the chunk has room for a record that ends at `next`, and may still be written to.
  @inline(__always)
  func hasRoom(upTo next: UnsafeMutableRawPointer) -> Bool { UInt(bitPattern: next) <= limit }

  /// Puts a span on a stack that has room for it.
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
      header: item == nil ? header : header &+ (FXTWord.itemSpan &- FXTWord.plainSpan),
      word: word)
  }

  /// Writes the record of a span up to `next` (W1 to W3).
  @inline(__always)
  func writeSpan(
    at record: UnsafeMutableRawPointer, begin: UInt64, header: UInt64, item: UInt64?,
    key: ArgumentKey, to end: UInt64, next: UnsafeMutableRawPointer
  ) {
    (record + 8).storeBytes(of: begin.littleEndian, as: UInt64.self)
    (next - 8).storeBytes(of: end.littleEndian, as: UInt64.self)
    if let item {
      let argument = FXTWord.argument(.uint64, words: 2, key: key.rawValue)
      (record + 16).storeBytes(of: argument.littleEndian, as: UInt64.self)
      (record + 24).storeBytes(of: item.littleEndian, as: UInt64.self)
    }
    writePad(at: next, behind: record, size: item == nil ? 24 : 40)
    scrolltrace_store_release(record, header.littleEndian)
    pointee.cursor = next
  }

  /// Writes the pad behind a record that takes the first bytes of the pad there was (W2).
  @inline(__always)
  func writePad(
    at next: UnsafeMutableRawPointer, behind record: UnsafeMutableRawPointer, size: UInt64
  ) {
    // That pad covers all that is left of the chunk.
    let pad = UInt64(littleEndian: record.load(as: UInt64.self))
    let left = pad &- FXTWord.padGrowth &* size
    next.storeBytes(of: left.littleEndian, as: UInt64.self)
  }
}

/// A span that was begun the quick way.
@usableFromInline
struct FastPathSpan {
  /// Its thread's writer.
  @usableFromInline let writer: UnsafeMutableRawPointer
  /// When it began.
  @usableFromInline let begin: UInt64
  /// The header of its record.
  @usableFromInline let header: UInt64
  /// The stack's word when it was the innermost.
  @usableFromInline let word: UInt64

  /// Ends it, without an item.
  @usableFromInline @inline(never)
  func end() {
    let writer = writer.assumingMemoryBound(to: ThreadWriter.self)
    let stack = FastPathStack(writer)
    if stack.isAsDeep(as: word),
      writer.endFast(begin: begin, header: header, item: nil, on: stack)
    {
      return
    }
    token(item: nil).endNested()
  }

  /// Ends it with its item.
  @usableFromInline @inline(never)
  func end(item: UInt64) {
    let writer = writer.assumingMemoryBound(to: ThreadWriter.self)
    let stack = FastPathStack(writer)
    if stack.isAsDeep(as: word),
      writer.endFast(begin: begin, header: header, item: item, on: stack)
    {
      return
    }
    token(item: item).endNested()
  }

  /// The token of the same span.
  @inlinable
  func token(item: UInt64?) -> SpanToken {
    SpanToken(writer: writer, begin: begin, bits: header, item: item ?? word)
  }
}

extension UnsafeMutablePointer<ControlBlock> {
  /// Begins a span of the calling thread the quick way, if it can be.
  @usableFromInline @inline(never)
  func openSpan(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>
  ) -> FastPathSpan? {
    UnsafeMutablePointer<ThreadWriter>.last(of: self)?.beginFast(name, category, item: nil)
  }

  /// The same with an item.
  @usableFromInline @inline(never)
  func openSpan(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>, item: UInt64
  ) -> FastPathSpan? {
    UnsafeMutablePointer<ThreadWriter>.last(of: self)?.beginFast(name, category, item: item)
  }
}

/// The stack of open spans of a thread, whose word is read once.
struct FastPathStack {
  /// Its slot.
  private let slot: UnsafeMutableRawPointer
  /// Depth and generation.
  let word: UInt64

  /// The stack of a writer.
  @inline(__always)
  init(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let slot = writer.pointee.stack
    self.init(
      slot, UInt64(littleEndian: (slot + RecordingLayout.Slot.depth).load(as: UInt64.self)))
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

  /// The entry behind that of the innermost span, where there is room.
  @inline(__always)
  var nextEntry: UnsafeMutableRawPointer {
    UnsafeMutablePointer<ThreadWriter>.entry(Int(word & 0xFFFF_FFFF), of: slot)
  }

  /// Whether as many spans are open as when the stack's word was `word`.
  @inline(__always)
  func isAsDeep(as word: UInt64) -> Bool {
    UInt32(truncatingIfNeeded: word) == UInt32(truncatingIfNeeded: self.word)
  }

  /// The entry of a span without item that was begun the quick way, if it is the innermost.
  @inline(__always)
  func entryIfInnermost(_ token: SpanToken) -> UnsafeMutableRawPointer? {
    guard isAsDeep(as: token.item) else { return nil }
    // The depth is that of an entry, since the token says so.
    let index =
      (UInt32(truncatingIfNeeded: word) &- 1) & UInt32(RecordingLayout.Stacks.entryCount - 1)
    let entry = UnsafeMutablePointer<ThreadWriter>.entry(Int(index), of: slot)
    let isSame = scrolltrace_load(entry + RecordingLayout.Entry.begin) == token.begin
    return isSame ? entry : nil
  }

  /// Whether the innermost open span began at `begin`; begins of one thread differ.
  @inline(__always)
  func isInnermost(begin: UInt64) -> Bool {
    let index = UInt32(truncatingIfNeeded: word) &- 1
    guard index < UInt32(truncatingIfNeeded: RecordingLayout.Stacks.entryCount) else {
      return false
    }
    let entry = UnsafeMutablePointer<ThreadWriter>.entry(Int(index), of: slot)
    return scrolltrace_load(entry + RecordingLayout.Entry.begin) == begin
  }

  /// Counts the entry that was written as one of the stack: after the entry itself (F-5).
  @inline(__always)
  func push() -> FastPathStack { set(word &+ (1 << 32 | 1)) }

  /// Takes the innermost entry off.
  @inline(__always) @discardableResult
  func pop() -> FastPathStack { set(word &+ (1 << 32 &- 1)) }

  /// Says that the innermost entry has become another.
  @inline(__always)
  func exchange() -> FastPathStack { set(word &+ 1 << 32) }

  @inline(__always)
  private func set(_ word: UInt64) -> FastPathStack {
    scrolltrace_store_release(slot + RecordingLayout.Slot.depth, word.littleEndian)
    return FastPathStack(slot, word)
  }
}

extension SpanToken {
  /// Ends the span the long way.
  @inline(never)
  func endSlow() {
    recorder?.closeSpan(self)
  }

  /// Ends the span, which is around a closure, the long way.
  @inline(never)
  func endNested() {
    recorder?.closeNestedSpan(self)
  }

  /// Ends the span if it is the calling thread's innermost; whether it did.
  @usableFromInline @inline(never)
  func endFast() -> Bool {
    writerHere?.endFast(self) ?? false
  }

  /// Ends the span, which was recorded, and begins a phase at the same instant.
  @usableFromInline @inline(never)
  func change(toPhase phase: RecordedName) -> SpanToken {
    if let writer = writerHere,
      writer.pointee.control.pointee.mode.load(ordering: .relaxed) == RecorderMode.on
    {
      let next = writer.switchFast(self, to: phase.start, SpanCategory.phase.name.start)
      if next.writer != nil { return next }
    }
    return recorder?.exchangeSpan(self, toPhase: phase) ?? .off
  }

  /// The recorder the span belongs to, for a thread that exists.
  var recorder: TraceRecorder? {
    writer.flatMap(ThreadWriter.recorder).map { TraceRecorder(control: $0, simulated: nil) }
  }

  /// The span's writer if it is the one this thread used last.
  @inline(__always)
  var writerHere: UnsafeMutablePointer<ThreadWriter>? {
    let current = scrolltrace_get_writer()
    guard UInt(bitPattern: writer) == UInt(bitPattern: current) else { return nil }
    return current.assumingMemoryBound(to: ThreadWriter.self)
  }
}
