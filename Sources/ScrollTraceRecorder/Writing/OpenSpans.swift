internal import CRecorderShims
internal import ScrollTraceLayout

extension UnsafeMutablePointer<ThreadWriter> {
  /// Begins a span, now if there is no time, which only adds an entry to the stack of open spans.
  func beginSpan(
    _ name: RecordedName, _ category: RecordedName, item: UInt64?, at time: UInt64? = nil
  ) -> SpanToken {
    guard let reference = reference(category: category, name: name) else { return .off }
    let key = Vocabulary.Key.item.bit
    if item != nil, pointee.defined[0] & key == 0 {
      guard prepare(words: 5, keys: key, reference, NameReference(word: 0)) else { return .off }
    }
    return beginSpan(reference, item: item, at: time)
  }

  /// Begins a span whose texts are defined in the current chunk.
  func beginSpan(_ reference: NameReference, item: UInt64?, at time: UInt64? = nil) -> SpanToken {
    let now = time ?? readClock()
    if depth >= RecordingLayout.Stacks.entryCount { dropEndedEntries() }
    return push(reference, item: item, at: now)
  }

  /// Pushes a span onto the stack of open spans, which may be full.
  private func push(_ reference: NameReference, item: UInt64?, at time: UInt64) -> SpanToken {
    let begin = takeBegin(time)
    let depth = depth
    let word = stackWord &+ (1 << 32 | 1)
    if depth < RecordingLayout.Stacks.entryCount {
      let entry = Self.entry(depth, of: stack)
      let references = reference.isInline ? 0 : reference.word >> 32
      let flags: UInt64 = item == nil ? 0 : UInt64(RecordingLayout.Entry.hasItem) << 32
      scrolltrace_store(entry + RecordingLayout.Entry.begin, begin)
      (entry + RecordingLayout.Entry.category).storeBytes(of: references | flags, as: UInt64.self)
      (entry + RecordingLayout.Entry.item).storeBytes(of: item ?? 0, as: UInt64.self)
    } else if depth < ThreadWriter.deepest {
      pointee.keepDeepBegin(begin, at: depth)
    }
    setStack(word)
    let hasHeader = depth < RecordingLayout.Stacks.entryCount && !reference.isInline
    return SpanToken(
      writer: UnsafeMutableRawPointer(self), begin: begin,
      bits: hasHeader
        ? (item == nil ? FXTWord.plainSpan : FXTWord.itemSpan) | reference.headerBits
        : SpanToken.bits(reference, depth: depth, hasItem: item != nil),
      item: item ?? (hasHeader ? word : 0))
  }

  /// The number of spans open around that of `token`, or `nil` if it is not open on this thread.
  func depth(of token: SpanToken) -> Int? {
    if let depth = token.depth, depth >= RecordingLayout.Stacks.entryCount {
      guard depth < Swift.min(self.depth, ThreadWriter.deepest) else { return nil }
      return pointee.deepBegin(at: depth) == token.begin ? depth : nil
    }
    // The starts of a thread's spans differ.
    var index = Swift.min(depth, RecordingLayout.Stacks.entryCount)
    while index > 0 {
      index -= 1
      let entry = Self.entry(index, of: stack) + RecordingLayout.Entry.begin
      if scrolltrace_load(entry) == token.begin { return index }
    }
    return nil
  }

  /// The start of a span that is begun at `time`.
  @inline(__always)
  func takeBegin(_ time: UInt64) -> UInt64 {
    let begin = Swift.max(time, pointee.earliestBegin)
    pointee.earliestBegin = begin &+ 1
    pointee.earliestEnd = begin
    return begin
  }

  /// The end of a span that is ended at `time`.
  @inline(__always)
  func takeEnd(_ time: UInt64) -> UInt64 {
    guard time > pointee.earliestEnd else { return pointee.earliestEnd }
    pointee.earliestEnd = time
    // At most one later than the earliest end.
    pointee.earliestBegin = time
    return time
  }

  /// Ends an open span of this thread with `depth` open spans around it.
  ///
  /// Spans that are still open inside it are removed from the stack.
  func endSpan(_ token: SpanToken, depth: Int, at time: UInt64?, details: some EventDetails) {
    let end = takeEnd(time ?? readClock())
    writeEvent(.durationComplete, token.reference, at: token.begin, tail: end, details: details)
    if depth &+ 1 != self.depth {
      distrustDepths()
      keepLeftBehind(above: depth)
    }
    pop(to: UInt64(truncatingIfNeeded: depth))
  }

  /// Ends an open span of this thread whose code was suspended: it is no work of the thread.
  ///
  /// The spans inside it stay on the stack.
  @inline(never)
  func endSuspendedSpan(
    _ token: SpanToken, depth: Int, at time: UInt64?, details: some EventDetails
  ) {
    let end = time ?? readClock()
    writeAsync(token.reference, from: token.begin, to: end, isApart: true, details: details)
    if depth < RecordingLayout.Stacks.entryCount {
      scrolltrace_store(Self.entry(depth, of: stack) + RecordingLayout.Entry.begin, 0)
    } else {
      pointee.keepDeepBegin(0, at: depth)
    }
    if depth &+ 1 == self.depth { pop(to: UInt64(truncatingIfNeeded: depth)) }
    dropEndedEntries()
  }

  /// Writes a span outside any thread's stack, as two events with an ID of their own (F-6).
  ///
  /// - Parameter isApart: Whether it is no work of this thread.
  func writeAsync(
    _ reference: NameReference, from begin: UInt64, to end: UInt64, isApart: Bool = false,
    details: some EventDetails
  ) {
    let id = takeAsyncID(isApart: isApart)
    writeEvent(.asyncBegin, reference, at: begin, tail: id, details: details)
    writeEvent(.asyncEnd, reference, at: Swift.max(begin, end), tail: id, details: NoDetails())
  }

  /// Returns an ID for an asynchronous span that is unique in the recording.
  func takeAsyncID(isApart: Bool = false) -> UInt64 {
    pointee.asyncCount += 1
    return (isApart ? RecordingLayout.apartID : 0) | UInt64(pointee.ordinal) << 32
      | (pointee.asyncCount & 0xFFFF_FFFF)
  }

  @inline(__always)
  static func entry(
    _ index: Int, of slot: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    slot + RecordingLayout.Slot.entries + index * RecordingLayout.Entry.size
  }

  /// The state word of the stack of open spans in its slot: depth and generation.
  @inline(__always)
  var stackWord: UInt64 {
    UInt64(
      littleEndian: (stack + RecordingLayout.Slot.depth).load(as: UInt64.self))
  }

  @inline(__always)
  var depth: Int { Int(truncatingIfNeeded: stackWord & 0xFFFF_FFFF) }

  /// Removes entries from the stack of open spans until `depth` remain.
  @inline(__always)
  func pop(to depth: UInt64) { setStack(((stackWord >> 32) &+ 1) << 32 | depth) }

  /// Stores the depth and generation of the stack, after the entries (F-5).
  @inline(__always)
  func setStack(_ word: UInt64) {
    scrolltrace_store_release(stack + RecordingLayout.Slot.depth, word.littleEndian)
  }

  /// Removes entries from the top of the stack that another thread has ended.
  @inline(never)
  func dropEndedEntries() {
    let open = depth
    var depth = open
    guard depth <= RecordingLayout.Stacks.entryCount else { return }
    while depth > 0, scrolltrace_load(Self.entry(depth - 1, of: stack)) == 0 { depth -= 1 }
    if depth != open {
      distrustDepths()
      pop(to: UInt64(truncatingIfNeeded: depth))
    }
  }

  /// Remembers the starts of the spans above `depth`, which leave the stack before they end.
  private func keepLeftBehind(above depth: Int) {
    for index in (depth + 1)..<Swift.max(depth + 1, Swift.min(self.depth, ThreadWriter.deepest)) {
      let begin =
        index < RecordingLayout.Stacks.entryCount
        ? scrolltrace_load(Self.entry(index, of: stack)) : pointee.deepBegin(at: index) ?? 0
      // The entry of a span that another thread has ended is 0.
      if begin != 0 { pointee.leftBehind.insert(begin) }
    }
  }

  /// Forces all open spans to end on the slow path. The stack has lost an entry that was not its
  /// innermost, so a span of equal depth may no longer be the innermost.
  private func distrustDepths() { pointee.chunkFloor = pointee.earliestBegin }
}

/// The starts of spans that left their thread's stack before they ended, because a span around them
/// ended first. They can still end, and their first end differs from a repeated one.
struct LeftBehindSpans {
  /// The capacity. If it is exceeded, every end counts as a first end.
  private static var capacity: Int { 64 }

  private var begins: [UInt64] = []
  private var hasOverflowed = false

  mutating func insert(_ begin: UInt64) {
    guard begins.count < Self.capacity else {
      hasOverflowed = true
      return
    }
    begins.append(begin)
  }

  var isEmpty: Bool { begins.isEmpty && !hasOverflowed }

  /// Removes a span that ends now, and returns whether this may be its first end.
  mutating func remove(_ begin: UInt64) -> Bool {
    guard let index = begins.firstIndex(of: begin) else { return hasOverflowed }
    begins.remove(at: index)
    return true
  }
}
