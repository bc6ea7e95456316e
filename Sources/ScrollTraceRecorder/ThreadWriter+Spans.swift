internal import CRecorderPrimitives
internal import ScrollTraceFormat

extension UnsafeMutablePointer<ThreadWriter> {
  /// Begins a span: nothing but an entry in the stack of open spans.
  ///
  /// - Parameter time: When it began; `nil` for now.
  @inline(__always)
  func beginSpan(
    _ name: RecordedName, _ category: RecordedName, item: UInt64?, at time: UInt64? = nil
  ) -> SpanToken {
    guard let reference = reference(category: category, name: name) else { return .off }
    let key = ArgumentKey.item.bit
    if item != nil, pointee.defined[0] & key == 0 {
      guard prepare(words: 5, keys: key, reference, NameReference(word: 0)) else { return .off }
    }
    return beginSpan(reference, item: item, at: time)
  }

  /// Begins a span whose texts are defined in the current chunk.
  @inline(__always)
  func beginSpan(_ reference: NameReference, item: UInt64?, at time: UInt64? = nil) -> SpanToken {
    let now = time ?? readClock()
    let begin = Swift.max(now, pointee.earliestBegin)
    pointee.earliestBegin = begin &+ 1
    pointee.earliestEnd = begin
    if pointee.depth >= ProfileLayout.Stacks.entryCount { dropEndedEntries() }
    let depth = pointee.depth
    let generation = pointee.stackGeneration &+ 1
    if depth < ProfileLayout.Stacks.entryCount {
      let entry = Self.entry(depth, of: pointee.stack)
      let references = reference.isInline ? 0 : reference.word >> 32
      let flags: UInt64 = item == nil ? 0 : UInt64(ProfileLayout.Entry.hasItem) << 32
      (entry + ProfileLayout.Entry.begin).storeBytes(of: begin, as: UInt64.self)
      (entry + ProfileLayout.Entry.category).storeBytes(of: references | flags, as: UInt64.self)
      (entry + ProfileLayout.Entry.item).storeBytes(of: item ?? 0, as: UInt64.self)
      (entry + ProfileLayout.Entry.generation).storeBytes(
        of: UInt64(generation), as: UInt64.self)
    }
    setDepth(depth + 1, generation: generation)
    let bits =
      reference.word | UInt64(Swift.min(depth, 0xFFFF)) | (item == nil ? 0 : SpanToken.hasItemBit)
    return SpanToken(
      writer: UnsafeMutableRawPointer(self), begin: begin, bits: bits, item: item ?? 0)
  }

  /// Whether `token` is that of an open span of this thread.
  @inline(__always)
  func isOpen(_ token: SpanToken) -> Bool {
    let depth = token.depth
    guard depth < pointee.depth else { return false }
    if depth >= ProfileLayout.Stacks.entryCount { return true }
    let entry = Self.entry(depth, of: pointee.stack) + ProfileLayout.Entry.begin
    return entry.load(as: UInt64.self) == token.begin
  }

  /// When a span ends that is ended now.
  @inline(__always)
  func takeEnd(at time: UInt64?) -> UInt64 {
    let end = Swift.max(time ?? readClock(), pointee.earliestEnd)
    pointee.earliestEnd = end
    pointee.earliestBegin = Swift.max(pointee.earliestBegin, end)
    return end
  }

  /// Ends an open span of this thread without further arguments.
  ///
  /// What is left inside it is taken off the stack too.
  @inline(__always)
  func endSpan(_ token: SpanToken) {
    let end = takeEnd(at: nil)
    let reference = token.reference
    let words = token.hasItem ? 5 : 3
    let next = pointee.cursor + words * 8
    guard next <= pointee.limit, token.begin >= pointee.chunkFloor, !reference.isInline else {
      endSpanSlowly(token, at: end)
      return
    }
    let record = pointee.cursor
    (record + 8).storeBytes(of: token.begin.littleEndian, as: UInt64.self)
    let last: UnsafeMutableRawPointer
    let header: UInt64
    if token.hasItem {
      let argument = FXTWord.argument(.unsigned, words: 2, key: .item)
      (record + 16).storeBytes(of: argument.littleEndian, as: UInt64.self)
      (record + 24).storeBytes(of: token.item.littleEndian, as: UInt64.self)
      last = record + 32
      header = FXTWord.event(.complete, words: 5, arguments: 1)
    } else {
      last = record + 16
      header = FXTWord.event(.complete, words: 3, arguments: 0)
    }
    last.storeBytes(of: end.littleEndian, as: UInt64.self)
    let left = UInt64(pointee.chunkEnd - next) >> 3
    next.storeBytes(of: FXTWord.pad(words: left).littleEndian, as: UInt64.self)
    scrolltrace_store_release(record, (header | reference.headerBits).littleEndian)
    pointee.cursor = next
    setDepth(token.depth, generation: pointee.stackGeneration &+ 1)
  }

  /// Ends a span when its chunk is full, its texts are not defined any more or have no index.
  @inline(never)
  private func endSpanSlowly(_ token: SpanToken, at end: UInt64) {
    writeSpan(token, at: end, details: ItemDetails(item: token.hasItem ? token.item : nil))
    setDepth(token.depth, generation: pointee.stackGeneration &+ 1)
  }

  /// Ends an open span of this thread with arguments.
  func endSpan(_ token: SpanToken, at time: UInt64?, details: some EventDetails) {
    writeSpan(token, at: takeEnd(at: time), details: details)
    setDepth(token.depth, generation: pointee.stackGeneration &+ 1)
  }

  /// Writes the event of a span of this thread.
  private func writeSpan(_ token: SpanToken, at end: UInt64, details: some EventDetails) {
    writeEvent(.complete, token.reference, at: token.begin, tail: end, details: details)
  }

  /// Writes a span that belongs to no thread's stack as two events with an id of their own (F-6).
  func writeAsync(
    _ reference: NameReference, from begin: UInt64, to end: UInt64, details: some EventDetails
  ) {
    let id = takeAsyncID()
    writeEvent(.asyncBegin, reference, at: begin, tail: id, details: details)
    writeEvent(.asyncEnd, reference, at: Swift.max(begin, end), tail: id, details: NoDetails())
  }

  /// An id for an asynchronous span that no other of the recording has.
  func takeAsyncID() -> UInt64 {
    pointee.asyncCount += 1
    return UInt64(pointee.ordinal) << 32 | (pointee.asyncCount & 0xFFFF_FFFF)
  }

  /// The entry number `index` of a slot.
  @inline(__always)
  static func entry(
    _ index: Int, of slot: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    slot + ProfileLayout.Slot.entries + index * ProfileLayout.Entry.size
  }

  /// Stores depth and generation of the stack of open spans, after the entries (F-5).
  @inline(__always)
  func setDepth(_ depth: Int, generation: UInt32) {
    pointee.depth = depth
    pointee.stackGeneration = generation
    let word = UInt64(UInt32(truncatingIfNeeded: depth)) | UInt64(generation) << 32
    scrolltrace_store_release(pointee.stack + ProfileLayout.Slot.depth, word.littleEndian)
  }

  /// Takes entries off the top of the stack that another thread has ended.
  @inline(never)
  func dropEndedEntries() {
    var depth = pointee.depth
    guard depth <= ProfileLayout.Stacks.entryCount else { return }
    while depth > 0, Self.entry(depth - 1, of: pointee.stack).load(as: UInt64.self) == 0 {
      depth -= 1
    }
    if depth != pointee.depth { setDepth(depth, generation: pointee.stackGeneration &+ 1) }
  }
}
