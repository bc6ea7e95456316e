internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Decodes records, independently of files, pages and chunks: gives each to what it is about.
struct FXTDecoder: ~Copyable {
  /// The reason `readRecords` stopped.
  enum Stop: Equatable {
    /// Less than a word is left.
    case atEnd
    /// The next record has this many bytes, more than are available.
    case needs(UInt64)
    /// The next record has size zero.
    case zeroSize
  }

  /// What the file says of itself.
  var recording = FXTRecording()
  private(set) var trace: FXTTrace
  private var tables = FXTTables()
  private var parser = FXTArgumentParser()
  private var frames: FXTFrameReader
  private var surfaces = FXTSurfaces()
  private var pairing = FXTPairing()
  private var schedule = FXTSchedule()
  private var unread = FXTUnreadRecords()
  private var batch = SpanBatch()
  private var noticeCount = 0
  /// More than a recorder writes.
  private static let maximumNoticeCount = 256
  /// The number of records since the chunk began, for comparison with its seal.
  private(set) var recordCount: UInt64 = 0
  /// The number of those records that are not events.
  private var otherRecordCount: UInt64 = 0

  init(_ builder: TraceBuilder) {
    trace = FXTTrace(builder)
    frames = FXTFrameReader(keepsFrameArguments: builder.keepsFrameArguments)
  }

  /// The ratio of the source's size to the part already read.
  var growth: Double {
    get { batch.growth }
    set { batch.growth = newValue }
  }

  mutating func lose(_ reason: Loss.Reason, _ count: UInt64 = 1, at offset: UInt64) {
    trace.lose(reason, count, at: offset)
  }

  mutating func passOver(_ kind: String) { unread.count(kind) }

  // MARK: - Chunks and files

  /// Starts the self-contained chunk in `bytes`, which is not pure padding, and returns the offset
  /// of its records. Returns `nil` and counts the loss if no record can be read.
  ///
  /// - Parameter latest: The time of its latest event.
  mutating func beginChunk(
    _ chunk: FXTChunk?, _ bytes: UnsafeRawBufferPointer, at offset: UInt64, until latest: UInt64
  ) -> Int? {
    recordCount = 0
    otherRecordCount = 0
    let thread = enterChunk(chunk)
    recording.begin(chunk, of: thread, at: offset, until: latest)
    if let chunk, let thread {
      let track = trace.track(of: thread)
      if chunk.isMain { trace.builder.setMain(track) }
      if chunk.isComplete { trace.builder.setCompletelyRecorded(track) }
    }
    guard bytes.count >= 8 else {
      // The first bytes of padding: the writer died while the file grew.
      let isGrowing = bytes.elementsEqual(FXTFileReader.padBytes.prefix(bytes.count))
      if !isGrowing { lose(.cutAtEnd, at: offset) }
      return nil
    }
    let header = bytes.word(at: 0)
    if header & 0xf_ffff == 0x1_0010 { return 0 }
    if chunk != nil {
      lose(.damagedBytes, UInt64(FXTChunk.blobOffset), at: offset)
      return FXTChunk.blobOffset
    }
    if FXTRecord.isPad(header) { return 0 }
    lose(.damagedBytes, UInt64(bytes.count), at: offset)
    return nil
  }

  /// Forgets all definitions for those of a chunk, and returns the number of its thread.
  private mutating func enterChunk(_ chunk: FXTChunk?) -> UInt32? {
    tables.reset()
    guard let chunk, !chunk.holdsStacks, !chunk.isShared else { return nil }
    let thread = trace.thread(process: chunk.process, thread: chunk.thread)
    tables.setChunkThread(thread)
    return thread
  }

  /// Continues a chunk of which `recordCount` records, up to `position`, have been read, and restores
  /// their definitions.
  mutating func resumeChunk(
    _ chunk: FXTChunk?, _ bytes: UnsafeRawBufferPointer, at position: Int, recordCount: UInt64
  ) {
    recording.chunk = chunk
    _ = enterChunk(chunk)
    var next = 0
    while position - next >= 8 {
      let size = FXTRecord.size(bytes.word(at: next))
      guard size > 0, size <= UInt64(position - next) else { break }
      let end = next + Int(size)
      let record = FXTRecord(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[next..<end]), offset: UInt64(next))
      // Its errors were counted before.
      _ = tables.define(record, isRecording: recording.hasLayout, &trace)
      next = end
    }
    self.recordCount = recordCount
  }

  /// Ends the chunk at `offset` after all of its records have been read.
  mutating func endChunk(at offset: UInt64) {
    // Provider info, initialization and padding alone are a chunk whose writer died at its start.
    if recording.chunk == nil, recordCount > 3 {
      lose(.malformedRecord, at: offset + UInt64(FXTChunk.blobOffset))
    }
  }

  /// Counts the events of the chunk that was read.
  mutating func countEvents() {
    guard recordCount >= otherRecordCount else { return }
    recording.countEvents(recordCount - otherRecordCount)
  }

  /// Leaves out a chunk whose checksum does not match, whose seal is at `offset` (R12).
  mutating func reject(_ chunk: FXTChunk?, at offset: UInt64) {
    lose(.checksumMismatch, at: offset)
    recording.ledger.reject(chunk)
  }

  /// Counts the loss if the records of a page or chunk of `size` bytes at `offset` end too early
  /// (R2).
  mutating func lose(
    _ stop: Stop, at position: Int, in bytes: UnsafeRawBufferPointer, size: Int, offset: UInt64
  ) {
    let rest = UInt64(bytes.count - position)
    let isWhole = bytes.count == size
    let offset = offset + UInt64(position)
    switch stop {
    case .atEnd:
      if !isWhole { lose(.cutAtEnd, at: offset) }
    case .zeroSize:
      lose(.damagedBytes, rest, at: offset)
    case .needs(let wanted):
      if isWhole || wanted > UInt64(size - position) {
        lose(.damagedBytes, rest, at: offset)
      } else if !FXTRecord.isPad(bytes.word(at: position)) {
        lose(.cutAtEnd, at: offset)
      }
    }
  }

  /// Starts another file that follows the previous one.
  mutating func startNextFile(previousByteCount: UInt64) {
    trace.builder.holdsSeveralRecordings = true
    trace.builder.addNotice("the file contains several traces")
    recording.byteCount = previousByteCount
    resolve()
    pairing = FXTPairing()
    schedule = FXTSchedule()
    recording = FXTRecording(after: recording)
    tables.reset()
  }

  /// Pairs begins and ends, names the threads, and returns the builder.
  consuming func finish() -> TraceBuilder {
    resolve()
    trace.threads.applyNames(to: &trace.builder)
    unread.report(in: &trace.builder)
    return trace.builder
  }

  /// Adds what is known only at the end of a file.
  private mutating func resolve() {
    batch.flush(into: &trace.builder)
    recording.findHoles()
    pairing.resolve(clock: tables.clock, &surfaces, &recording, &trace)
    schedule.resolve(&trace)
    recording.finish(&tables, &trace)
    // In a recording, no two spans of a thread start at once.
    if !recording.hasLayout { trace.builder.putLaterSpansOutside() }
  }

  // MARK: - While the file is written

  /// Returns the builder as if nothing followed; the decoder does not change.
  ///
  /// - Parameter stacks: The current chunks of open spans, with their offsets in the file.
  mutating func snapshot(
    _ stacks: [(chunk: FXTChunk, offset: UInt64, bytes: [UInt8])]
  ) -> TraceBuilder {
    batch.flush(into: &trace.builder)
    let before = (trace, surfaces, recording)
    for (chunk, offset, bytes) in stacks {
      recording.chunk = chunk
      bytes.withUnsafeBytes { bytes in
        guard bytes.isBlob(RecordingLayout.BlobName.stacks, at: RecordingLayout.chunkPreambleSize)
        else { return }
        let size = FXTRecord.size(bytes.word(at: RecordingLayout.chunkPreambleSize))
        let end = RecordingLayout.chunkPreambleSize + Int(size)
        guard size > 0, end <= bytes.count else { return }
        let blob = bytes[RecordingLayout.chunkPreambleSize..<end]
        readBlob(
          FXTRecord(
            bytes: UnsafeRawBufferPointer(rebasing: blob),
            offset: offset + UInt64(RecordingLayout.chunkPreambleSize)),
          UnsafeRawBufferPointer(rebasing: bytes[..<RecordingLayout.chunkPreambleSize]))
      }
    }
    resolve()
    trace.threads.applyNames(to: &trace.builder)
    unread.report(in: &trace.builder)
    let result = trace.builder
    (trace, surfaces, recording) = before
    return result
  }

  mutating func forget(before time: Timestamp) {
    batch.flush(into: &trace.builder)
    trace.builder.forget(before: time)
    schedule.forget(before: time)
    // The start of such an end can be overwritten, which is not a loss (R18).
    let isCut = recording.overwrittenBefore != nil
    for offset in pairing.forget(before: time, trace.threads, isCut: isCut) {
      lose(.unmatchedEnd, at: offset)
    }
    recording.ledger.forgetOld()
  }

  // MARK: - Records

  /// Reads the records at the front of `region`, which lies at `offset` of the source, and returns
  /// their size in bytes and the reason it stopped.
  mutating func readRecords(
    _ region: UnsafeRawBufferPointer, from start: Int = 0, at offset: UInt64
  ) -> (consumed: Int, stop: Stop) {
    var position = start
    while region.count - position >= 8 {
      let header = region.word(at: position)
      // A complete event without arguments and inline parts.
      if header & 0x8000_8000_00ff_ffff == FXTRecord.completeEventOfThreeWords,
        header & 0xff00_0000 != 0
      {
        let next = readPlainSpans(region, from: position)
        if next > position {
          position = next
          continue
        }
      }
      let read = readSpanOfOneNumber(UnsafeRawBufferPointer(rebasing: region[position...]))
      if read > 0 {
        position += read
        continue
      }
      let size = FXTRecord.size(header)
      guard size > 0 else { return (position, .zeroSize) }
      guard size <= UInt64(region.count - position) else { return (position, .needs(size)) }
      let end = position + Int(size)
      recordCount &+= 1
      readRecord(
        FXTRecord(
          bytes: UnsafeRawBufferPointer(rebasing: region[position..<end]),
          offset: offset + UInt64(position)),
        in: UnsafeRawBufferPointer(rebasing: region[..<position]))
      position = end
    }
    return (position, .atEnd)
  }

  /// Reads one record; `preceding` holds the bytes before it in its chunk.
  private mutating func readRecord(_ record: FXTRecord, in preceding: UnsafeRawBufferPointer) {
    let type = FXT.RecordType(rawValue: record.header.bits(0, 4))
    if type != .event { otherRecordCount &+= 1 }
    switch type {
    case .event: readEvent(record)
    case .string, .thread, .initialization: define(record)
    case .metadata: readMetadata(record)
    case .blob: readBlob(record, preceding)
    case .kernelObject: readKernelObject(record)
    case .log: readLog(record)
    case .scheduling: schedule.read(record, &parser, &tables, &unread, &trace)
    case .userspaceObject: trace.builder.addNotice("userspace objects are not read")
    case .large: unread.count("large records")
    case nil: unread.count("records of the unknown type \(record.header.bits(0, 4))")
    }
  }

  private mutating func define(_ record: FXTRecord) {
    if let reason = tables.define(record, isRecording: recording.hasLayout, &trace) {
      lose(reason, at: record.offset)
    }
  }

  private mutating func readMetadata(_ record: FXTRecord) {
    let header = record.header
    switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
    case .providerInfo, .providerSection: define(record)
    case .providerEvent:
      let event = header.bits(52, 4)
      guard event != 0 else { return lose(.sourceDroppedRecords, at: record.offset) }
      unread.count("events of providers of the unknown type \(event)")
    case .traceInfo:
      if header == RecordingLayout.magic, !recording.hasLayout {
        tables.reset()
        trace.builder.addNotice("the file contains several traces")
      }
    case nil: unread.count("metadata of the unknown type \(header.bits(16, 4))")
    }
  }

  /// Reads a blob; `preceding` holds the bytes before it in its chunk.
  private mutating func readBlob(_ record: FXTRecord, _ preceding: UnsafeRawBufferPointer) {
    switch record.header.bits(48, 8) {
    case FXT.dataBlob:
      // The blob itself is already counted.
      recording.readBlob(record, preceding, recordCount: recordCount &- 1, &trace)
    case FXT.perfettoBlob:
      // Whatever else another writer puts there is its own.
      if !FXTSamples.read(record, isRecording: recording.hasLayout, &trace) {
        unread.count("blobs of Perfetto without samples")
      }
    case FXT.lastBranchBlob: unread.count("last branch records")
    case let type: unread.count("blobs of the unknown type \(type)")
    }
  }

  private mutating func readKernelObject(_ record: FXTRecord) {
    let header = record.header
    var cursor = 2
    tables.begin()
    guard record.count >= 2,
      let name = tables.name(header.bits(24, 16), in: record, at: &cursor, &trace),
      parser.read(Int(header.bits(40, 4)), of: record, from: &cursor, &tables, &trace)
    else { return lose(.malformedRecord, at: record.offset) }
    tables.end(at: record.offset, &trace)
    let arguments = arguments(of: record)
    switch FXT.ObjectType(rawValue: header.bits(16, 8)) {
    case .process: trace.threads.setName(name, process: record[1])
    case .thread:
      var process: UInt64?
      for argument in arguments.list where trace.vocabulary.key(argument.key) == .process {
        if case .unsigned(let koid) = argument.value { process = koid }
      }
      trace.threads.setName(name, thread: record[1], process: process)
    case nil: break
    }
  }

  private mutating func readLog(_ record: FXTRecord) {
    let header = record.header
    guard record.count >= 2, let text = record.text(at: 2, count: Int(header.bits(16, 15))) else {
      return lose(.malformedRecord, at: record.offset)
    }
    guard let time = tables.clock.time(record[1]) else {
      return lose(.timeOutOfRange, at: record.offset)
    }
    tables.begin()
    let thread = tables.thread(Int(header.bits(32, 8)), &trace)
    tables.end(at: record.offset, &trace)
    let category = trace.builder.string("log")
    let label = trace.builder.label(category: category, name: trace.builder.string(text))
    trace.builder.addMark(on: trace.track(of: thread), at: time, label: label)
  }

  private func arguments(of record: FXTRecord) -> FXTArguments {
    FXTArguments(list: parser.list, clock: tables.clock, offset: record.offset)
  }

  // MARK: - Spans without arguments, and with an item

  /// Reads the complete events from `start` on that have only known labels of one thread, and
  /// returns the offset of the first other record. Most of a file consists of such events.
  private mutating func readPlainSpans(_ region: UnsafeRawBufferPointer, from start: Int) -> Int {
    let lower = UInt32(truncatingIfNeeded: region.word(at: start))
    guard tables.clock.countsNanoseconds, let thread = tables.knownThread(Int(lower >> 24)) else {
      return start
    }
    batch.select(trace.threads.tracks[Int(thread)], of: &trace.builder)
    let count = batch.appendPlainSpans(
      UnsafeRawBufferPointer(rebasing: region[start...]), lower: lower, labels: tables.labels,
      epoch: tables.epoch)
    recordCount &+= UInt64(count)
    return start + count * 24
  }

  /// Reads the complete event at the front of `words` if it has exactly one number, known labels
  /// and a known thread, and returns its size in bytes. Returns 0 and does nothing for all other
  /// events.
  ///
  /// Spans with an item are such events.
  @inline(__always)
  private mutating func readSpanOfOneNumber(_ words: UnsafeRawBufferPointer) -> Int {
    let header = words.word(at: 0)
    let size = Int(header.bits(4, 12)) * 8
    // A complete event with one argument and without inline parts, of four or five words.
    guard header & 0x8000_8000_00ff_000f == 0x14_0004, header & 0xff00_0000 != 0,
      size == 32 || size == 40, size <= words.count, tables.clock.countsNanoseconds
    else { return 0 }
    let begin = words.word(at: 8)
    let end = words.word(at: size - 8)
    let argument = words.word(at: 16)
    // The argument has one word or two, as the event's size requires, and its name is not inline.
    guard begin <= end, end <= UInt64(Int64.max), argument.bits(4, 12) == UInt64(size / 8 - 3),
      argument & 0x8000_0000 == 0, argument & 0x7fff_0000 != 0,
      let value = Self.number(argument, words, size: size),
      let key = tables.knownName(Int(argument.bits(16, 15))),
      let label = tables.labels.find(FXTLabel.key(epoch: tables.epoch, header: header)),
      label.isPlain, let thread = tables.knownThread(Int(header.bits(24, 8)))
    else { return 0 }
    recordCount &+= 1
    batch.select(trace.threads.tracks[Int(thread)], of: &trace.builder)
    let list = trace.builder.argumentList(
      one: Argument(key: key, value: value), growth: growth)
    batch.append(Int64(bitPattern: begin), Int64(bitPattern: end), label.id, list)
    return size
  }

  /// Returns the integer in an argument, or `nil` if it holds another type.
  @inline(__always)
  private static func number(
    _ argument: UInt64, _ words: UnsafeRawBufferPointer, size: Int
  ) -> ArgumentValue? {
    switch (FXT.ArgumentType(rawValue: argument.bits(0, 4)), size) {
    case (.int32, 32): .integer(Int64(Int32(truncatingIfNeeded: argument >> 32)))
    case (.uint32, 32): .unsigned(argument >> 32)
    case (.int64, 40): .integer(Int64(bitPattern: words.word(at: 24)))
    case (.uint64, 40): .unsigned(words.word(at: 24))
    default: nil
    }
  }

  // MARK: - Events

  private mutating func readEvent(_ record: FXTRecord) {
    if frames.read(record, &tables, trace.vocabulary) { return addFrame(at: record.offset) }
    tables.begin()
    guard let type = FXT.EventType(rawValue: record.header.bits(16, 4)) else {
      return unread.count("events of the unknown type \(record.header.bits(16, 4))")
    }
    guard let event = event(type, record) else { return }
    tables.end(at: record.offset, &trace)
    add(event)
  }

  /// Returns the event of a record, or counts a loss and returns `nil`.
  private mutating func event(_ type: FXT.EventType, _ record: FXTRecord) -> FXTEvent? {
    let header = record.header
    var cursor = 2
    guard record.count >= 2, let thread = thread(of: record, at: &cursor),
      let label = tables.label(of: record, at: &cursor, &trace),
      parser.read(Int(header.bits(20, 4)), of: record, from: &cursor, &tables, &trace),
      !type.hasTail || cursor < record.count
    else {
      lose(.malformedRecord, at: record.offset)
      return nil
    }
    guard let time = tables.clock.time(record[1]) else {
      lose(.timeOutOfRange, at: record.offset)
      return nil
    }
    return FXTEvent(
      type: type, time: time, thread: thread, label: label,
      tail: type.hasTail ? record[cursor] : 0, isUnnamed: header >> 48 == 0,
      arguments: arguments(of: record))
  }

  private mutating func thread(of record: FXTRecord, at cursor: inout Int) -> UInt32? {
    let index = Int(record.header.bits(24, 8))
    guard index == 0 else { return tables.thread(index, &trace) }
    guard record.count >= 4 else { return nil }
    cursor = 4
    return trace.thread(process: record[2], thread: record[3])
  }

  private mutating func add(_ event: FXTEvent) {
    switch event.type {
    case .durationComplete: addComplete(event)
    case .durationBegin, .durationEnd: pairing.add(event)
    case .asyncBegin, .asyncEnd:
      let isApart = !recording.hasLayout || event.tail & RecordingLayout.apartID != 0
      pairing.addAsync(event, isApart: isApart)
    case .instant: if !addInstant(event) { addMark(event) }
    case .asyncInstant: addMark(event)
    case .counter: addSamples(event, id: event.tail)
    case .flowBegin: addFlow(.start, event)
    case .flowStep: addFlow(.step, event)
    case .flowEnd: addFlow(.end, event)
    }
  }

  /// Adds what the vocabulary says of an instant; returns `false` if it is a mark.
  private mutating func addInstant(_ event: FXTEvent) -> Bool {
    if event.label.role == .thread, addThreadInstant(event) { return true }
    trace.builder.extend(to: event.time)
    switch event.label.role {
    case .plain, .interaction, .thread: return false
    case .machine:
      recording.readSleep(event, &trace)
      return false
    case .counter: addSamples(event, id: 0)
    case .surface: surfaces.readSurface(event, &trace)
    case .hitch: return surfaces.readHitch(event, &trace)
    case .state: addState(event)
    case .frame:
      let isFrame = surfaces.updateFrame(event.label, event.arguments, &trace)
      recording.addThreadTime(event.arguments, of: event.thread, at: event.time, &trace)
      return isFrame
    case .notice: return addNotice(event)
    }
    return true
  }

  /// Adds what an instant of `scrolltrace.thread` says; returns `false` if its name is unknown.
  private mutating func addThreadInstant(_ event: FXTEvent) -> Bool {
    typealias Word = Vocabulary.Thread
    switch trace.name(of: event.label) {
    case Word.time.description:
      recording.addThreadTime(event.arguments, of: event.thread, at: event.time, &trace)
    case Word.running.description: schedule.add(.running, event, &trace)
    case Word.ready.description: schedule.add(.ready, event, &trace)
    case Word.blocked.description: schedule.add(.blocked, event, &trace)
    default: return false
    }
    return true
  }

  /// Adds what the recorder says of the recording; returns `false` if it says nothing.
  private mutating func addNotice(_ event: FXTEvent) -> Bool {
    guard trace.name(of: event.label) == Vocabulary.Notice.source.description,
      let text = event.arguments.text(of: .text, &trace)
    else { return false }
    noticeCount += 1
    if noticeCount > Self.maximumNoticeCount {
      lose(.limitReached, at: event.offset)
    } else {
      trace.builder.addNotice(text)
    }
    return true
  }

  /// Adds a state change; without a value the state is cleared.
  private mutating func addState(_ event: FXTEvent) {
    let arguments = event.arguments
    guard let key = arguments.text(of: .key, &trace) else {
      return lose(.invalidValue, at: event.offset)
    }
    let value: String? =
      switch arguments.value(of: .value, trace.vocabulary) {
      case .string(let name)?: trace.text(of: name)
      case .integer(let number)?: String(number)
      case .unsigned(let number)?: String(number)
      case .double(let number)?: String(number)
      case .bool(let truth)?: String(truth)
      case .null?, nil: nil
      }
    trace.builder.addState(StateChange(time: event.time, key: key, value: value))
  }

  private mutating func addMark(_ event: FXTEvent) {
    trace.builder.addMark(
      on: trace.track(of: event.thread), at: event.time, label: event.label.id,
      arguments: trace.builder.argumentList(event.arguments.list))
  }

  private mutating func addFlow(_ kind: FlowPoint.Kind, _ event: FXTEvent) {
    trace.builder.addFlow(
      kind, id: event.tail, on: trace.track(of: event.thread), at: event.time,
      label: event.label.id)
  }

  private mutating func addComplete(_ event: FXTEvent) {
    guard let end = tables.clock.time(event.tail) else {
      return lose(.timeOutOfRange, at: event.offset)
    }
    guard end >= event.time else { return lose(.endBeforeBegin, at: event.offset) }
    let track = trace.track(of: event.thread)
    if event.label.role == .frame {
      _ = surfaces.updateFrame(
        event.label, event.arguments, commit: (event.time, end, track), &trace)
      recording.addThreadTime(event.arguments, of: event.thread, at: end, &trace)
    }
    batch.select(track, of: &trace.builder)
    batch.append(
      event.time.nanoseconds, end.nanoseconds, event.label.id,
      trace.builder.argumentList(event.arguments.list))
  }

  /// Adds what the record of a frame at `offset` says.
  private mutating func addFrame(at offset: UInt64) {
    let track = trace.track(of: frames.thread)
    if frames.end != nil {
      frames.frame.track = track
    } else {
      trace.builder.extend(to: frames.time)
    }
    surfaces.update(frames.frame, of: frames.label, at: offset, growth: growth, &trace)
    recording.addThreadTime(
      frames.counts, of: frames.thread, at: frames.end ?? frames.time, &trace)
    guard let end = frames.end else { return }
    batch.select(track, of: &trace.builder)
    batch.append(
      frames.time.nanoseconds, end.nanoseconds, frames.label.id,
      trace.builder.argumentList(frames.arguments, growth: growth))
  }

  private mutating func addSamples(_ event: FXTEvent, id: UInt64) {
    for argument in event.arguments.list {
      let value: Double
      switch argument.value {
      case .integer(let number): value = Double(number)
      case .unsigned(let number): value = Double(number)
      case .double(let number) where number.isFinite: value = number
      default:
        lose(.invalidValue, at: event.offset)
        continue
      }
      trace.builder.addSample(
        value, of: event.label.id, series: argument.key, id: id, at: event.time)
    }
  }
}

extension FXT.EventType {
  /// Whether a word follows the arguments.
  var hasTail: Bool {
    switch self {
    case .instant, .durationBegin, .durationEnd: false
    case .counter, .durationComplete, .asyncBegin, .asyncInstant, .asyncEnd, .flowBegin,
      .flowStep, .flowEnd:
      true
    }
  }
}
