internal import ScrollTraceLayout
internal import ScrollTraceModel

extension LiveTraceReader {
  /// How many places behind the last chunk are looked at: as many threads may have taken one and not
  /// begun it, and the next ones may have.
  private static let mostGaps = 64
  /// How many places are looked at in one go.
  private static let mostProbes = 4096

  /// Reads what has been recorded since the last time, and gives how many bytes that were.
  ///
  /// - Parameter limit: Chunks that have not been begun are left for the next time once so many bytes
  ///   have been read.
  @discardableResult
  package func readOn(atMost limit: Int) throws(ImportError) -> Int {
    // Before the chunks: once it says that the recording is closed, they are complete.
    if let session = try readSession() { decoder.profile.session = session }
    if isClosed { isFinal = true }
    try findReusedChunks()
    try findChunks()
    var count = 0
    // Older chunks first: their threads may have gone on in those that are waiting.
    for index in active.indices { count += try readOn(&active[index]) }
    while let next = waiting.last, count < limit {
      waiting.removeLast()
      count += try begin(next)
    }
    closeChunks()
    return count
  }

  /// Lets go of the chunks that get no more records.
  private func closeChunks() {
    for index in active.indices where !isFinal && !active[index].isFull && !active[index].isGone {
      // What a thread recorded before it took its latest chunk has been read after that was found:
      // what is not a record by now never will be.
      guard let chunk = active[index].chunk, isSucceeded(chunk) else { continue }
      decode(&active[index], upTo: active[index].bytes.count, isLast: true)
      decoder.profile.seen[chunk.sequence]?.isSealed = true
    }
    active.removeAll { isFinal || $0.isFull || $0.isGone || $0.chunk.map(isSucceeded) ?? false }
  }

  /// Whether the thread of `chunk` has gone on in another one.
  private func isSucceeded(_ chunk: FXTChunk) -> Bool {
    latest[ThreadKey(chunk)].map { chunk.threadSequence < $0 } ?? false
  }

  /// Whether a first page may still come where there is none: the file is empty or begins with zeros,
  /// or with the magic and no whole page.
  func mayBegin() throws(ImportError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = try read(at: 0, into: &bytes)
    let header = bytes.withUnsafeBytes { $0.word(at: 0) }
    return count < 8
      ? header == 0
      : header == 0
        || (header == RecordingLayout.magic && file.size < UInt64(RecordingLayout.pageSize))
  }

  /// The session of the file, or `nil` if its page cannot be read.
  func readSession() throws(ImportError) -> FXTSession? {
    var page = [UInt8](repeating: 0, count: RecordingLayout.pageSize)
    let count = try read(at: 0, into: &page)
    return page.withUnsafeBytes { page in
      let page = UnsafeRawBufferPointer(rebasing: page[..<count])
      return page.count >= 8 && page.word(at: 0) == RecordingLayout.magic
        ? FXTSession(page: page) : nil
    }
  }

  func read(at offset: UInt64, into bytes: inout [UInt8]) throws(ImportError) -> Int {
    var result = Result<Int, ImportError>.success(0)
    bytes.withUnsafeMutableBytes { buffer in
      result = Result { () throws(ImportError) in try file.read(at: offset, into: buffer) }
    }
    return try result.get()
  }

  // MARK: - Finding chunks

  /// Looks for chunks that have begun since the last time, behind those that are known.
  private func findChunks() throws(ImportError) {
    let size = file.size
    var gaps = 0
    var slot = firstFree
    var found = false
    // Chunks that are used again lie in no order, so that all have to be known.
    let most = reuses > 0 ? Int.max : Self.mostProbes
    for _ in 0..<most {
      guard gaps < Self.mostGaps || isFinal, LiveChunk.offset(ofSlot: slot) < size else { break }
      if known[slot] == nil {
        if try find(slot) { found = true } else { gaps += 1 }
      }
      slot += 1
      while firstFree < slot, known[firstFree] != nil { firstFree += 1 }
    }
    if isFinal, gaps > 0 { firstFree = slot }
    if found { waiting.sort { ($0.sequence, $0.slot) > ($1.sequence, $1.slot) } }
  }

  /// Whether a chunk has begun at `slot`; it then waits to be read.
  private func find(_ slot: Int) throws(ImportError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: RecordingLayout.chunkPreambleSize)
    let count = try read(at: LiveChunk.offset(ofSlot: slot), into: &bytes)
    let isPad = bytes.starts(with: FXTFileReader.padBytes.prefix(count))
    guard !isPad, count > 0 else { return false }
    let chunk = bytes.withUnsafeBytes { FXTChunk(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    // What is no chunk may become one, until nothing more comes.
    guard chunk != nil || isFinal else { return false }
    let sequence = chunk?.sequence ?? .max
    known[slot] = sequence
    if let chunk {
      latest[ThreadKey(chunk)] = max(latest[ThreadKey(chunk)] ?? 0, chunk.threadSequence)
    }
    waiting.append(
      WaitingChunk(slot: slot, sequence: sequence, firstTick: chunk?.firstTick ?? .max))
    return true
  }

  /// Looks for chunks that were used again (W8); what was not read of the old ones is gone, as it
  /// would have been a moment later.
  private func findReusedChunks() throws(ImportError) {
    let now = decoder.profile.session?.chunksOverwritten ?? 0
    let isLast = isFinal && !hasLookedLast && now > 0
    guard now != reuses || isLast else { return }
    hasLookedLast = isFinal
    reuses = now
    for slot in known.keys.sorted() where try sequence(ofSlot: slot) != known[slot] {
      let isUnread =
        waiting.contains { $0.slot == slot } || active.contains { $0.slot == slot }
      leave(slot, isUnread: isUnread)
      waiting.removeAll { $0.slot == slot }
      active.removeAll { $0.slot == slot }
      stacks[slot] = nil
    }
    // More than that came and went between two looks.
    if seenReuses < now {
      seenReuses = now
      raiseBegin()
    }
  }

  /// Says that another chunk is at `slot`, or will be.
  private func leave(_ slot: Int, isUnread: Bool) {
    if let sequence = known[slot] { decoder.profile.seen[sequence]?.isSealed = true }
    known[slot] = nil
    firstFree = min(firstFree, slot)
    seenReuses += 1
    if isUnread { raiseBegin() }
  }

  /// Lets what is known begin where the file has everything from, since something was missed; what was
  /// overwritten and had been read before is known all the same.
  private func raiseBegin() {
    decoder.profile.liveKeptSince = max(
      decoder.profile.keptSince, decoder.profile.session?.keptSince ?? 0)
  }

  /// The number of the chunk that is at `slot` now, or `nil` if none has begun.
  private func sequence(ofSlot slot: Int) throws(ImportError) -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: RecordingLayout.chunkPreambleSize)
    let count = try read(at: LiveChunk.offset(ofSlot: slot), into: &bytes)
    guard !bytes.starts(with: FXTFileReader.padBytes) else { return nil }
    return bytes.withUnsafeBytes {
      FXTChunk(UnsafeRawBufferPointer(rebasing: $0[..<count]))?.sequence ?? .max
    }
  }

  // MARK: - Reading chunks

  /// Begins a chunk that was waiting, and reads what there is of it.
  private func begin(_ waiting: WaitingChunk) throws(ImportError) -> Int {
    let offset = LiveChunk.offset(ofSlot: waiting.slot)
    var bytes = try chunk(at: offset)
    var scan = bytes.withUnsafeBytes { FXTChunkScan($0) }
    // The seal may be newer than what was read before it. Behind a seal nothing changes any more.
    if scan.checksum == .wrong, !isFinal {
      bytes = try self.chunk(at: offset)
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
    if isFinal, chunk?.holdsStacks != true {
      bytes.withUnsafeBytes {
        decoder.profile.bounds.add(scan, of: $0, begunAt: chunk?.firstTick ?? 0)
      }
    }
    if let chunk, decoder.profile.seen[chunk.sequence] != nil {
      decoder.lose(.duplicateChunk, at: offset)
      return 0
    }
    let start = bytes.withUnsafeBytes { decoder.beginChunk(chunk, $0, at: offset) }
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

  /// What there is of the chunk at `offset`.
  private func chunk(at offset: UInt64) throws(ImportError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RecordingLayout.chunkSize)
    let count = try read(at: offset, into: &bytes)
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Reads the records that have come since the last time; how many bytes they have.
  private func readOn(_ live: inout LiveChunk) throws(ImportError) -> Int {
    let start = live.position
    if !isFinal {
      guard try hasRecord(at: live.offset + UInt64(start)) else { return 0 }
    }
    // A reading that a record overtakes has its header, and may not have all of it: the headers say
    // what is complete, which is then read once more.
    var rest = [UInt8](repeating: 0, count: RecordingLayout.chunkSize - start)
    let count = try read(at: live.offset + UInt64(start), into: &rest)
    live.bytes.replaceSubrange(start..., with: rest[..<count])
    let end = live.endOfWholeRecords
    if end > start {
      var whole = [UInt8](repeating: 0, count: end - start)
      guard try read(at: live.offset + UInt64(start), into: &whole) == whole.count else { return 0 }
      live.bytes.replaceSubrange(start..<end, with: whole)
    }
    let sequence = try sequence(ofSlot: live.slot)
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
    var bytes = [UInt8](repeating: 0, count: 8)
    guard try read(at: offset, into: &bytes) == 8 else { return false }
    let header = bytes.withUnsafeBytes { $0.word(at: 0) }
    return header != 0 && !FXTRecord.isPad(header)
  }

  // MARK: - Open spans

  /// The stacks of open spans as they are now, those left out that change meanwhile.
  func openStacks() -> [(chunk: FXTChunk, bytes: [UInt8])] {
    stacks.sorted { $0.key < $1.key }.compactMap { slot, chunk in
      guard var bytes = stackBytes(slot), let again = stackBytes(slot) else { return nil }
      bytes.clearChangedSlots(comparedWith: again)
      return (chunk, bytes)
    }
  }

  private func stackBytes(_ slot: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: RecordingLayout.chunkSize)
    guard let count = try? read(at: LiveChunk.offset(ofSlot: slot), into: &bytes) else {
      return nil
    }
    bytes.removeLast(bytes.count - count)
    return bytes
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
