internal import ScrollTraceLayout
internal import ScrollTraceModel

/// What a file of the recording layout says of itself, apart from its events.
struct FXTRecording {
  /// Whether the file has the recording layout, which defines chunks and
  /// spans recorded after the fact.
  var hasLayout = false
  var session: FXTSession?
  /// The number of bytes of the file from its first page on, once known.
  var byteCount: UInt64?
  private var bounds = FXTTimeBounds()
  private var isFirstFile = true
  var chunk: FXTChunk?
  /// The offset of the chunk's seal if its checksum is known to match.
  var verifiedSeal: UInt64?
  /// The chunks read so far.
  var ledger = FXTChunkLedger()
  private var stacks = FXTOpenStacks()
  private var eventCount: UInt64 = 0
  private var mainEventCount: UInt64 = 0
  /// How many records have the counts of their thread, and how many of them the main thread wrote.
  private var readingCount: UInt64 = 0
  private var mainReadingCount: UInt64 = 0
  /// The time the machine slept, in nanoseconds.
  private var slept: Int64 = 0
  /// The time from which a live reader has missed nothing, or `nil` if the file is not read live.
  private var liveKeptSince: UInt64?
  /// The times of which chunks of a thread are missing, by thread and then by time.
  private var holes: [(thread: UInt32, range: TimeRange)] = []

  init() {}

  /// Creates the metadata of a file that follows `previous`.
  init(after previous: FXTRecording) {
    hasLayout = previous.hasLayout
    isFirstFile = false
  }

  /// The start of the recording if earlier data is overwritten (W8), or else `nil`.
  var overwrittenBefore: Timestamp? {
    guard let session, session.chunksOverwritten > 0, keptSince > 0 || liveKeptSince == nil else {
      return nil
    }
    return Int64(exactly: keptSince).flatMap(Timestamp.init(nanoseconds:))
  }

  /// The time from which everything is known (W8).
  private var keptSince: UInt64 { liveKeptSince ?? session?.keptSince ?? 0 }

  /// Says that a live reader has read everything from where the file now has everything.
  mutating func raiseKeptSince() { liveKeptSince = max(keptSince, session?.keptSince ?? 0) }

  // MARK: - Chunks

  /// Begins a chunk at `offset`, of the thread with number `thread` unless it belongs to none.
  ///
  /// - Parameter latest: The time of its latest event.
  mutating func begin(
    _ chunk: FXTChunk?, of thread: UInt32?, at offset: UInt64, until latest: UInt64
  ) {
    self.chunk = chunk
    if let chunk { ledger.add(chunk, of: thread, at: offset, until: latest) }
  }

  /// Finds the times of which chunks are missing, after all have been read.
  mutating func findHoles() {
    holes = hasLayout ? ledger.holes(keptSince: keptSince) : []
  }

  /// Returns the first time after `time` of which events of `thread` are missing, or `nil`.
  func hole(after time: Timestamp, of thread: UInt32) -> TimeRange? {
    holes.first { $0.thread == thread && $0.range.end > time }?.range
  }

  /// Returns the last time before `time` of which events of `thread` are missing, or `nil`.
  func hole(before time: Timestamp, of thread: UInt32) -> TimeRange? {
    holes.last { $0.thread == thread && $0.range.start < time }?.range
  }

  mutating func addTimes(_ chunk: FXTChunk?, _ scan: FXTChunkScan, of bytes: UnsafeRawBufferPointer)
  {
    guard chunk?.holdsStacks != true else { return }
    bounds.add(scan, of: bytes, begunAt: chunk?.firstTick ?? 0)
  }

  mutating func countEvents(_ count: UInt64) {
    guard let chunk else { return }
    eventCount &+= count
    if chunk.isMain { mainEventCount &+= count }
  }

  // MARK: - Records

  /// Reads a blob of ScrollTrace.
  ///
  /// - Parameters:
  ///   - preceding: The bytes before it in its chunk.
  ///   - recordCount: The number of records before it.
  mutating func readBlob(
    _ record: FXTRecord, _ preceding: UnsafeRawBufferPointer, recordCount: UInt64,
    _ trace: inout FXTTrace
  ) {
    guard hasLayout, !record.isPad else { return }
    if record.bytes.isBlob(RecordingLayout.BlobName.seal, at: 0) {
      checkSeal(record, preceding, recordCount, &trace)
    } else if record.bytes.isBlob(RecordingLayout.BlobName.stacks, at: 0) {
      stacks.read(record, of: chunk?.process, &trace)
    }
  }

  /// Compares the seal of a chunk with the chunk (W9); records already read are kept.
  private mutating func checkSeal(
    _ record: FXTRecord, _ preceding: UnsafeRawBufferPointer, _ recordCount: UInt64,
    _ trace: inout FXTTrace
  ) {
    let payload = RecordingLayout.Seal.recordSize - RecordingLayout.Seal.size
    guard record.bytes.count >= RecordingLayout.Seal.recordSize else {
      return trace.lose(.malformedRecord, at: record.offset)
    }
    let count = record.bytes.word(at: payload + RecordingLayout.Seal.recordCount)
    let checksum = record.bytes.word32(at: payload + RecordingLayout.Seal.checksum)
    let isRight =
      count == recordCount
      && (checksum == 0 || record.offset == verifiedSeal
        || checksum == CRC32C.checksum(of: preceding))
    if !isRight { trace.lose(.checksumMismatch, at: record.offset) }
    if let chunk { ledger.setSealed(isRight, chunk.sequence) }
  }

  mutating func readSleep(_ event: FXTEvent, _ trace: inout FXTTrace) {
    guard let length = event.arguments.time(of: .duration, &trace) else { return }
    slept = slept.saturatingAdd(length.nanoseconds)
  }

  /// Adds the system's counts for `thread` at `time`, if there are any among the arguments.
  mutating func addThreadTime(
    _ arguments: FXTArguments, of thread: UInt32, at time: Timestamp, _ trace: inout FXTTrace
  ) {
    var sample = ThreadTimeSample()
    for argument in arguments.list {
      let key = trace.vocabulary.key(argument.key)
      sample.set(key, to: arguments.count(argument.value, &trace))
    }
    addThreadTime(sample, of: thread, at: time, &trace)
  }

  /// Adds the system's counts for `thread` at `time`, if there are any.
  mutating func addThreadTime(
    _ sample: ThreadTimeSample, of thread: UInt32, at time: Timestamp, _ trace: inout FXTTrace
  ) {
    guard !sample.isEmpty else { return }
    readingCount &+= 1
    if chunk?.isMain == true { mainReadingCount &+= 1 }
    trace.builder.addThreadTime(sample, on: trace.track(of: thread), at: time)
  }

  // MARK: - The end of the file

  /// Adds the results of the whole file: open spans, missing chunks, and the recorder's own
  /// counters.
  mutating func finish(_ tables: inout FXTTables, _ trace: inout FXTTrace) {
    guard hasLayout else { return }
    if stacks.hasSlots { bounds.isUnchecked = true }
    let hasOpenStack = stacks.resolve(
      within: possibleStarts(from: trace.builder.timesSoFar), &tables, &trace)
    if slept > 0 {
      let milliseconds = slept / 1_000_000
      let fraction = String(1000 + milliseconds % 1000).dropFirst()
      trace.builder.addNotice(
        "the machine slept for \(milliseconds / 1000).\(fraction) s during the recording")
    }
    ledger.countMissing(session, byteCount: byteCount, &trace)
    if isCutAtEnd { trace.builder.keepsOnlyFirstEvents = true }
    for hole in holes {
      trace.builder.addHole(
        from: hole.range.start, to: hole.range.end, on: trace.track(of: hole.thread))
    }
    guard let session else { return ledger.countThreadDrops(&trace) }
    boundTimes(session, &trace.builder)
    describe(session, &trace)
    if hasOpenStack { trace.builder.aliveUntil = session.lastAlive }
    countLosses(session, &trace.builder)
    finishRing(session, &trace)
  }

  /// The maximum time from the latest event to the start of an open span if the end of the recording
  /// is unknown.
  private static let longestSilence: Int64 = 600_000_000_000

  /// Returns the times at which a span that never ended can have started.
  ///
  /// - Parameter events: The times of the first and the last event.
  private func possibleStarts(from events: (first: Int64, last: Int64)) -> ClosedRange<Int64> {
    // The bounds of a live reader lack the chunks that it read before the end.
    if liveKeptSince == nil, let session, let range = bounds.range(of: session) {
      return range.times
    }
    var (first, last) = events
    if let session, session.openClock > 0 || session.chunksOverwritten > 0 {
      first = min(first, Int64(clamping: session.openClock))
      last = max(last, Int64(clamping: session.openClock))
    }
    if let end = session?.lastAlive?.nanoseconds { last = max(last, end) }
    if let end = session?.closed?.clock { last = max(last, Int64(clamping: end)) }
    guard first <= last else { return 0...Int64.max }
    let before = Int64(clamping: FXTTimeBounds.slackBefore)
    return first.saturatingAdd(-before)...last.saturatingAdd(Self.longestSilence)
  }

  /// Whether the last events of some threads are missing.
  private var isCutAtEnd: Bool {
    guard let session else { return false }
    // A rejected chunk that no other one of its thread follows.
    if ledger.rejectedCount > ledger.gapCount { return true }
    if let byteCount, byteCount < session.finishedSize { return true }
    return session.droppedNoChunk > 0 && session.ringChunks == 0
  }

  /// Gives the trace what the session says of the recording.
  private func describe(_ session: FXTSession, _ trace: inout FXTTrace) {
    trace.builder.setHost(trace.builder.process(session.process))
    trace.builder.source.wasClosed = session.state == 1
    trace.builder.source.session = session.identifier
    trace.builder.source.startWall = session.openWall
    trace.builder.source.weight = session.weight
    if session.hasWrongWeight {
      trace.lose(
        .invalidValue,
        at: UInt64(RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.weight))
    }
    if session.state != 1 { trace.builder.addNotice(.notClosed) }
    guard session.recordCost > 0 else { return }
    trace.builder.source.recorderCost = RecorderCost(
      picosecondsPerRecord: session.recordCost, recordCount: eventCount,
      mainRecordCount: mainEventCount, picosecondsPerReading: session.threadTimeCost,
      readingCount: readingCount, mainReadingCount: mainReadingCount,
      sampling: session.sampling)
  }

  /// Counts what the recorder lost.
  private func countLosses(_ session: FXTSession, _ builder: inout TraceBuilder) {
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
      builder.addNotice("\(were) ended after the recording was finished")
    }
    if let reason = session.stopReason {
      let all = roomForAll(session).map { "; all events would take about \($0) MB" } ?? ""
      builder.addNotice("the recorder ran out of space: \(reason)\(all)")
    }
  }

  /// About how many millions of bytes the file would have with the events that found no room, at the
  /// average size of those that did, or `nil` if nothing is known.
  private func roomForAll(_ session: FXTSession) -> UInt64? {
    let (events, lost) = (eventCount, session.droppedNoChunk)
    guard lost > 0 else { return nil }
    // The smallest event, where the file has none to compare with.
    guard events > 0, let bytes = ledger.count.times(UInt64(RecordingLayout.chunkSize)) else {
      return max(1, lost / 1_000_000 * 24)
    }
    let size = Double(bytes) / Double(events) * (Double(events) + Double(lost))
    return UInt64(exactly: (size / 1_000_000).rounded(.up)).map { max(1, $0) }
  }

  /// Says which times can be those of the recording; a file behind another one has a clock of its own.
  private mutating func boundTimes(_ session: FXTSession, _ builder: inout TraceBuilder) {
    guard isFirstFile, let (times, notice) = bounds.range(of: session) else {
      return builder.plausibleTimes = nil
    }
    builder.plausibleTimes = times
    // A hang before the host died looks the same, so this is no loss.
    if let notice { builder.addNotice(notice) }
  }

  /// Starts the trace where a flight recorder has retained everything (W8).
  private func finishRing(_ session: FXTSession, _ trace: inout FXTTrace) {
    guard session.chunksOverwritten > 0 || session.ringChunks > 0 else { return }
    var ring = RecordingRing(overwrittenChunkCount: session.chunksOverwritten)
    if session.chunksOverwritten > 0, keptSince > 0 {
      ring.start = overwrittenBefore.flatMap { trace.builder.length(since: $0) == nil ? nil : $0 }
      if ring.start == nil {
        trace.lose(
          .invalidValue,
          at: UInt64(RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.keptSince))
      }
    }
    trace.builder.source.ring = ring
    if isFirstFile, let begin = ring.start {
      trace.builder.begin(at: begin, knowsBefore: session.notDurable == 0)
    }
    if session.chunksOverwritten > 0 {
      trace.builder.addNotice(
        .keepsLastPart(
          length: ring.start.flatMap { trace.builder.length(since: $0) },
          overwrittenChunks: session.chunksOverwritten))
    }
    if session.notDurable > 0 {
      let records =
        session.notDurable == 1
        ? "1 state or interaction" : "\(session.notDurable) states and interactions"
      trace.builder.addNotice(
        "\(records) did not fit in the part that is never overwritten; those older than the"
          + " recording are unknown")
    }
  }
}
