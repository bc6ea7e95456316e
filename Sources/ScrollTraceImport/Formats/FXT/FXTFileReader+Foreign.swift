internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTFileReader {
  /// Reads the records after the magic number of a file from another writer.
  mutating func readForeign() throws(ImportError) {
    while true {
      let available = try window.fill(8)
      guard available >= 8 else {
        if available > 0 { decoder.lose(.cutAtEnd, at: window.offset) }
        return
      }
      let (consumed, stop) = decoder.readRecords(window.bytes, at: window.offset)
      window.advance(consumed)
      decoder.batch.growth = Double(byteCount) / Double(window.offset)
      switch stop {
      case .atEnd: break
      case .zeroSize:
        guard try passZeros() else { return }
      case .needs(let size):
        guard try fetch(size) else { return }
      }
    }
  }

  /// Makes a record of `size` bytes available, or skips one that is too large; returns `false` at
  /// the end of the source.
  private mutating func fetch(_ size: UInt64) throws(ImportError) -> Bool {
    let header = window.bytes.word(at: 0)
    let offset = window.offset
    if size > UInt64(SlidingBuffer.capacity) {
      let isWhole = try window.skip(size) == size
      guard isWhole else {
        decoder.lose(.cutAtEnd, at: offset)
        return false
      }
      decoder.unread.count("large records")
      return true
    }
    if UInt64(try window.fill(Int(size))) >= size { return true }
    // Padding that reaches past the end covers nothing: the writer died while the file grew.
    if !FXTRecord.isPad(header) { decoder.lose(.cutAtEnd, at: offset) }
    return false
  }

  /// Skips zeros up to the next start of a provider or a file; returns `false` and counts the rest
  /// as lost if there is none.
  private mutating func passZeros() throws(ImportError) -> Bool {
    let offset = window.offset
    var skipped: UInt64 = 0
    while try window.fill(8) >= 8, window.bytes.word(at: 0) == 0 {
      let zeros = window.bytes.prefixOfZeroWords
      window.advance(zeros)
      skipped += UInt64(zeros)
    }
    let startsAnew = try window.fill(8) >= 8 && Self.startsAnew(window.bytes.word(at: 0))
    if !startsAnew { skipped += try window.skip(UInt64.max) }
    decoder.lose(.damagedBytes, skipped, at: offset)
    return startsAnew
  }

  /// Returns whether `header` starts a provider or a file, after which no earlier state is needed.
  private static func startsAnew(_ header: UInt64) -> Bool {
    let nameWords = FXT.words(forBytes: Int(header.bits(52, 8)))
    return header == RecordingLayout.magic
      || (header & 0xf_000f == 0x1_0000 && header.bits(60, 4) == 0
        && header.bits(4, 12) == UInt64(1 + nameWords))
  }
}

extension UnsafeRawBufferPointer {
  /// The number of leading bytes that are words of zero.
  fileprivate var prefixOfZeroWords: Int {
    var position = 0
    while count - position >= 8, word(at: position) == 0 { position += 8 }
    return position
  }
}
