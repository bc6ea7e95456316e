internal import ScrollTraceLayout

/// The result of scanning a chunk's headers before decoding: where its seal is, whether its checksum
/// matches, and the times of its events.
struct FXTChunkScan {
  private(set) var sealPosition: Int?
  private(set) var checksum = FXTSealState.missing
  /// Whether a checksum was computed and matches.
  private(set) var isVerified = false
  /// The earliest and the latest time at which an event was written; see `writeTime`.
  private(set) var times: (earliest: UInt64, latest: UInt64) = (.max, 0)

  init(_ bytes: UnsafeRawBufferPointer) {
    var isWhole = false
    var position = 0
    var recordCount: UInt64 = 0
    while bytes.count - position >= 8 {
      // Most records are complete events of three words. Their known size lets the processor read
      // several at once.
      while bytes.count - position >= 24,
        bytes.word(at: position) & 0xf_ffff == FXTRecord.completeEventOfThreeWords
      {
        let time = bytes.word(at: position + 16)
        times = (min(times.earliest, time), max(times.latest, time))
        recordCount += 1
        position += 24
      }
      guard bytes.count - position >= 8 else { break }
      let header = bytes.word(at: position)
      let size = FXTRecord.size(header)
      if header & 0xf == FXT.RecordType.blob.rawValue {
        if FXTRecord.isPad(header) {
          isWhole = UInt64(position) + size == UInt64(RecordingLayout.chunkSize)
          if isWhole { break }
        } else if size <= UInt64(bytes.count - position), Self.isSeal(bytes, at: position) {
          sealPosition = position
          break
        }
      }
      guard size > 0, size <= UInt64(bytes.count - position) else { break }
      if let time = Self.writeTime(bytes, at: position, header)?.time {
        times = (min(times.earliest, time), max(times.latest, time))
      }
      recordCount += 1
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

  /// Returns the time at which the event at `position` was written, or `nil` if the record is none:
  /// the end of a complete event, or else its time.
  @inline(__always)
  private static func writeTime(
    _ bytes: UnsafeRawBufferPointer, at position: Int, _ header: UInt64
  ) -> (time: UInt64, isComplete: Bool)? {
    let size = Int(FXTRecord.size(header))
    guard header & 0xf == FXT.RecordType.event.rawValue, size >= 16 else { return nil }
    let isComplete = header.bits(16, 4) == FXT.EventType.durationComplete.rawValue
    return (bytes.word(at: isComplete ? position + size - 8 : position + 8), isComplete)
  }

  /// Returns the times at which the events before the seal were written.
  func writeTimes(in bytes: UnsafeRawBufferPointer) -> [(time: UInt64, isComplete: Bool)] {
    var times: [(time: UInt64, isComplete: Bool)] = []
    var position = 0
    let end = sealPosition ?? bytes.count
    while end - position >= 8 {
      let header = bytes.word(at: position)
      let size = FXTRecord.size(header)
      guard size > 0, size <= UInt64(end - position) else { break }
      if let time = Self.writeTime(bytes, at: position, header) { times.append(time) }
      position += Int(size)
    }
    return times
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

/// The state of a chunk's seal (W9).
package enum FXTSealState {
  /// The number of records and the checksum match.
  case valid
  /// One of them does not match.
  case wrong
  /// The chunk has no seal, so it cannot be checked.
  case missing
}
