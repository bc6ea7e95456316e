internal import CRecorderShims
internal import ScrollTraceLayout

/// The state with which one thread writes its events. Only that thread uses it, so without a lock.
///
/// It is in memory of its own, found through a thread-local pointer, and is reused for another
/// thread when its own has ended.
@usableFromInline
struct ThreadWriter {
  var control: UnsafeMutablePointer<ControlBlock>
  var cursor: UnsafeMutableRawPointer
  /// The address before which records must end: the chunk's end less the room for a seal, or 0 if
  /// nothing may be written. Accessed with relaxed ordering, because `finish` on another thread
  /// sets it to 0.
  var limitWord: UInt64 = 0
  var chunkEnd: UnsafeMutableRawPointer
  /// The number of this writer's chunks, so that a name can tell whether it is defined in the
  /// current one.
  var generation: UInt64 = 0
  /// The time from which spans have their texts defined in this chunk.
  var chunkFloor: UInt64 = 0
  /// The earliest time at which the next span may begin (F-6).
  var earliestBegin: UInt64 = 0
  /// The earliest time at which the innermost span may end.
  var earliestEnd: UInt64 = 0
  /// The address of the slot in a stack chunk, or of equivalent memory. Accessed with relaxed
  /// ordering, because the slot is replaced when the recording is finished on another thread.
  var stackAddress: UInt64
  /// This thread's copy of the tick counter's calibration.
  var line = TickCalibration.none
  /// The texts that this chunk defines: one bit for each number up to `NameTable.lastIndex`.
  let defined: UnsafeMutablePointer<UInt64>
  /// The cache of names, by the addresses of their bytes.
  let names: UnsafeMutablePointer<NameCacheEntry>

  /// The starts of the spans without an entry in the stack, or `nil` before the first one.
  var deepBegins: UnsafeMutablePointer<UInt64>?
  /// The spans that left the stack before they ended.
  var leftBehind = LeftBehindSpans()
  /// The keys of the thread's counts that frames record; none if they record none.
  var threadTimeKeys: UInt64 = 0
  /// What samples the thread's stacks while a frame is open, or `nil` if nothing does.
  var sampler: OpaquePointer?
  /// The thread as it is sampled, from its first frame on.
  var sampledThread: OpaquePointer?
  /// Whether more is done at the start and end of a frame than to record it.
  var hasFrameWork = false
  /// Whether the times of a frame were compared with the clock, or need not be.
  var hasCheckedTiming = false
  /// Likewise, a time of presentation.
  var hasCheckedPresentation = false
  /// The start of the last frame of this thread.
  var lastFrameBegin: UInt64 = 0
  /// Whether the thread's name is a cut name of a thread pool.
  var isNamedByPool = false
  /// Whether a name or a notice is being written, which is no event.
  var isNaming = false
  /// The number of the chunk in the file, or `nil` if there is none.
  var chunk: Int?
  var chunkCount: UInt64 = 0
  /// Whether the thread began in the chunk of one that had ended.
  var hasLentChunk = false
  /// A time after all events of the threads that wrote to the chunk before.
  var chunkEarliestEnd: UInt64 = 0
  /// The number of events this thread has lost.
  var dropCount: UInt64 = 0
  var asyncCount: UInt64 = 0
  /// The number of the writer in the recording, from 1: the provider ID of its chunks.
  var ordinal: UInt32
  var thread: UInt32
  var threadName: RecordedName
  /// See `RecordingLayout.ChunkFlag`.
  var flags: UInt32
  /// Whether the host records for a simulated thread.
  var isSimulated: Bool
  /// The writer of the same thread for another recorder.
  var nextOfThread: UnsafeMutablePointer<ThreadWriter>?

  /// The number of words with a bit for each text with an index.
  static var definedWordCount: Int { (Int(NameTable.lastIndex) + 1) / 64 }
  /// The number of cache entries, a power of two.
  static var nameCount: Int { 512 }
  /// The number of consecutive cache entries that are tried.
  static var nameProbes: Int { 8 }

  /// The value of `limitWord` while a chunk is being begun, which has room for nothing either.
  static var noLimitYet: UInt { 1 }
  /// The offset of `limitWord`. Passing a property inout counts as a change of the whole value, and
  /// two threads may access this one at the same time.
  static var limitOffset: Int { 16 }
  /// The offset of `stackAddress`, likewise.
  static var stackOffset: Int { 64 }
  /// The offset of the table of headers from a writer: a constant, so that it needs no load.
  static var headerTableOffset: Int { 512 }
  /// The number of entries of the table of headers, a power of two.
  static var headerCount: Int { 256 }
  /// The offset of a slot of the writer's own, for when it has none in the file.
  static var ownSlotOffset: Int {
    headerTableOffset + headerCount * MemoryLayout<HeaderEntry>.stride
  }

  /// The words before a writer, which other threads read: see `recorder(of:)`, `isRetired`, `isInUse`
  /// and `writerAddress`.
  fileprivate enum Word {
    static var recorder: Int { -8 }
    static var retired: Int { -16 }
    static var inUse: Int { -24 }
    static var writerAddress: Int { -32 }
    static var tokens: Int { -40 }
  }

  /// Allocates a writer, its table of headers and its own slot, which share no cache line with
  /// anything else.
  private static func allocate() -> UnsafeMutablePointer<ThreadWriter> {
    assert(MemoryLayout<ThreadWriter>.size <= headerTableOffset)
    assert(MemoryLayout<ThreadWriter>.offset(of: \.limitWord) == limitOffset)
    assert(MemoryLayout<ThreadWriter>.offset(of: \.stackAddress) == stackOffset)
    let line = 128
    let size = ownSlotOffset + RecordingLayout.Slot.size
    let start = UnsafeMutableRawPointer.allocate(byteCount: line + size, alignment: line)
    return (start + line).bindMemory(to: ThreadWriter.self, capacity: 1)
  }

  /// The recorder of a writer that another thread may be using, so that the writer itself must not
  /// be read.
  static func recorder(of writer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<ControlBlock>? {
    let address = (writer + Word.recorder).load(as: UInt64.self)
    return UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: address))
  }

  /// Whether this is the shared writer of the records that a flight recorder never overwrites.
  var isDurable: Bool { flags & RecordingLayout.ChunkFlag.durable != 0 }

  /// The bit of `text` in `defined`.
  @inline(__always)
  func defines(_ number: NameTable.Number) -> Bool {
    defined[Int(number >> 6)] & (1 << UInt64(number & 63)) != 0
  }

  /// Returns whether this chunk defines both texts, which must have indices.
  @inline(__always)
  func defines(_ reference: NameReference) -> Bool {
    defines(NameTable.Number(reference.word >> 32 & 0xFFFF))
      && defines(NameTable.Number(reference.word >> 48))
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// The entry of a pair in the table of headers.
  @inline(__always)
  func headerEntry(_ name: UInt, _ category: UInt) -> UnsafeMutablePointer<HeaderEntry> {
    // The names of a program are close together, so their low bits differ.
    let index = Int(bitPattern: (name ^ category) & UInt(ThreadWriter.headerCount - 1))
    return headers + index
  }

  /// The address before which records must end.
  @inline(__always)
  var limit: UInt {
    get { UInt(scrolltrace_load(UnsafeMutableRawPointer(self) + ThreadWriter.limitOffset)) }
    nonmutating set {
      scrolltrace_store(UnsafeMutableRawPointer(self) + ThreadWriter.limitOffset, UInt64(newValue))
    }
  }

  /// The slot in a stack chunk, or equivalent memory.
  @inline(__always)
  var stack: UnsafeMutableRawPointer {
    get {
      let word = scrolltrace_load(UnsafeMutableRawPointer(self) + ThreadWriter.stackOffset)
      return UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: word)).unsafelyUnwrapped
    }
    nonmutating set {
      scrolltrace_store(
        UnsafeMutableRawPointer(self) + ThreadWriter.stackOffset,
        UInt64(UInt(bitPattern: newValue)))
    }
  }

  var ownSlot: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(self) + ThreadWriter.ownSlotOffset
  }

  /// Whether the recording is finished, so that the writer's thread may give it back.
  var isRetired: Bool {
    get { word(ThreadWriter.Word.retired) != 0 }
    nonmutating set { setWord(ThreadWriter.Word.retired, newValue ? 1 : 0) }
  }

  /// Whether a thread is inside the recorder with the writer of a simulated thread.
  var isInUse: Bool {
    get { word(ThreadWriter.Word.inUse) != 0 }
    nonmutating set { setWord(ThreadWriter.Word.inUse, newValue ? 1 : 0) }
  }

  /// Whether spans of the writer were open when the recording was finished.
  var hasTokens: Bool {
    get { word(ThreadWriter.Word.tokens) != 0 }
    nonmutating set { setWord(ThreadWriter.Word.tokens, newValue ? 1 : 0) }
  }

  /// Returns whether the writer's thread, which must not have ended, is inside a recorder.
  var isThreadInside: Bool {
    let address = UnsafeRawPointer(bitPattern: UInt(word(ThreadWriter.Word.writerAddress)))
    guard let address, address != UnsafeRawPointer(scrolltrace_writer_address()) else {
      return isInUse
    }
    return scrolltrace_load_acquire(address)
      == UInt64(UInt(bitPattern: scrolltrace_inside_writer()))
  }

  /// Forgets the writer's thread, which ends.
  func forgetThread() { setWord(ThreadWriter.Word.writerAddress, 0) }

  private func word(_ offset: Int) -> UInt64 {
    scrolltrace_load_acquire(UnsafeMutableRawPointer(self) + offset)
  }

  private func setWord(_ offset: Int, _ value: UInt64) {
    scrolltrace_store_release(UnsafeMutableRawPointer(self) + offset, value)
  }

  /// Frees what only a writer that records needs, of one that is never used again.
  func freeTables() {
    pointee.names.deallocate()
    pointee.defined.deallocate()
    pointee.deepBegins?.deallocate()
  }

  /// Turns the writer of a thread that has ended into that of another, which continues its chunk: what
  /// the chunk defines means the same to all threads.
  fileprivate func lend(
    slot: UnsafeMutableRawPointer, ordinal: UInt32, thread: UInt32, threadName: RecordedName,
    flags: UInt32
  ) {
    stack = slot
    pointee.chunkFloor = 0
    pointee.earliestBegin = 0
    pointee.earliestEnd = 0
    pointee.line = .none
    pointee.leftBehind = LeftBehindSpans()
    pointee.sampledThread = nil
    pointee.lastFrameBegin = 0
    pointee.isNamedByPool = false
    pointee.chunkCount = 0
    pointee.dropCount = 0
    pointee.asyncCount = 0
    pointee.ordinal = ordinal
    pointee.thread = thread
    pointee.threadName = threadName
    pointee.flags = flags
    pointee.nextOfThread = nil
    pointee.hasLentChunk = true
  }

  /// The number of bytes that are left in the chunk.
  var room: Int { max(0, Int(limit) - Int(bitPattern: pointee.cursor)) }

  fileprivate func prepare(for control: UnsafeMutablePointer<ControlBlock>, isSimulated: Bool) {
    (UnsafeMutableRawPointer(self) + ThreadWriter.Word.recorder).storeBytes(
      of: UInt64(UInt(bitPattern: control)), as: UInt64.self)
    isRetired = false
    isInUse = false
    hasTokens = false
    setWord(
      ThreadWriter.Word.writerAddress,
      isSimulated ? 0 : UInt64(UInt(bitPattern: scrolltrace_writer_address())))
    ownSlot.initializeMemory(as: UInt8.self, repeating: 0, count: RecordingLayout.Slot.size)
  }

  @inline(__always)
  var headers: UnsafeMutablePointer<HeaderEntry> {
    (UnsafeMutableRawPointer(self) + ThreadWriter.headerTableOffset)
      .assumingMemoryBound(to: HeaderEntry.self)
  }

  /// Clears the table of headers, for a chunk that defines no texts yet.
  func forgetHeaders() { headers.update(repeating: HeaderEntry(), count: ThreadWriter.headerCount) }
}

extension ThreadWriter {
  /// Creates a writer without a chunk and with empty tables.
  ///
  /// - Parameters:
  ///   - used: A writer of a thread that has ended, whose memory is reused, or `nil`.
  ///   - slot: The slot of its stack of open spans, which is used from the start, before it has a
  ///     chunk, or `nil` for the writer's own.
  static func make(
    for control: UnsafeMutablePointer<ControlBlock>,
    reusing used: UnsafeMutablePointer<ThreadWriter>? = nil, slot: UnsafeMutableRawPointer? = nil,
    ordinal: UInt32, thread: UInt32 = 0, threadName: RecordedName = "", flags: UInt32 = 0,
    isSimulated: Bool = true
  ) -> UnsafeMutablePointer<ThreadWriter> {
    if let used, let slot, used.pointee.chunk != nil {
      used.prepare(for: control, isSimulated: isSimulated)
      used.lend(slot: slot, ordinal: ordinal, thread: thread, threadName: threadName, flags: flags)
      return used
    }
    let used = used ?? ProcessMemory.takeWriter()
    let defined = used?.pointee.defined ?? .allocate(capacity: definedWordCount)
    let names = used?.pointee.names ?? .allocate(capacity: nameCount)
    defined.initialize(repeating: 0, count: definedWordCount)
    names.initialize(repeating: NameCacheEntry(), count: nameCount)
    let deepBegins = used?.pointee.deepBegins
    used?.deinitialize(count: 1)
    let writer = used ?? allocate()
    writer.prepare(for: control, isSimulated: isSimulated)
    let slot = slot ?? writer.ownSlot
    writer.initialize(
      to: ThreadWriter(
        control: control, cursor: slot, chunkEnd: slot,
        stackAddress: UInt64(UInt(bitPattern: slot)), defined: defined,
        names: names, deepBegins: deepBegins, ordinal: ordinal, thread: thread,
        threadName: threadName, flags: flags, isSimulated: isSimulated))
    writer.headers.initialize(repeating: HeaderEntry(), count: headerCount)
    return writer
  }
}

/// Spans deeper than the stack's entries. Only their starts are stored, so that a token can be
/// recognized as open.
extension ThreadWriter {
  /// The depth from which spans are no longer distinguished, which is the maximum depth of a token.
  static var deepest: Int { 0xFFFF }

  mutating func keepDeepBegin(_ begin: UInt64, at depth: Int) {
    // This is address space: the system provides memory only for the part in use.
    let begins = deepBegins ?? .allocate(capacity: Self.deepest)
    deepBegins = begins
    begins[depth] = begin
  }

  /// The start of the open span at `depth`.
  func deepBegin(at depth: Int) -> UInt64? { deepBegins?[depth] }
}
