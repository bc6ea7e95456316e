internal import CRecorderShims
internal import ScrollTraceLayout

/// The first page of a file: the magic record and the session blob.
struct FirstPage {
  private(set) var bytes = [UInt8](repeating: 0, count: RecordingLayout.pageSize)

  init(options: RecorderOptions, process: UInt64, counterFrequency: UInt64, samplesStacks: Bool) {
    let payload = RecordingLayout.sessionPayloadOffset
    let name = RecordingLayout.BlobName.session
    let size =
      options.isSelective
      ? RecordingLayout.Session.weightedSize
      : samplesStacks ? RecordingLayout.Session.sampledSize : RecordingLayout.Session.extendedSize
    let end = payload + size
    bytes.withUnsafeMutableBytes { page in
      guard let start = page.baseAddress else { return }
      func store(_ word: UInt64, _ offset: Int) {
        (start + offset).storeBytes(of: word.littleEndian, as: UInt64.self)
      }
      typealias Session = RecordingLayout.Session
      let record = RecordingLayout.sessionRecordOffset
      store(RecordingLayout.magic, 0)
      store(
        FXTWord.blob(
          words: (end - record) / 8, nameLength: name.utf8CodeUnitCount,
          payloadLength: size), record)
      RecordBuilder.writeBlobName(name, at: start + record + 8)
      let versions =
        UInt64(RecordingLayout.majorVersion) | UInt64(RecordingLayout.minorVersion) << 16
      store(versions | UInt64(options.clock.profileNumber) << 32, payload + Session.major)
      if !options.sealsChunks { store(Session.unsealedFlag, payload + Session.compatibleFlags) }
      store(options.session.high, payload + Session.identifier)
      store(options.session.low, payload + Session.identifier + 8)
      store(process, payload + Session.process)
      store(1_000_000_000, payload + Session.ticksPerSecond)
      store(counterFrequency, payload + Session.counterFrequency)
      store(UInt64(RecordingLayout.chunkSize), payload + Session.chunkSize)
      store(UInt64(RecordingLayout.pageSize), payload + Session.pageSize)
      if let bytes = options.ringBytes {
        store(UInt64(ChunkRing(bytes: bytes).minimumCount), payload + Session.ringChunks)
      }
      options.clock.writeAnchor(to: start + payload + Session.openAnchor)
      RecordBuilder.writePad(from: start + end, to: start + page.count)
    }
  }
}

/// The start and the end of every chunk.
enum Chunk {
  struct Preamble {
    /// The number of the provider, which identifies the writer.
    var provider: UInt32
    /// See `RecordingLayout.ChunkFlag`.
    var flags: UInt32
    var sequence: UInt64
    /// The number of the chunk among those of its thread.
    var threadSequence: UInt64
    var process: UInt64
    /// The thread ID, or 0 for a chunk that belongs to no thread.
    var thread: UInt32
    /// The number of events that the thread has lost.
    var threadDrops: UInt64
    var firstTick: UInt64
  }

  /// The maximum size of a record in words.
  static var capacity: Int {
    let used = RecordingLayout.chunkPreambleSize + 24 + RecordingLayout.Seal.recordSize
    return (RecordingLayout.chunkSize - used) / 8
  }

  /// Writes the preamble over the pad at `start` and returns its end, after which a pad follows.
  ///
  /// The first word is written last, so that the chunk is one pad until its preamble is complete.
  static func begin(
    at start: UnsafeMutableRawPointer, _ preamble: Preamble
  ) -> UnsafeMutableRawPointer {
    func store(_ word: UInt64, _ offset: Int) {
      (start + offset).storeBytes(of: word.littleEndian, as: UInt64.self)
    }
    store(1 | 2 << 4, 8)
    store(1_000_000_000, 16)
    let payload = RecordingLayout.chunkPayloadOffset
    let name = RecordingLayout.BlobName.chunk
    let words = (payload - 24 + RecordingLayout.Chunk.size) / 8
    store(
      FXTWord.blob(
        words: words, nameLength: name.utf8CodeUnitCount, payloadLength: RecordingLayout.Chunk.size),
      24)
    RecordBuilder.writeBlobName(name, at: start + 32)
    let layout = UInt64(RecordingLayout.Chunk.layoutVersion)
    store(layout | UInt64(preamble.flags) << 32, payload + RecordingLayout.Chunk.layout)
    store(preamble.sequence, payload + RecordingLayout.Chunk.sequence)
    store(preamble.threadSequence, payload + RecordingLayout.Chunk.threadSequence)
    store(preamble.process, payload + RecordingLayout.Chunk.process)
    store(UInt64(preamble.thread), payload + RecordingLayout.Chunk.thread)
    store(preamble.threadDrops, payload + RecordingLayout.Chunk.threadDrops)
    store(preamble.firstTick, payload + RecordingLayout.Chunk.firstTick)
    store(0, payload + RecordingLayout.Chunk.baseFlags)
    var end = start + RecordingLayout.chunkPreambleSize
    if preamble.thread != 0 {
      end.storeBytes(of: FXTWord.thread.littleEndian, as: UInt64.self)
      (end + 8).storeBytes(of: preamble.process.littleEndian, as: UInt64.self)
      (end + 16).storeBytes(of: UInt64(preamble.thread).littleEndian, as: UInt64.self)
      end += 24
    }
    RecordBuilder.writePad(from: end, to: start + RecordingLayout.chunkSize)
    // Provider info: metadata kind 1 without a name.
    let first = 0 | 1 << 4 | 1 << 16 | UInt64(preamble.provider) << 20
    scrolltrace_store_release(start, first.littleEndian)
    return end
  }

  private static var sealHeader: UInt64 {
    FXTWord.blob(
      words: RecordingLayout.Seal.recordSize / 8,
      nameLength: RecordingLayout.BlobName.seal.utf8CodeUnitCount,
      payloadLength: RecordingLayout.Seal.size)
  }

  /// Writes the seal after the last record of a chunk that is no longer written to, unless it has one.
  static func seal(at start: UnsafeMutableRawPointer) {
    var offset = 0
    var records: UInt64 = 0
    while offset < RecordingLayout.chunkSize {
      let header = UInt64(littleEndian: (start + offset).load(as: UInt64.self))
      let words = Int((header >> 4) & 0xFFF)
      let left = (RecordingLayout.chunkSize - offset) / 8
      if header == FXTWord.pad(words: UInt64(left)) { break }
      if header == sealHeader { return }
      // Otherwise, another process has written to the file.
      guard words > 0, words <= left else { return }
      offset += words * 8
      records += 1
    }
    let end = start + RecordingLayout.chunkSize
    let record = start + offset
    guard record + RecordingLayout.Seal.recordSize <= end else { return }
    let name = RecordingLayout.BlobName.seal
    let payload = record + 8 + 8 * FXT.words(forBytes: name.utf8CodeUnitCount)
    let bytes = UnsafeRawBufferPointer(start: start, count: offset)
    RecordBuilder.writeBlobName(name, at: record + 8)
    (payload + RecordingLayout.Seal.recordCount).storeBytes(
      of: records.littleEndian, as: UInt64.self)
    (payload + RecordingLayout.Seal.checksum).storeBytes(
      of: UInt64(CRC32C.checksum(of: bytes)).littleEndian, as: UInt64.self)
    RecordBuilder.writePad(from: record + RecordingLayout.Seal.recordSize, to: end)
    scrolltrace_store_release(record, sealHeader.littleEndian)
  }
}

/// The spans that were open when the process died (F-5), for up to 31 threads, in mapped memory
/// that is changed in place and never sealed. *The trace file* has the layout.
///
/// Depth and generation are one word, which is stored with release ordering after the entry. A live
/// reader copies the word, the entries below the depth, and the word again; the copy is valid if
/// the words are equal. When an entry is replaced, its start is stored last, after the event of the
/// previous span is written. A span's event is written before its entry is removed, so an entry
/// whose `begin` equals that of a complete event of the thread is not open.
enum StackChunk {
  /// Writes an empty stack chunk over the pad at `chunk`, after its preamble.
  static func write(at chunk: UnsafeMutableRawPointer) {
    let record = chunk + RecordingLayout.chunkPreambleSize
    let payload = chunk + RecordingLayout.stacksPayloadOffset
    typealias Stacks = RecordingLayout.Stacks
    (payload + Stacks.layout).storeBytes(of: Stacks.layoutVersion, as: UInt32.self)
    (payload + Stacks.slots).storeBytes(of: UInt32(Stacks.slotCount), as: UInt32.self)
    (payload + Stacks.depth).storeBytes(of: UInt32(Stacks.entryCount), as: UInt32.self)
    (payload + Stacks.slotSize).storeBytes(of: UInt32(RecordingLayout.Slot.size), as: UInt32.self)
    let end = payload + Stacks.size
    RecordBuilder.writePad(from: end, to: chunk + RecordingLayout.chunkSize)
    RecordBuilder.writeBlobName(RecordingLayout.BlobName.stacks, at: record + 8)
    let header = FXTWord.blob(
      words: FXT.words(forBytes: end - record),
      nameLength: RecordingLayout.BlobName.stacks.utf8CodeUnitCount, payloadLength: Stacks.size)
    scrolltrace_store_release(record, header)
  }

  /// The address of a slot of the stack chunk at `chunk`.
  static func slot(_ index: Int, of chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    chunk + RecordingLayout.stacksPayloadOffset + RecordingLayout.Stacks.headerSize
      + index * RecordingLayout.Slot.size
  }
}
