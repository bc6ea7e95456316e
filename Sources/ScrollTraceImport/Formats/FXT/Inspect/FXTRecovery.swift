internal import ScrollTraceLayout

/// Copies the readable part of a damaged file into an intact file.
///
/// Chunks keep their numbers and are sealed again. Undefined strings get a placeholder. If data is
/// omitted, a record states that records were dropped, so that the copy is not taken for a lossless
/// recording.
package struct FXTRecovery {
  /// The outcome for the records of one kind.
  package struct Count {
    /// The number of records in the copy.
    package var recovered: UInt64 = 0
    /// The number of discarded records.
    package var discarded: UInt64 = 0
  }

  /// The records by kind, without padding and seals.
  package private(set) var records: [String: Count] = [:]
  /// The first skipped places.
  package private(set) var skipped: [FXTDamage] = []
  /// The number of skipped bytes.
  package private(set) var skippedBytes: UInt64 = 0
  /// The number of skipped places.
  package private(set) var skippedCount = 0
  /// The number of placeholder strings.
  package private(set) var placeholderCount = 0
  /// The number of chunks omitted as the worse of two with one number.
  package private(set) var duplicateChunks = 0
  /// The number of bytes the file lacks at its end, compared with the finished file (F-8). The copy
  /// states it too.
  package private(set) var missingBytes: UInt64 = 0
  /// The number of chunks whose seal did not match.
  package private(set) var wrongSeals = 0

  /// A Boolean value indicating whether the copy lacks data that the file once contained.
  package var hasLost: Bool {
    skippedCount > 0 || placeholderCount > 0 || duplicateChunks > 0 || wrongSeals > 0
      || missingBytes > 0
      || records.values.contains { $0.discarded > 0 }
  }

  private var output = FXTWriter()
  private var isScrollTraceRecording = false
  private var hasPage = false
  /// The offset of the chunk that counts, by number.
  private let chosen: [UInt64: UInt64]
  /// The number of the file's chunks that are not in the copy: unused ones, and the worse of two.
  private let droppedCount: UInt64
  private var chunk: ChunkCopy?
  private let write: ([UInt8]) throws(ImportError) -> Void

  /// A chunk that is being copied.
  fileprivate struct ChunkCopy {
    var bytes = FXTWriter()
    var provider: UInt32 = 1
    var recordCount: UInt64 = 0
    var hasLost = false
    /// The number of records by kind.
    var kinds: [String: UInt64] = [:]
    /// A Boolean value indicating whether the original's checksum matched; otherwise the copy has
    /// none.
    var isVerified = false
    var placeholders: Set<UInt64> = []
    /// The ranges of records that are probably invalid.
    var doubtful: [Range<Int>] = []
  }

  /// Copies `source`, which must be able to rewind, in segments to `write`.
  package static func recover(
    _ source: any ByteSource, to write: @escaping ([UInt8]) throws(ImportError) -> Void
  ) throws(ImportError) -> FXTRecovery {
    let choice = Box(Choice())
    try FXTWalk.walk(source) { item, _ throws(ImportError) in
      // No reader would take the copy.
      if case .page(let session, _, _) = item, let error = session?.versionError { throw error }
      choice.value.look(at: item)
      return true
    }
    guard try source.rewind() else {
      throw ImportError("must be read twice", advice: "give an uncompressed file")
    }
    let copy = Box(FXTRecovery(choice.value, write: write))
    try FXTWalk.walk(source) { item, names throws(ImportError) in
      try copy.value.take(item, names)
      return true
    }
    try copy.value.end()
    return copy.value
  }

  private init(
    _ choice: Choice, write: @escaping ([UInt8]) throws(ImportError) -> Void
  ) {
    chosen = choice.chosen
    droppedCount = choice.chunkCount - UInt64(choice.chosen.count) - choice.namelessCount
    missingBytes = choice.finishedSize - min(choice.finishedSize, choice.byteCount)
    self.write = write
  }

  /// A class so that a walk's closure can change the value.
  private final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  /// The selection among several chunks with one number: the first whose seal matches, or else the
  /// first (R10).
  private struct Choice {
    var chosen: [UInt64: UInt64] = [:]
    /// The number of chunks, including unused space for them, and the number of used ones without a
    /// number.
    var chunkCount: UInt64 = 0
    var namelessCount: UInt64 = 0
    var finishedSize: UInt64 = 0
    var byteCount: UInt64 = 0
    private var sealed: Set<UInt64> = []
    private var current: (number: UInt64, offset: UInt64)?

    mutating func look(at item: FXTItem) {
      switch item {
      case .page(let session, let offset, let count):
        if offset == 0 { (finishedSize, byteCount) = (session?.finishedSize ?? 0, UInt64(count)) }
      case .chunk(let chunk):
        chunkCount += 1
        if !chunk.isUnused, chunk.identity == nil { namelessCount += 1 }
        byteCount = chunk.offset + UInt64(chunk.byteCount)
        current = chunk.identity.map { ($0.sequence, chunk.offset) }
      case .chunkEnd(let seal):
        guard let (number, offset) = current else { return }
        let isBetter = seal == .valid && !sealed.contains(number)
        if chosen[number] == nil || isBetter { chosen[number] = offset }
        if seal == .valid { sealed.insert(number) }
      default: break
      }
    }
  }

  // MARK: - Items

  private mutating func take(_ item: FXTItem, _ names: FXTNames) throws(ImportError) {
    switch item {
    case .page: isScrollTraceRecording = true
    case .chunk(let facts): try begin(facts)
    case .record(let record): try take(record, names)
    case .damage(let damage):
      if skipped.count < FXTInventory.mostDamage { skipped.append(damage) }
      skippedCount += 1
      skippedBytes += damage.byteCount
      chunk?.hasLost = true
    case .chunkEnd(let seal): try endChunk(seal)
    }
  }

  private mutating func begin(_ facts: FXTChunkFacts) throws(ImportError) {
    if !hasPage { try writePage([]) }
    guard !facts.isUnused else { return chunk = nil }
    if let number = facts.identity?.sequence, chosen[number] != facts.offset {
      duplicateChunks += 1
      chunk = nil
      return
    }
    chunk = ChunkCopy()
    // The copy completes a truncated chunk, even if only its padding is missing.
    chunk?.hasLost = missingBytes > 0 && facts.byteCount < RecordingLayout.chunkSize
    // If its start is lost, any provider that no other chunk has is suitable.
    chunk?.provider = UInt32(truncatingIfNeeded: 1 << 31 | (facts.identity?.sequence ?? 0))
  }

  private mutating func take(
    _ item: FXTRecordItem, _ names: FXTNames
  ) throws(ImportError) {
    let record = item.record
    if isScrollTraceRecording, !hasPage {
      // The records of the first page: the magic number is written with the page.
      if record.bytes.isBlob(RecordingLayout.BlobName.session, at: 0) {
        try writePage(withoutDropped([UInt8](record.bytes)))
      }
      return
    }
    let isSeal = isScrollTraceRecording && record.bytes.isBlob(RecordingLayout.BlobName.seal, at: 0)
    guard !item.isPad, !isSeal else { return }
    let facts = item.facts(names)
    guard Self.isUsable(facts, isScrollTraceRecording: isScrollTraceRecording) else {
      records[facts.kind, default: Count()].discarded += 1
      chunk?.hasLost = true
      return
    }
    guard isScrollTraceRecording else {
      records[facts.kind, default: Count()].recovered += 1
      return try write([UInt8](record.bytes))
    }
    guard chunk != nil else { return }
    records[facts.kind, default: Count()].recovered += 1
    chunk?.kinds[facts.kind, default: 0] += 1
    if facts.kind == "provider" {
      chunk?.provider = names.provider
    } else if chunk?.recordCount == 0 {
      chunk?.appendPreamble()
    }
    for index in facts.undefinedStrings where chunk?.placeholders.insert(index).inserted == true {
      chunk?.append(placeholder: index)
      chunk?.hasLost = true
      placeholderCount += 1
    }
    // A thread record has three words; one that claims more is probably damaged.
    if facts.kind == "unknown" || (facts.kind == "thread" && record.count > 3) {
      chunk?.noteDoubtful(record.bytes.count)
    }
    chunk?.append(record.bytes)
  }

  /// Returns whether a reader can use the record; kinds of later versions are kept.
  private static func isUsable(_ facts: FXTRecordFacts, isScrollTraceRecording: Bool) -> Bool {
    guard facts.isReadable else { return false }
    guard isScrollTraceRecording, let time = facts.time else { return true }
    guard time <= UInt64(Int64.max) else { return false }
    guard facts.kind == "complete", let end = facts.tail else { return true }
    return end >= time && end <= UInt64(Int64.max)
  }

  // MARK: - Writing

  /// Writes the first page around the record of a session blob, or around an empty one.
  private mutating func writePage(_ session: [UInt8]) throws(ImportError) {
    hasPage = true
    var page = FXTWriter()
    page.appendMagic()
    if session.isEmpty {
      page.appendBlob(
        .inline(RecordingLayout.BlobName.session.description), Self.unknownSession)
    } else {
      page.append(session)
    }
    page.appendPad(words: (RecordingLayout.pageSize - page.bytes.count) / 8)
    try write(page.bytes)
  }

  /// Returns a session's record with the copy's size, as if nothing were missing at the end.
  private func withoutDropped(_ record: [UInt8]) -> [UInt8] {
    typealias Session = RecordingLayout.Session
    var record = record
    let payload = RecordingLayout.sessionPayloadOffset - RecordingLayout.sessionRecordOffset
    let size = UInt64(RecordingLayout.chunkSize)
    for (field, unit) in [(Session.finishedSize, size), (Session.finishedChunks, 1)] {
      let place = payload + field
      guard place + 8 <= record.count else { return record }
      let value = record.withUnsafeBytes { $0.word(at: place) }
      let dropped = droppedCount.multipliedReportingOverflow(by: unit)
      guard !dropped.overflow, value >= dropped.partialValue else { return record }
      let rest = value - dropped.partialValue
      for index in 0..<8 { record[place + index] = UInt8(truncatingIfNeeded: rest >> (index * 8)) }
    }
    return record
  }

  /// The payload of an unknown session: not finished, with an unknown clock.
  private static var unknownSession: [UInt8] {
    var words = [UInt64](repeating: 0, count: RecordingLayout.Session.size / 8)
    words[0] = UInt64(RecordingLayout.majorVersion)
    words[RecordingLayout.Session.ticksPerSecond / 8] = 1_000_000_000
    words[RecordingLayout.Session.chunkSize / 8] = UInt64(RecordingLayout.chunkSize)
    words[RecordingLayout.Session.pageSize / 8] = UInt64(RecordingLayout.pageSize)
    var writer = FXTWriter()
    for word in words { writer.appendWord(word) }
    return writer.bytes
  }

  private mutating func endChunk(_ seal: FXTSealState) throws(ImportError) {
    guard var copy = chunk else { return }
    chunk = nil
    if seal == .wrong {
      // Any of its records can be wrong (R12).
      wrongSeals += 1
      for (kind, count) in copy.kinds {
        records[kind]?.recovered -= count
        records[kind]?.discarded += count
      }
      let provider = copy.provider
      copy = ChunkCopy()
      copy.provider = provider
      copy.hasLost = true
    }
    copy.isVerified = seal == .valid
    if copy.recordCount == 0 { copy.appendPreamble() }
    if copy.hasLost { copy.append(droppedBy: copy.provider) }
    try write(copy.whole())
  }

  /// Ends another program's file with a record that data is missing.
  private mutating func end() throws(ImportError) {
    if isScrollTraceRecording, !hasPage { try writePage([]) }
    guard !isScrollTraceRecording, hasLost else { return }
    var copy = ChunkCopy()
    copy.append(droppedBy: 0)
    try write(copy.bytes.bytes)
  }
}

extension FXTRecovery.ChunkCopy {
  /// The space available before the seal.
  private var room: Int {
    RecordingLayout.chunkSize - RecordingLayout.Seal.recordSize - bytes.bytes.count
  }

  mutating func append(_ record: UnsafeRawBufferPointer) {
    // Placeholders take space: the first to go is that of a record whose damaged header claims the
    // length of many.
    while record.count > room + RecordingLayout.Seal.recordSize, let last = doubtful.popLast() {
      guard last.upperBound <= bytes.bytes.count else { continue }
      var shorter = FXTWriter()
      shorter.append(Array(bytes.bytes[..<last.lowerBound]))
      shorter.append(Array(bytes.bytes[last.upperBound...]))
      bytes = shorter
      recordCount -= 1
      hasLost = true
    }
    guard record.count <= room + RecordingLayout.Seal.recordSize else { return hasLost = true }
    bytes.append([UInt8](record))
    recordCount += 1
  }

  /// Marks the next record as probably invalid.
  mutating func noteDoubtful(_ length: Int) {
    doubtful.append(bytes.bytes.count..<(bytes.bytes.count + length))
  }

  /// Writes the first two records of a chunk.
  mutating func appendPreamble() {
    var writer = FXTWriter()
    writer.appendProvider(provider)
    writer.appendInitialization()
    bytes.append(writer.bytes)
    recordCount += 2
  }

  mutating func append(placeholder index: UInt64) {
    var writer = FXTWriter()
    writer.appendString(
      UInt16(truncatingIfNeeded: index), FXTRecordFacts.placeholder(index))
    writer.bytes.withUnsafeBytes { append($0) }
  }

  /// Appends a record that records were dropped.
  mutating func append(droppedBy provider: UInt32) {
    var writer = FXTWriter()
    writer.appendProviderEvent(provider, event: 0)
    writer.bytes.withUnsafeBytes { append($0) }
  }

  /// Returns the chunk, sealed if a seal fits, and padded.
  consuming func whole() -> [UInt8] {
    if room >= 0 {
      let checksum = isVerified ? bytes.bytes.withUnsafeBytes { CRC32C.checksum(of: $0) } : 0
      var payload = FXTWriter()
      payload.appendWord(recordCount)
      payload.appendWord(UInt64(checksum))
      bytes.appendBlob(.inline(RecordingLayout.BlobName.seal.description), payload.bytes)
    }
    let rest = (RecordingLayout.chunkSize - bytes.bytes.count) / 8
    if rest > 0 { bytes.appendPad(words: rest) }
    return bytes.bytes
  }
}
