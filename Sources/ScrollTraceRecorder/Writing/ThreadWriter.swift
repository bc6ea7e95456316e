internal import CRecorderShims
internal import ScrollTraceLayout
internal import Synchronization

/// What one thread needs to write its events: used by that thread only, so without any lock.
///
/// It lies in memory of its own, found through a thread-local pointer, and is used again for another
/// thread when its own has ended.
@usableFromInline
struct ThreadWriter {
  /// The recorder.
  var control: UnsafeMutablePointer<ControlBlock>
  /// Where the next record goes.
  var cursor: UnsafeMutableRawPointer
  /// Where records must end: the chunk's end less the room for a seal; 0 where nothing may be written.
  /// Read and written with relaxed order, since the end of a recording makes it 0.
  var limitWord: UInt64 = 0
  /// Where the chunk ends.
  var chunkEnd: UnsafeMutableRawPointer
  /// Counts this writer's chunks, so that a name knows whether it is defined in this one.
  var generation: UInt64 = 0
  /// Spans that began at or after this instant have their texts defined in this chunk.
  var chunkFloor: UInt64 = 0
  /// The earliest instant at which the next span may begin (F-6).
  var earliestBegin: UInt64 = 0
  /// The earliest instant at which the innermost span may end.
  var earliestEnd: UInt64 = 0
  /// The slot of a stack chunk, or memory like it.
  var stack: UnsafeMutableRawPointer
  /// This thread's copy of what the tick counter means.
  var line = TickCalibration.none
  /// Which texts this chunk defines: a bit for each number up to `NameTable.lastIndex`.
  let defined: UnsafeMutablePointer<UInt64>
  /// The names used so far, by the addresses of their bytes.
  let names: UnsafeMutablePointer<NameCacheEntry>

  /// When the spans began that have no entry in the stack; `nil` before the first.
  var deepBegins: UnsafeMutablePointer<UInt64>?
  /// The spans that left the stack before they were ended.
  var leftBehind = LeftBehindSpans()
  /// The keys of what is read about the thread at a frame's start and end; none where nothing is.
  var threadTimeKeys: UInt64 = 0
  /// When the last frame of this thread began.
  var lastFrameBegin: UInt64 = 0
  /// Whether its name is what the system left of a thread pool's.
  var isNamedByPool = false
  /// The number of the chunk in the file, or `nil` if there is none.
  var chunk: Int?
  /// How many chunks this thread has had.
  var chunkCount: UInt64 = 0
  /// How many events this thread has lost.
  var dropCount: UInt64 = 0
  /// How many asynchronous spans this writer has begun.
  var asyncCount: UInt64 = 0
  /// Numbers the writers of a recording from 1; the provider id of their chunks.
  var ordinal: UInt32
  /// The thread's id.
  var thread: UInt32
  /// The thread's name; empty where it has none of its own.
  var threadName: RecordedName
  /// See `RecordingLayout.ChunkFlag`.
  var flags: UInt32
  /// Whether the host records in the name of another thread.
  var isSimulated: Bool
  /// The writer of the same thread for another recorder.
  var nextOfThread: UnsafeMutablePointer<ThreadWriter>?

  /// How many words hold a bit for each text with an index.
  static var definedWordCount: Int { (Int(NameTable.lastIndex) + 1) / 64 }
  /// How many names are cached; a power of two.
  static var nameCount: Int { 512 }
  /// How many cache entries in a row are tried.
  static var nameProbes: Int { 8 }

  /// Where `limitWord` lies: a property that is passed on counts as changed as a whole, and two
  /// threads may look at this one at once.
  static var limitOffset: Int { 16 }
  /// Where the table of headers begins behind a writer: a constant, so that it costs no load.
  static var headerTableOffset: Int { 512 }
  /// How many places the table of headers has; a power of two.
  static var headerCount: Int { 256 }

  /// Memory for a writer and its table of headers, sharing no line of the cache with anything else;
  /// before it lies the recorder, see `recorder(of:)`.
  static func allocate(
    for control: UnsafeMutablePointer<ControlBlock>
  ) -> UnsafeMutablePointer<ThreadWriter> {
    assert(MemoryLayout<ThreadWriter>.size <= headerTableOffset)
    assert(MemoryLayout<ThreadWriter>.offset(of: \.limitWord) == limitOffset)
    let line = 128
    let size = headerTableOffset + headerCount * MemoryLayout<HeaderEntry>.stride
    let start = UnsafeMutableRawPointer.allocate(byteCount: line + size, alignment: line)
    (start + line - 8).storeBytes(of: UInt64(UInt(bitPattern: control)), as: UInt64.self)
    return (start + line).bindMemory(to: ThreadWriter.self, capacity: 1)
  }

  /// Gives back the memory of a writer and its table of headers.
  static func deallocate(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    (UnsafeMutableRawPointer(writer) - 128).deallocate()
  }

  /// The recorder of a writer that another thread may be using: the writer itself must not be looked
  /// at.
  static func recorder(
    of writer: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<ControlBlock>? {
    let address = (writer - 8).load(as: UInt64.self)
    return UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: address))
  }

  /// Whether it writes what a flight recorder never overwrites, for all threads.
  var isDurable: Bool { flags & RecordingLayout.ChunkFlag.durable != 0 }

  /// The bit of `text` in `defined`.
  @inline(__always)
  func defines(_ number: NameTable.Number) -> Bool {
    defined[Int(number >> 6)] & (1 << UInt64(number & 63)) != 0
  }

  /// Whether this chunk defines both texts, which have indices.
  @inline(__always)
  func defines(_ reference: NameReference) -> Bool {
    defines(NameTable.Number(reference.word >> 32 & 0xFFFF))
      && defines(NameTable.Number(reference.word >> 48))
  }
}

/// The header of a span of some category and name, both defined in the writer's chunk.
///
/// Its place follows from the addresses of their bytes; a new chunk begins with an empty table.
struct HeaderEntry {
  /// The address of the name's bytes; the greatest number where the place is free, so that what has no
  /// address is not found either.
  var name: UInt = .max
  /// The address of the category's bytes; 0 for a name alone.
  var category: UInt = 0
  /// The header of a span without arguments.
  var header: UInt64 = 0
  /// Category and name as an entry of the stack of open spans has them.
  var references: UInt64 = 0

  init() {}

  init(name: UInt, category: UInt, header: UInt64) {
    self.name = name
    self.category = category
    self.header = header
    references = header >> 32
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// The place of a pair in the table of headers.
  @inline(__always)
  func headerEntry(_ name: UInt, _ category: UInt) -> UnsafeMutablePointer<HeaderEntry> {
    // Names of a program lie close together, so their last bits differ.
    let place = Int(bitPattern: (name ^ category) & UInt(ThreadWriter.headerCount - 1))
    return headers + place
  }

  /// Where records must end, as an address.
  @inline(__always)
  var limit: UInt {
    get { UInt(scrolltrace_load(UnsafeMutableRawPointer(self) + ThreadWriter.limitOffset)) }
    nonmutating set {
      scrolltrace_store(
        UnsafeMutableRawPointer(self) + ThreadWriter.limitOffset, UInt64(newValue))
    }
  }

  /// The table of headers.
  @inline(__always)
  var headers: UnsafeMutablePointer<HeaderEntry> {
    (UnsafeMutableRawPointer(self) + ThreadWriter.headerTableOffset)
      .assumingMemoryBound(to: HeaderEntry.self)
  }

  /// Empties the table of headers, for a chunk that defines no texts yet.
  func forgetHeaders() {
    headers.update(repeating: HeaderEntry(), count: ThreadWriter.headerCount)
  }
}

/// A pair of category and name, found by the addresses of their bytes.
struct NameCacheEntry {
  /// The address of the name's bytes; 0 the entry is free.
  var name: UInt = 0
  /// The address of the category's bytes; 0 for a name alone.
  var category: UInt = 0
  /// The numbers of both.
  var reference = NameReference(word: 0)
}

/// The numbers of a category and a name in one word.
///
/// Bits 32…47 and 48…63 are the string indices of category and name, as an event's header has them.
/// Where one of the texts has no index, bit 17 is set and bits 24…43 and 44…63 are the numbers.
struct NameReference {
  /// The bit that says that one of the texts has no index.
  static var isInlineBit: UInt64 { 1 << 17 }

  /// The word; bits 0…16 are 0.
  let word: UInt64

  init(word: UInt64) {
    self.word = word
  }

  /// The reference to `category` and `name`.
  init(category: NameTable.Number, name: NameTable.Number) {
    if Swift.max(category, name) <= NameTable.lastIndex {
      word = UInt64(category) << 32 | UInt64(name) << 48
    } else {
      word = Self.isInlineBit | UInt64(category) << 24 | UInt64(name) << 44
    }
  }

  /// The reference in the header of an event.
  @inline(__always)
  init(header: UInt64) {
    word = header & 0xFFFF_FFFF_0000_0000
  }

  /// The header of a span without arguments; only where the texts have indices.
  @inline(__always)
  var spanHeader: UInt64 { FXTWord.plainSpan | headerBits }

  /// Whether one of the texts has no index.
  @inline(__always)
  var isInline: Bool { word & Self.isInlineBit != 0 }

  /// The number of the category.
  var category: NameTable.Number {
    NameTable.Number(isInline ? (word >> 24) & 0xF_FFFF : (word >> 32) & 0xFFFF)
  }

  /// The number of the name.
  var name: NameTable.Number {
    NameTable.Number(isInline ? word >> 44 : word >> 48)
  }

  /// Bits 32…63 of an event's header; only where the texts have indices.
  @inline(__always)
  var headerBits: UInt64 { word & 0xFFFF_FFFF_0000_0000 }
}

extension ThreadWriter {
  /// A writer without a chunk, with empty tables.
  ///
  /// - Parameters:
  ///   - used: The writer of a thread that has ended, whose memory is used again.
  ///   - slot: Where its stack of open spans lies; it begins there until it has a chunk.
  static func make(
    for control: UnsafeMutablePointer<ControlBlock>,
    reusing used: UnsafeMutablePointer<ThreadWriter>? = nil, slot: UnsafeMutableRawPointer,
    ordinal: UInt32, thread: UInt32 = 0, threadName: RecordedName = "", flags: UInt32 = 0,
    isSimulated: Bool = true
  ) -> UnsafeMutablePointer<ThreadWriter> {
    let defined = used?.pointee.defined ?? .allocate(capacity: definedWordCount)
    let names = used?.pointee.names ?? .allocate(capacity: nameCount)
    defined.initialize(repeating: 0, count: definedWordCount)
    names.initialize(repeating: NameCacheEntry(), count: nameCount)
    let deepBegins = used?.pointee.deepBegins
    used?.deinitialize(count: 1)
    let writer = used ?? allocate(for: control)
    writer.initialize(
      to: ThreadWriter(
        control: control, cursor: slot, chunkEnd: slot, stack: slot, defined: defined,
        names: names, deepBegins: deepBegins, ordinal: ordinal, thread: thread,
        threadName: threadName, flags: flags, isSimulated: isSimulated))
    writer.headers.initialize(repeating: HeaderEntry(), count: headerCount)
    return writer
  }

  /// An empty stack of open spans that lies in no file.
  static func makeSlot() -> UnsafeMutableRawPointer {
    let slot = UnsafeMutableRawPointer.allocate(byteCount: RecordingLayout.Slot.size, alignment: 8)
    slot.initializeMemory(as: UInt8.self, repeating: 0, count: RecordingLayout.Slot.size)
    return slot
  }

  /// Gives back the memory of a writer that no thread has ever known.
  static func discard(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    writer.pointee.names.deallocate()
    writer.pointee.defined.deallocate()
    deallocate(writer)
  }
}

/// Spans that lie deeper than the entries of the stack reach: only when they began is kept, so that
/// a token tells whether its span is open.
extension ThreadWriter {
  /// Spans at this depth and below are told apart no more; the greatest depth a token holds.
  static var deepest: Int { 0xFFFF }

  /// Keeps the start of a span.
  mutating func keepDeepBegin(_ begin: UInt64, at depth: Int) {
    // Address space: the system gives memory to as much of it as is used.
    let begins = deepBegins ?? .allocate(capacity: Self.deepest)
    deepBegins = begins
    begins[depth] = begin
  }

  /// The start of the open span at `depth`.
  func deepBegin(at depth: Int) -> UInt64? { deepBegins?[depth] }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Goes on in a new chunk; whether a record of `words` words fits there.
  ///
  /// Where there is no chunk to be had the old one stays, and an event is counted as lost.
  @inline(never)
  func beginChunk(for words: Int) -> Bool {
    guard words <= Chunk.capacity else {
      drop(.recordTooLarge)
      return false
    }
    let control = pointee.control
    let store = control.pointee.store.takeUnretainedValue()
    guard let taken = store.takeChunk(for: self) else {
      // An event that was under way when the recording was finished found no room because of that.
      let isClosed = control.pointee.mode.load(ordering: .relaxed) == RecorderMode.closed
      drop(isClosed ? .afterFinish : .outOfSpace)
      return false
    }
    let start = store.address(ofChunk: taken.place)
    let end = Chunk.begin(
      at: start,
      Chunk.Preamble(
        provider: pointee.ordinal, flags: pointee.flags, sequence: taken.sequence,
        threadSequence: pointee.chunkCount, process: store.process, thread: pointee.thread,
        threadDrops: pointee.dropCount, firstTick: readClock()))
    pointee.chunkCount += 1
    pointee.generation += 1
    pointee.chunkFloor = pointee.earliestBegin
    pointee.cursor = end
    pointee.chunkEnd = start + RecordingLayout.chunkSize
    limit = UInt(bitPattern: pointee.chunkEnd - RecordingLayout.Seal.recordSize)
    forgetHeaders()
    pointee.defined.update(repeating: 0, count: ThreadWriter.definedWordCount)
    // The empty text needs no definition.
    pointee.defined[0] = 1
    dropEndedEntries()
    // Spans with an item take no look at what is defined.
    _ = define(NameTable.Number(ArgumentKey.item.rawValue))
    if !pointee.isDurable {
      if pointee.chunkCount == 1 { store.introduce(self) }
      noteSleep()
    }
    return reserve(words: words)
  }

  /// Writes what the process is called; whether it could be.
  @discardableResult
  func writeProcessName(_ name: RecordedName, id: UInt64) -> Bool {
    guard let number = number(of: name) else { return false }
    let reference = NameReference(category: 0, name: number)
    guard prepare(words: 2, keys: 0, reference, NameReference(word: 0)) else { return false }
    let text = text(number)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(id)
    record.append(text.inlineBytes)
    commit(record, header: record.objectHeader(.process, name: text))
    return true
  }

  /// Writes what a thread is called; whether it could be.
  @discardableResult
  func writeThreadName(_ name: RecordedName, of thread: UInt32, process: UInt64) -> Bool {
    guard let number = number(of: name) else { return false }
    let reference = NameReference(category: 0, name: number)
    let keys = ArgumentKey.process.bit
    guard prepare(words: 4, keys: keys, reference, NameReference(word: 0)) else { return false }
    let text = text(number)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(UInt64(thread))
    record.append(text.inlineBytes)
    record.argument(.process, object: process)
    commit(record, header: record.objectHeader(.thread, name: text))
    return true
  }
}
