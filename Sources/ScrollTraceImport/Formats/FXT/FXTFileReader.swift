internal import ScrollTraceLayout
internal import ScrollTraceModel

/// One pass over a source, from its first byte to its last.
struct FXTFileReader: ~Copyable {
  private var window: SlidingBuffer
  private var decoder: FXTDecoder
  private let chosen: [UInt64: UInt64]
  private let byteCount: UInt64

  /// The offset of the better chunk for each number that several chunks have.
  private(set) var preferred: [UInt64: UInt64] = [:]

  /// Creates a pass that uses the chunks of `preferred` for their numbers.
  init(_ source: any ByteSource, _ builder: TraceBuilder, preferred: [UInt64: UInt64]) {
    window = SlidingBuffer(source)
    decoder = FXTDecoder(builder)
    chosen = preferred
    byteCount = source.byteCount ?? 0
  }

  consuming func finish() -> TraceBuilder { decoder.finish() }

  mutating func run() throws(ImportError) {
    let available = try window.fill(SlidingBuffer.capacity)
    guard available >= 8 else {
      throw ImportError(
        available == 0 ? "the file is empty" : "the file is too short for a trace", at: 0)
    }
    let magic = window.bytes.word(at: 0)
    if magic == RecordingLayout.magic.byteSwapped {
      throw ImportError(
        "the trace is big-endian, which is not supported", at: 0,
        advice: "record it on a little-endian machine")
    }
    let hasMagic = magic == RecordingLayout.magic
    if Self.isScrollTraceRecording(window.bytes) {
      try readProfile(hasMagic: hasMagic)
    } else if hasMagic {
      window.advance(8)
      try readForeign()
    } else {
      throw ImportError("this is not an FXT trace: it does not start with the magic number", at: 0)
    }
  }

  /// Returns whether the bytes start a recording, recognized by its chunks if page 0 is lost.
  static func isScrollTraceRecording(_ bytes: UnsafeRawBufferPointer) -> Bool {
    FXTSession(page: bytes) != nil
      || stride(from: RecordingLayout.pageSize, to: bytes.count, by: RecordingLayout.chunkSize)
        .contains { FXTChunk(UnsafeRawBufferPointer(rebasing: bytes[$0...])) != nil }
  }

  // MARK: - Files of the profile

  private mutating func readProfile(hasMagic: Bool) throws(ImportError) {
    decoder.recording.hasLayout = true
    var start = window.offset
    try readPageZero(hasMagic: hasMagic)
    while true {
      let available = min(try window.fill(RecordingLayout.chunkSize), RecordingLayout.chunkSize)
      guard available > 0 else { return decoder.recording.byteCount = window.offset - start }
      let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<available])
      if available >= 8, bytes.word(at: 0) == RecordingLayout.magic {
        decoder.startNextFile(previousByteCount: window.offset - start)
        start = window.offset
        try readPageZero(hasMagic: true)
        continue
      }
      if let session = decoder.recording.session, session.ringChunks > 0 {
        try readRing()
        continue
      }
      readChunk(bytes, at: window.offset)
      window.advance(available)
      decoder.growth = Double(byteCount) / Double(window.offset)
    }
  }

  private mutating func readPageZero(hasMagic: Bool) throws(ImportError) {
    let available = min(try window.fill(RecordingLayout.pageSize), RecordingLayout.pageSize)
    let page = UnsafeRawBufferPointer(rebasing: window.bytes[..<available])
    if !hasMagic { decoder.lose(.damagedBytes, 8, at: window.offset) }
    if let session = FXTSession(page: page) {
      try session.checkVersion()
      decoder.recording.session = session
      if session.state > 1 { decoder.lose(.invalidValue, at: window.offset) }
      let (consumed, stop) = decoder.readRecords(
        page, from: RecordingLayout.sessionRecordOffset, at: window.offset)
      decoder.lose(
        stop, at: consumed, in: page, size: RecordingLayout.pageSize, offset: window.offset)
    } else {
      decoder.lose(.damagedBytes, UInt64(max(0, available - 8)), at: window.offset + 8)
    }
    window.advance(available)
  }

  private mutating func readChunk(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
    if bytes.starts(with: Self.padBytes) {
      // Padding over the whole chunk: it was never started. After the padding's header can lie a
      // dead writer's preparations; a chunk starts with its first word, which is written last.
      return
    }
    let chunk = FXTChunk(bytes)
    let scan = FXTChunkScan(bytes)
    if scan.checksum == .wrong {
      return decoder.reject(chunk, at: offset + UInt64(scan.sealPosition ?? 0))
    }
    if let chunk, isDuplicate(chunk, scan, at: offset) {
      return decoder.lose(.duplicateChunk, at: offset)
    }
    decoder.recording.addTimes(chunk, scan, of: bytes)
    guard let start = decoder.beginChunk(chunk, bytes, at: offset, until: scan.times.latest) else {
      return
    }
    decoder.recording.verifiedSeal =
      scan.isVerified ? scan.sealPosition.map { offset + UInt64($0) } : nil
    let (consumed, stop) = decoder.readRecords(bytes, from: start, at: offset)
    decoder.lose(stop, at: consumed, in: bytes, size: RecordingLayout.chunkSize, offset: offset)
    decoder.countEvents()
    decoder.endChunk(at: offset)
  }

  /// The header of a whole chunk's padding, as in a file.
  static let padBytes = withUnsafeBytes(
    of: FXTWord.pad(words: UInt64(RecordingLayout.chunkSize / 8)).littleEndian, Array.init)

  /// Returns whether another chunk with the same number counts instead (R10).
  private mutating func isDuplicate(
    _ chunk: FXTChunk, _ scan: FXTChunkScan, at offset: UInt64
  ) -> Bool {
    if let chosenOffset = chosen[chunk.sequence] { return chosenOffset != offset }
    guard let isSealed = decoder.recording.ledger.isSealed(chunk.sequence) else { return false }
    if !isSealed, preferred[chunk.sequence] == nil, scan.checksum == .valid {
      preferred[chunk.sequence] = offset
    }
    return true
  }

  // MARK: - Files of flight recorders

  /// The maximum number of bytes of a flight recorder's file that are sorted at once.
  private static let ringCapacity = 256 << 20

  /// Reads the chunks of a flight recorder in the order of their numbers: their order in the file
  /// is arbitrary, and simultaneous events keep the order in which they are read (R9).
  ///
  /// The parts of a file that is too large are sorted separately.
  private mutating func readRing() throws(ImportError) {
    let first = window.offset
    var bytes: [UInt8] = []
    while true {
      let available = min(try window.fill(RecordingLayout.chunkSize), RecordingLayout.chunkSize)
      guard available > 0, bytes.count + available <= Self.ringCapacity else { break }
      let chunk = UnsafeRawBufferPointer(rebasing: window.bytes[..<available])
      if available >= 8, chunk.word(at: 0) == RecordingLayout.magic { break }
      bytes.append(contentsOf: chunk)
      window.advance(available)
    }
    bytes.withUnsafeBytes { bytes in
      for (index, offset) in Self.offsetsInOrder(bytes).enumerated() {
        let end = min(offset + RecordingLayout.chunkSize, bytes.count)
        readChunk(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]), at: first + UInt64(offset))
        let done = (index + 1) * RecordingLayout.chunkSize
        decoder.growth = max(1, Double(bytes.count) / Double(done))
      }
    }
  }

  /// Returns the offsets of the chunks in `bytes` by chunk number; chunks without one come last.
  private static func offsetsInOrder(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    stride(from: 0, to: bytes.count, by: RecordingLayout.chunkSize).map { offset in
      let end = min(offset + RecordingLayout.chunkSize, bytes.count)
      let chunk = FXTChunk(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      return (number: chunk?.sequence ?? .max, offset: offset)
    }.sorted { ($0.number, $0.offset) < ($1.number, $1.offset) }.map(\.offset)
  }

  // MARK: - Files of others

  /// Reads the records after the magic number of a file from another writer.
  private mutating func readForeign() throws(ImportError) {
    while true {
      let available = try window.fill(8)
      guard available >= 8 else {
        if available > 0 { decoder.lose(.cutAtEnd, at: window.offset) }
        return
      }
      let (consumed, stop) = decoder.readRecords(window.bytes, at: window.offset)
      window.advance(consumed)
      decoder.growth = Double(byteCount) / Double(window.offset)
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
      decoder.passOver("large records")
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
  fileprivate var prefixOfZeroWords: Int {
    var position = 0
    while count - position >= 8, word(at: position) == 0 { position += 8 }
    return position
  }
}
