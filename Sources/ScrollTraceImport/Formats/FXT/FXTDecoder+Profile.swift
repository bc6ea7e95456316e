internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTDecoder {
  /// Reads a blob; `preceding` holds the bytes before it in its chunk.
  mutating func readBlob(_ record: FXTRecord, _ preceding: UnsafeRawBufferPointer) {
    let header = record.header
    let type = header.bits(48, 8)
    guard type == FXT.dataBlob else {
      return type == FXT.perfettoBlob ? readPackets(record) : skipBlob(of: type)
    }
    guard isScrollTraceRecording, !record.isPad else { return }
    if record.bytes.isBlob(RecordingLayout.BlobName.seal, at: 0) {
      checkSeal(record, preceding)
    } else if record.bytes.isBlob(RecordingLayout.BlobName.stacks, at: 0) {
      readStacks(record)
    }
  }

  /// Compares the seal of a chunk with the chunk (W9); records already read are kept.
  private mutating func checkSeal(_ record: FXTRecord, _ preceding: UnsafeRawBufferPointer) {
    let payload = RecordingLayout.Seal.recordSize - RecordingLayout.Seal.size
    guard record.bytes.count >= RecordingLayout.Seal.recordSize else {
      return lose(.malformedRecord, at: record.offset)
    }
    let count = record.bytes.word(at: payload + RecordingLayout.Seal.recordCount)
    let checksum = record.bytes.word32(at: payload + RecordingLayout.Seal.checksum)
    // The seal itself is already counted.
    let isRight =
      count == recordCount - 1
      && (checksum == 0 || checksum == CRC32C.checksum(of: preceding))
    if !isRight { lose(.checksumMismatch, at: record.offset) }
    if let chunk = profile.chunk { profile.seen[chunk.sequence]?.isSealed = isRight }
  }

  /// Reads the stacks of open spans (F-5).
  private mutating func readStacks(_ record: FXTRecord) {
    typealias Layout = RecordingLayout.Stacks
    let start = RecordingLayout.stacksPayloadOffset - RecordingLayout.chunkPreambleSize
    guard let chunk = profile.chunk, record.bytes.count >= start + Layout.headerSize else {
      return lose(.malformedRecord, at: record.offset)
    }
    let payload = UnsafeRawBufferPointer(rebasing: record.bytes[start...])
    let slotSize = Int(payload.word32(at: Layout.slotSize))
    let depth = Int(payload.word32(at: Layout.depth))
    let room = RecordingLayout.Entry.size * min(depth, Int(UInt16.max))
    guard slotSize >= RecordingLayout.Slot.entries + room else {
      return lose(.malformedRecord, at: record.offset)
    }
    for slot in 0..<Int(payload.word32(at: Layout.slots)) {
      let begin = Layout.headerSize + slot * slotSize
      guard begin + slotSize <= payload.count else {
        return lose(.malformedRecord, at: record.offset)
      }
      readSlot(
        UnsafeRawBufferPointer(rebasing: payload[begin..<(begin + slotSize)]),
        entryCount: depth, process: chunk.process,
        at: record.offset + UInt64(start + begin))
    }
  }

  private mutating func readSlot(
    _ slot: UnsafeRawBufferPointer, entryCount: Int, process: UInt64, at offset: UInt64
  ) {
    typealias Layout = RecordingLayout.Slot
    let systemID = slot.word(at: Layout.thread)
    let depth = Int(slot.word32(at: Layout.depth))
    guard systemID != 0, depth > 0 else { return }
    let thread = threads.index(process: process, thread: systemID, in: &builder)
    if slot.word32(at: Layout.flags) & RecordingLayout.ChunkFlag.mainThread != 0 {
      builder.setMain(threads.tracks[Int(thread)])
    }
    profile.bounds.isUnchecked = true
    profile.deeperCount += max(0, depth - entryCount)
    for index in 0..<min(depth, entryCount) {
      let at = Layout.entries + index * RecordingLayout.Entry.size
      let begin = slot.word(at: at + RecordingLayout.Entry.begin)
      guard begin != 0 else { continue }
      let flags = slot.word32(at: at + RecordingLayout.Entry.flags)
      let hasItem = flags & RecordingLayout.Entry.hasItem != 0
      profile.open[thread, default: []].append(
        FXTRecordingMetadata.Entry(
          start: begin, category: slot.word16(at: at + RecordingLayout.Entry.category),
          name: slot.word16(at: at + RecordingLayout.Entry.name),
          item: hasItem ? slot.word(at: at + RecordingLayout.Entry.item) : nil,
          offset: offset + UInt64(at)))
    }
  }

  // MARK: - The end of the file

  /// Adds the results of the whole file: open spans, missing chunks, and the recorder's own
  /// counters.
  mutating func finishProfile() {
    guard isScrollTraceRecording else { return }
    let openBefore = builder.openSpanCount
    for (thread, entries) in profile.open.sorted(by: { $0.key < $1.key }) {
      addOpenSpans(entries, of: thread)
    }
    let hasOpenStack = builder.openSpanCount > openBefore
    if profile.deeperCount > 0 {
      builder.addNotice(
        .source("\(profile.deeperCount) spans were nested deeper than the recorder keeps"))
    }
    if profile.slept > 0 {
      let milliseconds = profile.slept / 1_000_000
      let fraction = String(1000 + milliseconds % 1000).dropFirst()
      builder.addNotice(
        .source("the machine slept for \(milliseconds / 1000).\(fraction) s during the recording"))
    }
    countMissingChunks()
    countMissingSeals()
    guard let session = profile.session else { return countThreadDrops() }
    boundTimes(session)
    builder.setHost(builder.process(session.process))
    builder.source.wasClosed = session.state == 1
    builder.source.session = session.identifier
    builder.source.startWall = session.openWall
    builder.source.weight = session.weight
    if session.hasWrongWeight {
      lose(
        .invalidValue,
        at: UInt64(RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.weight))
    }
    if session.state != 1 { builder.addNotice(.notClosed) }
    if hasOpenStack { builder.aliveUntil = session.lastAlive }
    builder.offset = UInt64(RecordingLayout.sessionPayloadOffset)
    builder.countLoss(.recorderOutOfSpace, count: session.droppedNoChunk)
    builder.countLoss(.recordTooLarge, count: session.droppedTooBig)
    // Spans open when the recording was finished can have ended later, which is not a loss.
    let ended = min(session.droppedAfterClose, UInt64(builder.openSpanCount))
    builder.countLoss(.recordedAfterFinish, count: session.droppedAfterClose - ended)
    builder.countLoss(.recordedFromSignalHandler, count: session.refusedInside)
    builder.offset = nil
    if ended > 0 {
      let were = ended == 1 ? "1 span" : "\(ended) spans"
      builder.addNotice(.source("\(were) ended after the recording was finished"))
    }
    if let reason = session.stopReason {
      let all = roomForAll(session).map { "; all events would take about \($0) MB" } ?? ""
      builder.addNotice(.source("the recorder ran out of space: \(reason)\(all)"))
    }
    if session.recordCost > 0 {
      builder.source.recorderCost = RecorderCost(
        picosecondsPerRecord: session.recordCost, recordCount: profile.eventCount,
        mainRecordCount: profile.mainEventCount, picosecondsPerReading: session.threadTimeCost,
        readingCount: profile.readingCount, mainReadingCount: profile.mainReadingCount,
        sampling: session.sampling)
    }
    finishRing(session)
  }

  /// About how many millions of bytes the file would have with the events that found no room, at the
  /// average size of those that did, or `nil` if nothing is known.
  private func roomForAll(_ session: FXTSession) -> UInt64? {
    let (events, lost) = (profile.eventCount, session.droppedNoChunk)
    guard lost > 0 else { return nil }
    let bytes = profile.sequences.values.reduce(0) { $0 &+ $1.count }
      .multipliedReportingOverflow(by: UInt64(RecordingLayout.chunkSize))
    // The smallest event, where the file has none to compare with.
    guard events > 0, !bytes.overflow else { return max(1, lost / 1_000_000 * 24) }
    let size = Double(bytes.partialValue) / Double(events) * (Double(events) + Double(lost))
    return UInt64(exactly: (size / 1_000_000).rounded(.up)).map { max(1, $0) }
  }

  /// Says which times can be those of the recording; a file behind another one has a clock of its own.
  private mutating func boundTimes(_ session: FXTSession) {
    guard profile.isFirstFile, let (times, notice) = profile.bounds.range(of: session) else {
      return builder.plausibleTimes = nil
    }
    builder.plausibleTimes = times
    // A hang before the host died looks the same, so this is no loss.
    if let notice { builder.addNotice(.source(notice)) }
  }

  /// Starts the trace where a flight recorder has retained everything (W8).
  private mutating func finishRing(_ session: FXTSession) {
    guard session.chunksOverwritten > 0 || session.ringChunks > 0 else { return }
    var ring = RecordingRing(
      chunkCount: session.ringChunks, overwrittenChunkCount: session.chunksOverwritten)
    if session.chunksOverwritten > 0, profile.keptSince > 0 {
      ring.start = profile.overwrittenBefore.flatMap { builder.length(since: $0) == nil ? nil : $0 }
      if ring.start == nil {
        lose(
          .invalidValue,
          at: UInt64(RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.keptSince))
      }
    }
    builder.source.ring = ring
    if profile.isFirstFile, let begin = ring.start {
      builder.begin(at: begin, knowsBefore: session.notDurable == 0)
    }
    if session.chunksOverwritten > 0 {
      builder.addNotice(
        .keepsLastPart(
          length: ring.start.flatMap { builder.length(since: $0) },
          overwrittenChunks: session.chunksOverwritten))
    }
    if session.notDurable > 0 {
      builder.addNotice(
        .source(
          "\(session.notDurable) states and interactions did not fit in the part that is never"
            + " overwritten; those older than the recording are unknown"))
    }
  }

  /// Adds the open spans of a thread, except those whose event reached the file.
  private mutating func addOpenSpans(_ entries: [FXTRecordingMetadata.Entry], of thread: UInt32) {
    guard !entries.isEmpty else { return }
    let track = threads.tracks[Int(thread)]
    builder.requireSpans()
    for entry in entries {
      guard let since = Int64(exactly: entry.start).flatMap(Timestamp.init(nanoseconds:)) else {
        lose(.timeOutOfRange, at: entry.offset)
        continue
      }
      guard !builder.hasSpan(on: track, startingAt: since) else { continue }
      hasUndefinedReference = false
      let label = builder.label(
        category: globalName(entry.category), name: globalName(entry.name))
      if hasUndefinedReference { lose(.undefinedReference, at: entry.offset) }
      builder.addOpenSpan(
        on: track, since: since, label: label, item: entry.item.map { .unsigned($0) })
    }
  }

  /// Returns the name that `index` has in every chunk (W5).
  private mutating func globalName(_ index: UInt16) -> StringID {
    guard index != 0 else { return .empty }
    if let name = references.stringOfAnyProvider(Int(index)) { return StringID(rawValue: name) }
    hasUndefinedReference = true
    return builder.string("(undefined string \(index))")
  }

  /// Counts the gaps in the numbers of each thread's chunks, except those a flight recorder reused.
  private mutating func countMissingChunks() {
    var missing: UInt64 = 0
    var first: UInt64?
    let cut = countCut()
    for (_, sequence) in profile.sequences.sorted(by: { $0.key < $1.key }) {
      let total = sequence.highest.saturatingAdd(1)
      let gap = total - min(total, sequence.count)
      guard gap > 0 else { continue }
      first = first ?? sequence.firstOffset
      missing = missing.saturatingAdd(gap)
    }
    missing -= min(missing, profile.session?.chunksOverwritten ?? 0)
    missing -= min(missing, profile.rejectedCount)
    if cut > missing {
      lose(.missingChunk, cut, at: profile.byteCount ?? 0)
    } else if let first {
      lose(.missingChunk, missing, at: first)
    }
  }

  /// Counts the chunks of a finished recording whose seals are missing: all but the last of each thread
  /// had one (R12).
  private mutating func countMissingSeals() {
    guard let session = profile.session, session.state == 1, session.sealsChunks else { return }
    let missing = profile.seen.values.filter { chunk in
      guard !chunk.isSealed, let place = chunk.place,
        let last = profile.sequences[place.thread]?.highest
      else { return false }
      return place.number < last
    }
    if let first = missing.map(\.offset).min() {
      lose(.checksumMismatch, UInt64(missing.count), at: first)
    }
  }

  /// Returns the number of whole chunks the finished file lacks at its end (F-8), and counts a
  /// truncated last one.
  private mutating func countCut() -> UInt64 {
    guard let session = profile.session else { return 0 }
    if session.hasWrongSize {
      lose(
        .invalidValue,
        at: UInt64(RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.finishedSize))
    }
    guard let byteCount = profile.byteCount, byteCount < session.finishedSize else { return 0 }
    let missing = session.finishedSize - byteCount
    let size = UInt64(RecordingLayout.chunkSize)
    if missing % size > 0, !builder.hasLoss(.cutAtEnd) { lose(.cutAtEnd, at: byteCount) }
    return missing / size
  }

  /// Uses the threads' own drop counts if the session's are not available.
  private mutating func countThreadDrops() {
    for (_, sequence) in profile.sequences.sorted(by: { $0.key < $1.key }) {
      builder.countLoss(.recorderOutOfSpace, count: sequence.drops)
    }
  }
}
