internal import ScrollTraceLayout

/// A chunk of a file that is being written, as far as it has been read.
struct LiveChunk {
  /// Its position among the chunks of the file.
  let slot: Int
  /// What its blob says, or `nil` if that is damaged.
  let chunk: FXTChunk?
  /// All bytes of the chunk, of which those before `position` are known to be whole.
  var bytes: [UInt8]
  /// Where the first record that has not been read begins.
  var position: Int
  /// How many records have been read.
  var recordCount: UInt64
  /// Whether another chunk has its slot by now.
  var isGone = false

  /// Where the chunk at `slot` begins in the file.
  static func offset(ofSlot slot: Int) -> UInt64 {
    UInt64(RecordingLayout.pageSize) + UInt64(slot) * UInt64(RecordingLayout.chunkSize)
  }

  /// Where the chunk begins in the file.
  var offset: UInt64 { Self.offset(ofSlot: slot) }

  /// Where the whole records from `position` on end: at a pad, at what is not there yet, or at the
  /// end.
  var endOfWholeRecords: Int {
    bytes.withUnsafeBytes { bytes in
      var next = position
      while bytes.count - next >= 8 {
        let header = bytes.word(at: next)
        let size = FXTRecord.size(header)
        guard size > 0, size <= UInt64(bytes.count - next), !FXTRecord.isPad(header) else { break }
        next += Int(size)
      }
      return next
    }
  }

  /// Whether nothing can follow what has been read: the chunk is full, or it was sealed.
  var isFull: Bool {
    if RecordingLayout.chunkSize - position < 8 { return true }
    let seal = position - RecordingLayout.Seal.recordSize
    return seal >= RecordingLayout.chunkPreambleSize
      && bytes.withUnsafeBytes { $0.isBlob(RecordingLayout.BlobName.seal, at: seal) }
  }
}
