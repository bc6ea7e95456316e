internal import CRecorderShims
internal import ScrollTraceLayout

/// What every chunk begins and ends with.
enum Chunk {
  /// Who writes the chunk.
  struct Preamble {
    /// The number of the provider, which is the writer.
    var provider: UInt32
    /// See `RecordingLayout.ChunkFlag`.
    var flags: UInt32
    /// The number of the chunk in the recording.
    var sequence: UInt64
    /// The number of the chunk among its thread's.
    var threadSequence: UInt64
    /// The process id.
    var process: UInt64
    /// The thread id; 0 for a chunk that belongs to none.
    var thread: UInt32
    /// How many events the thread has lost.
    var threadDrops: UInt64
    /// The clock now.
    var firstTick: UInt64
  }

  /// The most words of one record.
  static var capacity: Int {
    let used = RecordingLayout.chunkPreambleSize + 24 + RecordingLayout.Seal.recordSize
    return (RecordingLayout.chunkSize - used) / 8
  }

  /// Writes the preamble over the pad at `start` and gives its end, where a pad follows.
  ///
  /// The first word comes last, so that the chunk is one pad until its preamble is whole.
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
      end.storeBytes(of: (3 | 3 << 4 | 1 << 16).littleEndian, as: UInt64.self)
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

  /// Writes the seal behind the last record of a chunk nobody writes to any more.
  static func seal(at start: UnsafeMutableRawPointer) {
    var offset = 0
    var records: UInt64 = 0
    while offset < RecordingLayout.chunkSize {
      let header = UInt64(littleEndian: (start + offset).load(as: UInt64.self))
      let words = Int((header >> 4) & 0xFFF)
      let left = (RecordingLayout.chunkSize - offset) / 8
      if header == FXTWord.pad(words: UInt64(left)) { break }
      // Another process has written into the file.
      guard words > 0, words <= left else { return }
      offset += words * 8
      records += 1
    }
    let end = start + RecordingLayout.chunkSize
    let record = start + offset
    guard record + RecordingLayout.Seal.recordSize <= end else { return }
    let name = RecordingLayout.BlobName.seal
    let payload = record + 8 + 8 * FXTWord.words(name.utf8CodeUnitCount)
    let bytes = UnsafeRawBufferPointer(start: start, count: offset)
    RecordBuilder.writeBlobName(name, at: record + 8)
    (payload + RecordingLayout.Seal.recordCount).storeBytes(
      of: records.littleEndian, as: UInt64.self)
    (payload + RecordingLayout.Seal.checksum).storeBytes(
      of: UInt64(CRC32C.checksum(of: bytes)).littleEndian, as: UInt64.self)
    RecordBuilder.writePad(from: record + RecordingLayout.Seal.recordSize, to: end)
    let header = FXTWord.blob(
      words: RecordingLayout.Seal.recordSize / 8, nameLength: name.utf8CodeUnitCount,
      payloadLength: RecordingLayout.Seal.size)
    scrolltrace_store_release(record, header.littleEndian)
  }
}
