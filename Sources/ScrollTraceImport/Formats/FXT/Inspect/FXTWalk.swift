internal import ScrollTraceLayout

/// Walks through a file record by record, including damage, in file order.
///
/// It handles pages, chunks and tables, but not the meaning of a trace; see `FXTReader`.
package struct FXTWalk: ~Copyable {
  /// The handler of an item; it returns `false` to end the walk.
  package typealias Visit = (FXTItem, FXTNames) throws(ImportError) -> Bool

  /// The handler of consecutive spans that are counted together.
  typealias VisitSpans = (FXTSpanRun, FXTNames) -> Void

  private var window: SlidingBuffer
  private var names = FXTNames()
  private let visit: Visit
  private let visitSpans: VisitSpans?

  /// Passes every item of `source` to `visit`.
  ///
  /// - Throws: An error if `source` is not a file of this format or cannot be read.
  package static func walk(_ source: any ByteSource, _ visit: @escaping Visit) throws(ImportError) {
    try walk(source, visit, spans: nil)
  }

  /// Passes every item of `source` to `visit`, except for consecutive spans, which are passed to `spans`.
  ///
  /// - Throws: An error if `source` is not a file of this format or cannot be read.
  static func walk(
    _ source: any ByteSource, _ visit: @escaping Visit, spans visitSpans: VisitSpans?
  ) throws(ImportError) {
    var walk = FXTWalk(window: SlidingBuffer(source), visit: visit, visitSpans: visitSpans)
    try walk.run()
  }

  private init(
    window: consuming SlidingBuffer, visit: @escaping Visit, visitSpans: VisitSpans?
  ) {
    self.window = window
    self.visit = visit
    self.visitSpans = visitSpans
  }

  private mutating func run() throws(ImportError) {
    let available = try window.fill(SlidingBuffer.capacity)
    guard available >= 8, FXTReader.recognizes(window.bytes) else {
      throw ImportError("this is not an FXT trace", at: 0)
    }
    let magic = window.bytes.word(at: 0)
    guard magic != RecordingLayout.magic.byteSwapped else {
      throw ImportError("the trace is big-endian", at: 0)
    }
    if FXTFileReader.isScrollTraceRecording(window.bytes) {
      guard try walkPage() else { return }
      while try walkChunk() {}
    } else {
      while try walkForeign() {}
    }
  }

  // MARK: - Files of the profile

  private mutating func walkPage() throws(ImportError) -> Bool {
    let size = min(try window.fill(RecordingLayout.pageSize), RecordingLayout.pageSize)
    let page = UnsafeRawBufferPointer(rebasing: window.bytes[..<size])
    defer { window.advance(size) }
    let session = FXTSessionFacts(page: page)
    guard try visit(.page(session, offset: window.offset, byteCount: size), names) else {
      return false
    }
    guard session != nil, page.word(at: 0) == RecordingLayout.magic else {
      return try visit(.damage(damage(0, size, .noBlob)), names)
    }
    return try walkRecords(page, wholeSize: RecordingLayout.pageSize)
  }

  private mutating func walkChunk() throws(ImportError) -> Bool {
    let size = min(try window.fill(RecordingLayout.chunkSize), RecordingLayout.chunkSize)
    guard size > 0 else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<size])
    if size >= 8, bytes.word(at: 0) == RecordingLayout.magic {
      names.reset()
      return try walkPage()
    }
    defer { window.advance(size) }
    let isUnused = bytes.starts(with: FXTFileReader.padBytes.prefix(size))
    let chunk = isUnused ? nil : FXTChunk(bytes)
    let facts = FXTChunkFacts(
      offset: window.offset, byteCount: size, isUnused: isUnused,
      identity: chunk.map { FXTChunkFacts.Identity($0, bytes) })
    guard try visit(.chunk(facts), names) else { return false }
    guard !isUnused else { return try visit(.chunkEnd(.missing), names) }
    var start = 0
    if size < 8 || bytes.word(at: 0) & 0xf_ffff != 0x1_0010 {
      guard chunk != nil else {
        guard try visit(.damage(damage(0, size, .noBegin)), names) else { return false }
        return try visit(.chunkEnd(.missing), names)
      }
      guard try visit(.damage(damage(0, FXTChunk.blobOffset, .noBegin)), names) else {
        return false
      }
      start = FXTChunk.blobOffset
    }
    guard try walkRecords(bytes, from: start, wholeSize: RecordingLayout.chunkSize) else {
      return false
    }
    return try visit(.chunkEnd(FXTChunkScan(bytes).checksum), names)
  }

  /// Visits the records of a page or chunk; returns `false` if the walk ends.
  private mutating func walkRecords(
    _ bytes: UnsafeRawBufferPointer, from start: Int = 0, wholeSize: Int
  ) throws(ImportError) -> Bool {
    var position = start
    while bytes.count - position >= 8 {
      if let visitSpans,
        let run = FXTSpanRun(bytes, at: position, offset: window.offset + UInt64(position))
      {
        visitSpans(run, names)
        position += run.byteCount
        continue
      }
      let header = bytes.word(at: position)
      let size = FXTRecord.size(header)
      let rest = bytes.count - position
      guard size > 0, size <= UInt64(rest) else {
        let isCut = bytes.count < wholeSize && size > 0 && size <= UInt64(wholeSize - position)
        // Padding that reaches past the end is not damage: the writer died while the file grew.
        if isCut, FXTRecord.isPad(header) { return true }
        let reason: FXTDamage.Reason = size == 0 ? .zeroSize : isCut ? .cut : .tooLong
        return try visit(.damage(damage(position, rest, reason)), names)
      }
      guard try walkRecord(bytes, position, Int(size)) else { return false }
      position += Int(size)
    }
    guard bytes.count < wholeSize else { return true }
    return try visit(.damage(damage(position, bytes.count - position, .cut)), names)
  }

  // MARK: - Files of other programs

  private mutating func walkForeign() throws(ImportError) -> Bool {
    let available = try window.fill(8)
    guard available >= 8 else {
      if available > 0 { _ = try visit(.damage(damage(0, available, .cut)), names) }
      return false
    }
    let header = window.bytes.word(at: 0)
    let size = FXTRecord.size(header)
    if header == 0 { return try walkZeros() }
    guard size > 0, size <= UInt64(SlidingBuffer.capacity) else {
      let offset = window.offset
      let rest = try window.skip(.max)
      let reason: FXTDamage.Reason = size == 0 ? .zeroSize : .tooLong
      _ = try visit(.damage(FXTDamage(offset: offset, byteCount: rest, reason: reason)), names)
      return false
    }
    let present = min(try window.fill(Int(size)), Int(size))
    guard present == Int(size) else {
      _ = try visit(.damage(damage(0, present, .cut)), names)
      return false
    }
    let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<present])
    defer { window.advance(present) }
    return try walkRecord(bytes, 0, present)
  }

  private mutating func walkZeros() throws(ImportError) -> Bool {
    let offset = window.offset
    while try window.fill(8) >= 8, window.bytes.word(at: 0) == 0 { window.advance(8) }
    let zeros = FXTDamage(
      offset: offset, byteCount: window.offset - offset, reason: .zeros)
    return try visit(.damage(zeros), names)
  }

  // MARK: - Both

  private mutating func walkRecord(
    _ bytes: UnsafeRawBufferPointer, _ position: Int, _ size: Int
  ) throws(ImportError) -> Bool {
    let record = FXTRecord(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)]),
      offset: window.offset + UInt64(position))
    learn(record)
    return try visit(.record(FXTRecordItem(record: record)), names)
  }

  /// Applies a record's definition to the tables.
  private mutating func learn(_ record: FXTRecord) {
    let header = record.header
    switch FXT.RecordType(rawValue: header.bits(0, 4)) {
    case .metadata:
      switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
      case .providerInfo: names.start(UInt32(header.bits(20, 32)))
      case .providerSection: names.select(UInt32(header.bits(20, 32)))
      default: break
      }
    case .string:
      guard let text = record.text(at: 1, count: Int(header.bits(32, 15))) else { return }
      names.define(string: header.bits(16, 15), String(decoding: text, as: UTF8.self))
    case .thread where record.count >= 3:
      names.define(
        thread: header.bits(16, 8), FXTNames.Thread(process: record[1], id: record[2]))
    default: break
    }
  }

  private func damage(_ position: Int, _ count: Int, _ reason: FXTDamage.Reason) -> FXTDamage {
    FXTDamage(
      offset: window.offset + UInt64(position), byteCount: UInt64(count), reason: reason)
  }
}

extension FXTChunkFacts.Identity {
  /// Creates the facts of a chunk from its blob and its bytes.
  init(_ chunk: FXTChunk, _ bytes: UnsafeRawBufferPointer) {
    sequence = chunk.sequence
    threadSequence = chunk.threadSequence
    thread = FXTNames.Thread(process: chunk.process, id: chunk.thread)
    threadDrops = chunk.threadDrops
    firstTick = bytes.word(
      at: RecordingLayout.chunkPayloadOffset + RecordingLayout.Chunk.firstTick)
    isMain = chunk.isMain
    holdsStacks = chunk.holdsStacks
    isShared = chunk.isShared
  }
}
