internal import ScrollTraceLayout
internal import ScrollTraceModel

/// One pass over a source, from its first byte to its last.
struct FXTFileReader: ~Copyable {
  var window: SlidingBuffer
  var decoder: FXTDecoder
  private let chosen: [UInt64: UInt64]
  let byteCount: UInt64

  /// The offset of the better chunk for each number that several chunks have.
  private(set) var preferred: [UInt64: UInt64] = [:]

  /// Creates a pass that uses the chunks of `preferred` for their numbers.
  init(_ source: any ByteSource, _ builder: TraceBuilder, preferred: [UInt64: UInt64]) {
    window = SlidingBuffer(source)
    decoder = FXTDecoder(builder)
    chosen = preferred
    byteCount = source.byteCount ?? 0
  }

  /// Returns the builder with everything read.
  consuming func finish() -> TraceBuilder { decoder.finish() }

  /// Reads to the end.
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
    decoder.isScrollTraceRecording = true
    var start = window.offset
    try readPageZero(hasMagic: hasMagic)
    while true {
      let available = min(try window.fill(RecordingLayout.chunkSize), RecordingLayout.chunkSize)
      guard available > 0 else { return decoder.profile.byteCount = window.offset - start }
      let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<available])
      if available >= 8, bytes.word(at: 0) == RecordingLayout.magic {
        decoder.builder.addNotice(.source("the file contains several traces"))
        decoder.profile.byteCount = window.offset - start
        decoder.startNextFile()
        start = window.offset
        try readPageZero(hasMagic: true)
        continue
      }
      if let session = decoder.profile.session, session.ringChunks > 0 {
        try readRing()
        continue
      }
      readChunk(bytes, at: window.offset)
      window.advance(available)
      decoder.batch.growth = Double(byteCount) / Double(window.offset)
    }
  }

  private mutating func readPageZero(hasMagic: Bool) throws(ImportError) {
    let available = min(try window.fill(RecordingLayout.pageSize), RecordingLayout.pageSize)
    let page = UnsafeRawBufferPointer(rebasing: window.bytes[..<available])
    if !hasMagic { decoder.lose(.damagedBytes, 8, at: window.offset) }
    if let session = FXTSession(page: page) {
      try session.checkVersion()
      decoder.profile.session = session
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

  /// Reads the chunk at `place`.
  mutating func readChunk(_ bytes: UnsafeRawBufferPointer, at place: UInt64) {
    if bytes.starts(with: Self.padBytes) {
      // Padding over the whole chunk: it was never started. After the padding's header can lie a
      // dead writer's preparations; a chunk starts with its first word, which is written last.
      return
    }
    let chunk = FXTChunk(bytes)
    let scan = FXTChunkScan(bytes)
    if scan.checksum == .wrong {
      return decoder.reject(chunk, at: place + UInt64(scan.sealPosition ?? 0))
    }
    if let chunk, isDuplicate(chunk, scan, at: place) {
      return decoder.lose(.duplicateChunk, at: place)
    }
    if chunk?.holdsStacks != true {
      decoder.profile.bounds.add(scan, of: bytes, begunAt: chunk?.firstTick ?? 0)
    }
    guard let start = decoder.beginChunk(chunk, bytes, at: place) else { return }
    let (consumed, stop) = decoder.readRecords(bytes, from: start, at: place)
    decoder.lose(stop, at: consumed, in: bytes, size: RecordingLayout.chunkSize, offset: place)
    decoder.countEvents()
    decoder.endChunk(at: place)
  }

  /// The header of a whole chunk's padding, as in a file.
  static let padBytes = withUnsafeBytes(
    of: FXTWord.pad(words: UInt64(RecordingLayout.chunkSize / 8)).littleEndian, Array.init)

  /// Returns whether another chunk with the same number counts instead (R10).
  private mutating func isDuplicate(
    _ chunk: FXTChunk, _ scan: FXTChunkScan, at offset: UInt64
  ) -> Bool {
    if let place = chosen[chunk.sequence] { return place != offset }
    guard let known = decoder.profile.seen[chunk.sequence] else { return false }
    if !known.isSealed, preferred[chunk.sequence] == nil, scan.checksum == .valid {
      preferred[chunk.sequence] = offset
    }
    return true
  }
}
