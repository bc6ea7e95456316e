internal import ScrollTraceLayout
package import ScrollTraceModel

/// Reads a recording of the profile while it is being written.
///
/// The host notices nothing: the file is only read, and of what was read before nothing is read again.
/// The records go to the same decoder that reads whole files, which is asked for a trace of what it
/// holds, and told to forget what is no longer needed.
///
/// ```swift
/// let reader = try LiveTraceReader(path: "run.fxt")
/// while true {
///   try reader.readOn(maximum: 4 << 20)
///   let trace = reader.trace()
///   …
///   reader.forget(before: trace.range.end - .milliseconds(20_000))
/// }
/// ```
///
/// A class because it owns an open file.
package final class LiveTraceReader {
  package enum PathState: Sendable {
    /// The file that is being read.
    case there
    /// Another file.
    case replaced
    case removed
  }

  package let path: String

  private let file: LiveFile
  private var decoder: FXTDecoder
  private var index: LiveChunkIndex
  /// The names of sampled code, each looked up once.
  private var names: CodeNames
  /// The chunks that may still get records, ascending by number.
  private var active: [LiveChunk] = []
  private var stacks: [Int: FXTChunk] = [:]
  /// Whether what cannot be read is damage, since nothing more comes.
  private var isFinal = false

  /// Opens the recording at `path`.
  ///
  /// - Throws: Where there is none, or it is no recording of the profile; `LiveTraceReader.notBegun`
  ///   where there is a file that has no first page yet.
  package init(path: String, options: ImportOptions = ImportOptions()) throws(ImportError) {
    self.path = path
    names = CodeNames(options)
    file = try LiveFile(path: path)
    var builder = TraceBuilder(format: "fxt")
    builder.source.path = path
    guard let session = try Self.session(of: file) else {
      if try Self.isRecording(file) { throw Self.damagedFirstPage }
      throw try Self.mayBegin(file) ? Self.notBegun : Self.notOurs
    }
    try session.checkVersion()
    decoder = FXTDecoder(builder)
    decoder.recording.hasLayout = true
    decoder.recording.session = session
    decoder.recording.raiseKeptSince()
    index = LiveChunkIndex(file, reuses: session.chunksOverwritten)
  }

  /// Why a file cannot be watched whose writer has not got far enough, if it has one.
  package static let notBegun = ImportError(
    "holds nothing yet", advice: "record with ScrollTrace's recorder")

  static let notOurs = ImportError(
    "cannot be watched", advice: "only ScrollTrace's recordings can")

  static let damagedFirstPage = ImportError(
    "has a damaged first page, without which it cannot be watched",
    advice: "'scrolltrace analyze' may still read it")

  // MARK: - The host

  package var process: UInt64 { decoder.recording.session?.process ?? 0 }

  /// The clock of the recording's times, as the file numbers them; 0 for the host's own.
  package var clock: UInt32 { decoder.recording.session?.clock ?? 0 }

  package var isClosed: Bool { decoder.recording.session?.state == 1 }

  /// What the path leads to now.
  package var pathState: PathState { file.state(of: path) }

  /// Whether there is more to be read than was read the last time.
  package var hasMore: Bool {
    !index.waiting.isEmpty || (isFinal && index.hasUnknown)
  }

  /// How much of the file has begun and was not read yet, in bytes.
  package var waitingByteCount: Int { index.waiting.count * RecordingLayout.chunkSize }

  /// When the first chunk that was not read yet began, or `nil` if there is none. What is recorded
  /// before it is known, long pieces of work aside, which are recorded when they end.
  package var frontier: Timestamp? {
    index.waiting.last.flatMap { Int64(exactly: $0.firstTick) }.flatMap(
      Timestamp.init(nanoseconds:))
  }

  // MARK: - What is known

  /// How many things are held.
  package var itemCount: Int { decoder.trace.builder.itemCount }

  /// The last instant of anything read so far, or `nil` if there is nothing yet.
  package var latestTime: Timestamp? { decoder.trace.builder.latestTime }

  /// The trace of what is held, as if nothing more came; its range is that of all that was read.
  package func trace() -> Trace {
    decoder.recording.byteCount = isFinal ? file.size : nil
    var builder = decoder.snapshot(openStacks())
    builder.source.byteCount = file.size
    return names.name(builder.finish())
  }

  package func forget(before time: Timestamp) { decoder.forget(before: time) }

  /// Says that the host will write no more, so that what cannot be read is damage.
  package func end() { isFinal = true }

  // MARK: - Reading

  /// Reads what has been recorded since the last time, and gives how many bytes that were.
  ///
  /// - Parameter limit: Chunks that have not been begun are left for the next time once so many bytes
  ///   have been read.
  @discardableResult
  package func readOn(maximum limit: Int) throws(ImportError) -> Int {
    // Before the chunks: once it says that the recording is closed, they are complete.
    if let session = try Self.session(of: file) { decoder.recording.session = session }
    if isClosed { isFinal = true }
    try leaveReusedChunks()
    try index.findChunks(isFinal: isFinal)
    var count = 0
    // Older chunks first: their threads may have gone on in those that are waiting.
    for chunkIndex in active.indices { count += try readOn(&active[chunkIndex]) }
    while count < limit, let next = index.takeNext() { count += try begin(next) }
    closeChunks()
    return count
  }

  /// Lets go of the chunks that get no more records.
  private func closeChunks() {
    for chunkIndex in active.indices
    where !isFinal && !active[chunkIndex].isFull && !active[chunkIndex].isGone {
      // What a thread recorded before it took its latest chunk has been read after that was found:
      // what is not a record by now never will be.
      guard let chunk = active[chunkIndex].chunk, index.isSucceeded(chunk) else { continue }
      decode(&active[chunkIndex], upTo: active[chunkIndex].bytes.count, isLast: true)
      decoder.recording.ledger.setSealed(true, chunk.sequence)
    }
    active.removeAll {
      isFinal || $0.isFull || $0.isGone || $0.chunk.map(index.isSucceeded) ?? false
    }
  }

  /// Whether the file is a recording by what follows its first page.
  private static func isRecording(_ file: LiveFile) throws(ImportError) -> Bool {
    try file.bytes(at: 0, count: SlidingBuffer.capacity).withUnsafeBytes { bytes in
      FXTFileReader.isScrollTraceRecording(bytes)
    }
  }

  /// Whether a first page may still come where there is none: the file is empty or begins with zeros,
  /// or with the magic and no whole page.
  private static func mayBegin(_ file: LiveFile) throws(ImportError) -> Bool {
    var bytes = try file.bytes(at: 0, count: 8)
    let count = bytes.count
    bytes += [UInt8](repeating: 0, count: 8 - count)
    let header = bytes.withUnsafeBytes { $0.word(at: 0) }
    return count < 8
      ? header == 0
      : header == 0
        || (header == RecordingLayout.magic && file.size < UInt64(RecordingLayout.pageSize))
  }

  private static func session(of file: LiveFile) throws(ImportError) -> FXTSession? {
    let page = try file.bytes(at: 0, count: RecordingLayout.pageSize)
    return page.withUnsafeBytes { page in
      page.count >= 8 && page.word(at: 0) == RecordingLayout.magic ? FXTSession(page: page) : nil
    }
  }

  // MARK: - Chunks that were used again

  /// Leaves chunks that were used again (W8); what was not read of the old ones is gone, as it would
  /// have been a moment later.
  private func leaveReusedChunks() throws(ImportError) {
    let count = decoder.recording.session?.chunksOverwritten ?? 0
    for slot in try index.findReused(count: count, isFinal: isFinal) {
      leave(slot, isUnread: active.contains { $0.slot == slot })
      active.removeAll { $0.slot == slot }
      stacks[slot] = nil
    }
    if index.missedReuses() { decoder.recording.raiseKeptSince() }
  }

  /// Says that another chunk is at `slot`, or will be. If something was missed, what is known begins
  /// where the file has everything from; what was overwritten and had been read before is known all
  /// the same.
  private func leave(_ slot: Int, isUnread: Bool) {
    let (sequence, wasWaiting) = index.leave(slot)
    if let sequence { decoder.recording.ledger.setSealed(true, sequence) }
    if isUnread || wasWaiting { decoder.recording.raiseKeptSince() }
  }

  // MARK: - Reading chunks

  /// Begins a chunk that was waiting, and reads what there is of it.
  private func begin(_ waiting: LiveChunkIndex.Waiting) throws(ImportError) -> Int {
    let offset = LiveChunk.offset(ofSlot: waiting.slot)
    var bytes = try file.bytes(at: offset, count: RecordingLayout.chunkSize)
    var scan = bytes.withUnsafeBytes { FXTChunkScan($0) }
    // The seal may be newer than what was read before it. Behind a seal nothing changes any more.
    if scan.checksum == .wrong, !isFinal {
      bytes = try file.bytes(at: offset, count: RecordingLayout.chunkSize)
      scan = bytes.withUnsafeBytes { FXTChunkScan($0) }
    }
    let count = bytes.count
    let chunk = bytes.withUnsafeBytes { FXTChunk($0) }
    // It was used again meanwhile, and will be found anew.
    guard (chunk?.sequence ?? .max) == waiting.sequence else {
      leave(waiting.slot, isUnread: true)
      return 0
    }
    if scan.checksum == .wrong {
      decoder.reject(chunk, at: offset + UInt64(scan.sealPosition ?? 0))
      return count
    }
    // As long as more comes, nobody knows when the recording ends.
    if isFinal { bytes.withUnsafeBytes { decoder.recording.addTimes(chunk, scan, of: $0) } }
    if let chunk, decoder.recording.ledger.isSealed(chunk.sequence) != nil {
      decoder.lose(.duplicateChunk, at: offset)
      return 0
    }
    let start = bytes.withUnsafeBytes {
      decoder.beginChunk(chunk, $0, at: offset, until: scan.times.latest)
    }
    guard let start else { return 0 }
    if let chunk, chunk.holdsStacks {
      stacks[waiting.slot] = chunk
      return count
    }
    var live = LiveChunk(
      slot: waiting.slot, chunk: chunk, bytes: bytes, position: start, recordCount: 0)
    let read = try readOn(&live)
    if !isFinal, !live.isFull, !live.isGone { active.append(live) }
    return read
  }

  /// Reads the records that have come since the last time; how many bytes they have.
  private func readOn(_ live: inout LiveChunk) throws(ImportError) -> Int {
    let start = live.position
    if !isFinal {
      guard try hasRecord(at: live.offset + UInt64(start)) else { return 0 }
    }
    // A reading that a record overtakes has its header, and may not have all of it: the headers say
    // what is complete, which is then read once more.
    let rest = try file.bytes(
      at: live.offset + UInt64(start), count: RecordingLayout.chunkSize - start)
    live.bytes.replaceSubrange(start..., with: rest)
    let end = live.endOfWholeRecords
    if end > start {
      let whole = try file.bytes(at: live.offset + UInt64(start), count: end - start)
      guard whole.count == end - start else { return 0 }
      live.bytes.replaceSubrange(start..<end, with: whole)
    }
    let sequence = try index.sequence(ofSlot: live.slot)
    guard sequence == live.chunk?.sequence ?? .max else {
      // What was read is of another chunk.
      live.bytes.removeSubrange(start...)
      live.isGone = true
      leave(live.slot, isUnread: true)
      return 0
    }
    guard end > start || isFinal else { return 0 }
    decode(&live, upTo: isFinal ? live.bytes.count : end, isLast: isFinal)
    return live.position - start
  }

  /// Hands the records before `end` to the decoder.
  ///
  /// - Parameter isLast: Whether nothing more comes, so that what is no record is damage.
  private func decode(_ live: inout LiveChunk, upTo end: Int, isLast: Bool) {
    let (chunk, start, offset) = (live.chunk, live.position, live.offset)
    let recordCount = live.recordCount
    live.position = live.bytes.withUnsafeBytes { bytes in
      if start > 0 {
        decoder.resumeChunk(chunk, bytes, at: start, recordCount: recordCount)
      }
      let region = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      let (consumed, stop) = decoder.readRecords(region, from: start, at: offset)
      if isLast {
        decoder.lose(
          stop, at: consumed, in: bytes, size: RecordingLayout.chunkSize, offset: offset)
        decoder.endChunk(at: offset)
      }
      return consumed
    }
    live.recordCount = decoder.recordCount
  }

  /// Whether something other than a pad begins at `offset`.
  private func hasRecord(at offset: UInt64) throws(ImportError) -> Bool {
    let bytes = try file.bytes(at: offset, count: 8)
    guard bytes.count == 8 else { return false }
    let header = bytes.withUnsafeBytes { $0.word(at: 0) }
    return header != 0 && !FXTRecord.isPad(header)
  }

  // MARK: - Open spans

  /// The stacks of open spans as they are now, those left out that change meanwhile.
  private func openStacks() -> [(chunk: FXTChunk, offset: UInt64, bytes: [UInt8])] {
    stacks.sorted { $0.key < $1.key }.compactMap { slot, chunk in
      guard var bytes = stackBytes(slot), let again = stackBytes(slot) else { return nil }
      bytes.clearChangedSlots(comparedWith: again)
      return (chunk, LiveChunk.offset(ofSlot: slot), bytes)
    }
  }

  private func stackBytes(_ slot: Int) -> [UInt8]? {
    try? file.bytes(at: LiveChunk.offset(ofSlot: slot), count: RecordingLayout.chunkSize)
  }
}

extension [UInt8] {
  /// Makes the stacks empty whose depth or generation are not those of a later copy (F-5).
  fileprivate mutating func clearChangedSlots(comparedWith later: [UInt8]) {
    typealias Layout = RecordingLayout.Slot
    let first = RecordingLayout.stacksPayloadOffset + RecordingLayout.Stacks.headerSize
    for slot in 0..<RecordingLayout.Stacks.slotCount {
      let word = first + slot * Layout.size + Layout.depth
      guard word + 8 <= count, word + 8 <= later.count else { return }
      guard self[word..<(word + 8)] != later[word..<(word + 8)] else { continue }
      replaceSubrange(word..<(word + 8), with: repeatElement(0, count: 8))
    }
  }
}
