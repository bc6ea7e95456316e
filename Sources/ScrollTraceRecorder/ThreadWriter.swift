internal import CRecorderShims
internal import ScrollTraceLayout

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
  var line = TickLine.none
  /// Which texts this chunk defines: a bit for each number up to `NameTable.lastIndex`.
  let defined: UnsafeMutablePointer<UInt64>
  /// The names used so far, by the addresses of their bytes.
  let names: UnsafeMutablePointer<NameCacheEntry>

  /// When the spans began that have no entry in the stack; `nil` before the first.
  var deepBegins: UnsafeMutablePointer<UInt64>?
  /// The number of the chunk in the file; `nil` where there is none.
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
  var isLasting: Bool { flags & RecordingLayout.ChunkFlag.durable != 0 }

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
