internal import ScrollTraceLayout

/// The result of scanning a chunk's headers before decoding: whether its checksum matches, and the
/// times of its events.
struct FXTChunkScan {
  /// The offset of the seal, or `nil` if there is none.
  private(set) var sealPosition: Int?
  /// The state of the checksum.
  private(set) var checksum = FXTSealState.missing
  /// A Boolean value indicating whether a checksum was computed and matches.
  private(set) var isVerified = false
  private var recordCount: UInt64 = 0
  /// The time at which each event was written: the end of a complete event, or else its time.
  private(set) var events: [(time: UInt64, isComplete: Bool)] = []

  /// Scans the chunk with these bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    var isWhole = false
    var position = 0
    while bytes.count - position >= 8, sealPosition == nil {
      let header = bytes.word(at: position)
      let size = FXTRecord.size(header)
      if FXTRecord.isPad(header) {
        let end = UInt64(position) + size
        isWhole = end == UInt64(RecordingLayout.chunkSize)
        if isWhole { break }
      }
      guard size > 0, size <= UInt64(bytes.count - position) else { break }
      if Self.isSeal(bytes, at: position) {
        sealPosition = position
      } else if header & 0xf == FXT.RecordType.event.rawValue, size >= 16 {
        let isComplete = header.bits(16, 4) == FXT.EventType.durationComplete.rawValue
        let place = isComplete ? position + Int(size) - 8 : position + 8
        events.append((bytes.word(at: place), isComplete))
      }
      if sealPosition == nil { recordCount += 1 }
      position += Int(size)
    }
    // A damaged size can skip the seal.
    if sealPosition == nil, !isWhole { sealPosition = Self.lastSeal(in: bytes) }
    guard let sealPosition else { return }
    let payload = sealPosition + RecordingLayout.Seal.recordSize - RecordingLayout.Seal.size
    let stored = bytes.word32(at: payload + RecordingLayout.Seal.checksum)
    let preceding = UnsafeRawBufferPointer(rebasing: bytes[..<sealPosition])
    isVerified = stored != 0 && stored == CRC32C.checksum(of: preceding)
    let hasAll = bytes.word(at: payload + RecordingLayout.Seal.recordCount) == recordCount
    checksum = hasAll && (stored == 0 || isVerified) ? .valid : .wrong
  }

  private static func isSeal(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    bytes.count - position >= RecordingLayout.Seal.recordSize
      && bytes.isBlob(RecordingLayout.BlobName.seal, at: position)
  }

  private static func lastSeal(in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = (bytes.count - RecordingLayout.Seal.recordSize) & ~7
    while position >= RecordingLayout.chunkPreambleSize {
      if isSeal(bytes, at: position) { return position }
      position -= 8
    }
    return nil
  }
}
