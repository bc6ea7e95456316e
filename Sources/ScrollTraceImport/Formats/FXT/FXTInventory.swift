internal import ScrollTraceLayout
import ScrollTraceModel

/// The counts of a file's contents.
package struct FXTInventory {
  package struct Kind: Hashable {
    /// The kind of record: `string`, `complete`, `instant`, `blob` …
    package var kind: String
    /// The category of events, or an empty string for other records.
    package var category = ""
  }

  /// The number and size of records.
  package struct Count {
    package var records: UInt64 = 0
    package var bytes: UInt64 = 0
  }

  /// A thread identified by its own numbers.
  package struct Thread: Hashable, Comparable {
    package var process: UInt64
    package var id: UInt64

    package static func < (left: Thread, right: Thread) -> Bool {
      (left.process, left.id) < (right.process, right.id)
    }
  }

  package struct ThreadCount {
    /// The name from a record, or an empty string if there is none.
    package var name = ""
    package var isMain = false
    package var chunks = 0
    package var records: UInt64 = 0
    /// The number of events lost when its last chunk was started.
    package var drops: UInt64 = 0
    package var sequences: ClosedRange<UInt64>?
    /// The earliest time of its events, in ticks.
    package var first: UInt64?
    /// The latest time of its events, in ticks.
    package var last: UInt64?

    /// The number of chunks between its first and its last one that are not in the file.
    package var missingChunks: UInt64 {
      guard let sequences else { return 0 }
      let others = sequences.upperBound - sequences.lowerBound
      return others - min(others, UInt64(max(1, chunks)) - 1)
    }
  }

  /// Bytes that are not records.
  package struct Damage: Equatable {
    /// The reason the bytes are not records.
    package enum Reason: String {
      case zeroSize = "a record of size zero"
      case tooLong = "a record longer than its chunk"
      case cut = "the file ends inside a record"
      /// A page or chunk does not start like one.
      case noBegin = "neither a chunk nor padding starts here"
      case noBlob = "the page's or chunk's identifying record is missing"
      case zeros = "zeros instead of records"
    }

    package var offset: UInt64
    package var byteCount: UInt64
    /// The reason the bytes are not records.
    package var reason: Reason
  }

  /// The session, from the first page that has one.
  package fileprivate(set) var session: FXTSession?
  /// Whether the file has pages and chunks.
  package fileprivate(set) var isScrollTraceRecording = false
  package fileprivate(set) var usedChunks = 0
  /// The number of prepared chunks that were never used.
  package fileprivate(set) var unusedChunks = 0
  package fileprivate(set) var stackChunks = 0
  /// The number of chunks that belong to no thread and are never reused (flight recorder).
  package fileprivate(set) var durableChunks = 0
  /// The number of used chunks by the state of their seal.
  package fileprivate(set) var seals: [FXTSealState: Int] = [:]
  package fileprivate(set) var kinds: [Kind: Count] = [:]
  package fileprivate(set) var threads: [Thread: ThreadCount] = [:]
  package fileprivate(set) var damage: [Damage] = []
  package fileprivate(set) var damageCount = 0
  package fileprivate(set) var damagedBytes: UInt64 = 0
  /// The number of distinct strings that are defined.
  package fileprivate(set) var stringCount = 0
  /// The number of bytes of the first of several concatenated files.
  fileprivate var byteCount: UInt64 = 0
  /// The number of bytes the file lacks at its end, compared with the finished file (F-8).
  package var missingBytes: UInt64 {
    let size = session?.finishedSize ?? 0
    return size - min(size, byteCount)
  }

  /// Counts the contents of `source`.
  ///
  /// - Throws: An error if `source` is not a file of this format or cannot be read.
  package init(of source: any ByteSource) throws(ImportError) {
    var counter = Counter(SlidingBuffer(source))
    try counter.run()
    self = counter.finish()
  }

  fileprivate init() {}
}

/// Counts the records of a file, including damage, in file order.
///
/// It reads pages, chunks and tables, but not the meaning of a trace; see `FXTFileReader`.
private struct Counter: ~Copyable {
  private var inventory = FXTInventory()
  private var window: SlidingBuffer
  private var references = FXTReferences()
  private var pageCount = 0
  private var strings: [String] = []
  private var stringNumbers: [String: UInt32] = [:]
  private var kinds: [FXTInventory.Count] = []
  private var kindNumbers: [FXTInventory.Kind: Int] = [:]
  /// The kinds of events with a category in the table, by string and event type; -1 where unknown.
  private var eventKinds: [Int] = []
  private var threads: [FXTInventory.ThreadCount] = []
  private var threadNumbers: [FXTInventory.Thread: Int] = [:]
  private var owner: (thread: FXTInventory.Thread, number: Int)?

  private static let maximumDamage = 1000

  init(_ window: consuming SlidingBuffer) { self.window = window }

  consuming func finish() -> FXTInventory {
    inventory.kinds = kindNumbers.mapValues { kinds[$0] }
    // A thread that is only defined has no counts.
    inventory.threads = threadNumbers.mapValues { threads[$0] }.filter {
      $0.value.chunks > 0 || $0.value.records > 0 || !$0.value.name.isEmpty
    }
    inventory.stringCount = strings.count
    return inventory
  }

  mutating func run() throws(ImportError) {
    let available = try window.fill(SlidingBuffer.capacity)
    guard available >= 8, FXTImporter.recognizes(window.bytes) else {
      throw ImportError("this is not an FXT trace", at: 0)
    }
    guard window.bytes.word(at: 0) != RecordingLayout.magic.byteSwapped else {
      throw ImportError("the trace is big-endian", at: 0)
    }
    if FXTFileReader.isScrollTraceRecording(window.bytes) {
      try countPage()
      while try countChunk() {}
    } else {
      while try countForeignRecord() {}
    }
  }

  // MARK: - Recordings

  private mutating func countPage() throws(ImportError) {
    let size = min(try window.fill(RecordingLayout.pageSize), RecordingLayout.pageSize)
    let page = UnsafeRawBufferPointer(rebasing: window.bytes[..<size])
    defer { window.advance(size) }
    let session = FXTSession(page: page)
    inventory.isScrollTraceRecording = true
    inventory.session = inventory.session ?? session
    pageCount += 1
    if pageCount == 1 { inventory.byteCount = window.offset + UInt64(size) }
    guard session != nil, page.word(at: 0) == RecordingLayout.magic else {
      return addDamage(0, size, .noBlob)
    }
    countRecords(page, from: 0, wholeSize: RecordingLayout.pageSize)
  }

  private mutating func countChunk() throws(ImportError) -> Bool {
    let size = min(try window.fill(RecordingLayout.chunkSize), RecordingLayout.chunkSize)
    guard size > 0 else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<size])
    if size >= 8, bytes.word(at: 0) == RecordingLayout.magic {
      references.reset()
      try countPage()
      return true
    }
    defer {
      window.advance(size)
      owner = nil
    }
    if pageCount == 1 { inventory.byteCount = window.offset + UInt64(size) }
    guard !bytes.starts(with: FXTFileReader.padBytes.prefix(size)) else {
      inventory.unusedChunks += 1
      return true
    }
    inventory.usedChunks += 1
    let chunk = FXTChunk(bytes)
    if let chunk { add(chunk) }
    var start = 0
    if size < 8 || bytes.word(at: 0) & 0xf_ffff != 0x1_0010 {
      guard chunk != nil else {
        addDamage(0, size, .noBegin)
        return true
      }
      start = FXTChunk.blobOffset
      addDamage(0, start, .noBegin)
    } else {
      references.reset()
    }
    countRecords(bytes, from: start, wholeSize: RecordingLayout.chunkSize)
    if let chunk, !chunk.holdsStacks {
      inventory.seals[FXTChunkScan(bytes).checksum, default: 0] += 1
    }
    return true
  }

  private mutating func add(_ chunk: FXTChunk) {
    if chunk.holdsStacks { return inventory.stackChunks += 1 }
    if chunk.isShared { return inventory.durableChunks += 1 }
    let thread = FXTInventory.Thread(process: chunk.process, id: chunk.thread)
    let index = number(of: thread)
    owner = (thread, index)
    threads[index].isMain = threads[index].isMain || chunk.isMain
    threads[index].chunks += 1
    threads[index].drops = max(threads[index].drops, chunk.threadDrops)
    let sequence = chunk.threadSequence
    let known = threads[index].sequences ?? sequence...sequence
    threads[index].sequences = min(known.lowerBound, sequence)...max(known.upperBound, sequence)
  }

  private mutating func countRecords(
    _ bytes: UnsafeRawBufferPointer, from start: Int, wholeSize: Int
  ) {
    var position = start
    while bytes.count - position >= 8 {
      let spans = countSpans(bytes, at: position)
      guard spans == 0 else {
        position += spans
        continue
      }
      let header = bytes.word(at: position)
      let size = FXTRecord.size(header)
      let rest = bytes.count - position
      guard size > 0, size <= UInt64(rest) else {
        let isCut = bytes.count < wholeSize && size > 0 && size <= UInt64(wholeSize - position)
        // Padding that reaches past the end is not damage: the writer died while the file grew.
        if isCut, FXTRecord.isPad(header) { return }
        return addDamage(position, rest, size == 0 ? .zeroSize : isCut ? .cut : .tooLong)
      }
      count(bytes, position, Int(size))
      position += Int(size)
    }
    if bytes.count < wholeSize { addDamage(position, bytes.count - position, .cut) }
  }

  /// Counts the consecutive complete events of three words from `position` on that have one thread and one
  /// category, both of the tables, and returns their number of bytes.
  @inline(__always)
  private mutating func countSpans(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
    // The type and size of a record, its kind of event, its thread and its category.
    let mask: UInt64 = 0x0000_FFFF_FF0F_FFFF
    let key = bytes.word(at: position) & mask
    guard key & 0xF_FFFF == FXTRecord.completeEventOfThreeWords, key.bits(24, 8) != 0,
      key.bits(47, 1) == 0
    else { return 0 }
    let size = 24
    var end = position
    var times = (earliest: UInt64.max, latest: UInt64(0))
    while bytes.count - end >= size, bytes.word(at: end) & mask == key {
      let time = bytes.word(at: end + 8)
      times = (min(times.earliest, time), max(times.latest, time))
      end += size
    }
    guard end > position else { return 0 }
    let record = FXTRecord(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)]),
      offset: window.offset + UInt64(position))
    let spans = (end - position) / size
    addRecords(spans, byteCount: end - position, of: kindOfEvent(record))
    if let thread = threadOfEvent(record) {
      addEvents(spans, from: times.earliest, to: times.latest, of: thread)
    }
    return end - position
  }

  // MARK: - Files of other programs

  private mutating func countForeignRecord() throws(ImportError) -> Bool {
    let available = try window.fill(8)
    guard available >= 8 else {
      if available > 0 { addDamage(0, available, .cut) }
      return false
    }
    let offset = window.offset
    let header = window.bytes.word(at: 0)
    let size = FXTRecord.size(header)
    if header == 0 {
      while try window.fill(8) >= 8, window.bytes.word(at: 0) == 0 { window.advance(8) }
      add(.init(offset: offset, byteCount: window.offset - offset, reason: .zeros))
      return true
    }
    guard size > 0, size <= UInt64(SlidingBuffer.capacity) else {
      let rest = try window.skip(.max)
      add(.init(offset: offset, byteCount: rest, reason: size == 0 ? .zeroSize : .tooLong))
      return false
    }
    let present = min(try window.fill(Int(size)), Int(size))
    guard present == Int(size) else {
      addDamage(0, present, .cut)
      return false
    }
    count(window.bytes, 0, present)
    window.advance(present)
    return true
  }

  // MARK: - Records

  private mutating func addDamage(
    _ position: Int, _ count: Int, _ reason: FXTInventory.Damage.Reason
  ) {
    add(
      .init(
        offset: window.offset + UInt64(position), byteCount: UInt64(count), reason: reason))
  }

  private mutating func add(_ damage: FXTInventory.Damage) {
    if inventory.damage.count < Self.maximumDamage { inventory.damage.append(damage) }
    inventory.damageCount += 1
    inventory.damagedBytes += damage.byteCount
  }

  private mutating func count(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ size: Int) {
    let record = FXTRecord(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)]),
      offset: window.offset + UInt64(position))
    learn(record)
    guard record.header & 0xf == FXT.RecordType.event.rawValue else {
      let kind = number(of: FXTInventory.Kind(kind: Self.kind(of: record)))
      addRecords(1, byteCount: size, of: kind)
      if let owner { threads[owner.number].records += 1 }
      return
    }
    addRecords(1, byteCount: size, of: kindOfEvent(record))
    guard record.count >= 2 else {
      if let owner { threads[owner.number].records += 1 }
      return
    }
    if let thread = threadOfEvent(record) {
      addEvents(1, from: record[1], to: record[1], of: thread)
    }
  }

  private mutating func addRecords(_ records: Int, byteCount: Int, of kind: Int) {
    kinds[kind].records += UInt64(records)
    kinds[kind].bytes += UInt64(byteCount)
  }

  private mutating func addEvents(
    _ events: Int, from first: UInt64, to last: UInt64, of thread: Int
  ) {
    threads[thread].records += UInt64(events)
    threads[thread].first = min(threads[thread].first ?? .max, first)
    threads[thread].last = max(threads[thread].last ?? 0, last)
  }

  /// Applies a record's definition to the tables.
  private mutating func learn(_ record: FXTRecord) {
    let header = record.header
    switch FXT.RecordType(rawValue: header.bits(0, 4)) {
    case .metadata:
      switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
      case .providerInfo: references.start(UInt32(header.bits(20, 32)))
      case .providerSection: references.select(UInt32(header.bits(20, 32)))
      default: break
      }
    case .string:
      let text = record.text(at: 1, count: Int(header.bits(32, 15)))
      let number = number(of: text.map { String(decoding: $0, as: UTF8.self) } ?? "")
      if text != nil { references.defineString(Int(header.bits(16, 15)), number) }
    case .thread where record.count >= 3:
      let thread = number(of: FXTInventory.Thread(process: record[1], id: record[2]))
      references.defineThread(Int(header.bits(16, 8)), UInt32(thread))
    case .kernelObject: learnName(record)
    default: break
    }
  }

  private mutating func learnName(_ record: FXTRecord) {
    let header = record.header
    guard header.bits(16, 8) == FXT.ObjectType.thread.rawValue, record.count >= 2 else { return }
    var cursor = 2
    let name = text(of: header.bits(24, 16), in: record, at: &cursor)
    var process = owner?.thread.process ?? 0
    for _ in 0..<header.bits(40, 4) {
      guard cursor < record.count else { break }
      let argument = record[cursor]
      let size = Int(argument.bits(4, 12))
      guard size > 0, size <= record.count - cursor else { break }
      var value = cursor + 1
      let key = text(of: argument.bits(16, 16), in: record, at: &value)
      if key == "process", value < cursor + size,
        [.koid, .int64, .uint64].contains(FXT.ArgumentType(rawValue: argument.bits(0, 4)))
      {
        process = record[value]
      }
      cursor += size
    }
    threads[number(of: FXTInventory.Thread(process: process, id: record[1]))].name = name
  }

  // MARK: - Kinds and threads

  /// Returns the name of the kind of a record other than an event.
  private static func kind(of record: FXTRecord) -> String {
    let header = record.header
    switch FXT.RecordType(rawValue: header.bits(0, 4)) {
    case .metadata:
      return switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
      case .providerInfo: "provider"
      case .providerSection: "provider section"
      case .providerEvent: "provider event"
      case .traceInfo: header == RecordingLayout.magic ? "magic" : "trace info"
      case nil: "unknown"
      }
    case .initialization: return "init"
    case .string: return "string"
    case .thread: return "thread"
    case .blob: return record.isPad ? "pad" : "blob"
    case .kernelObject: return "kernel object"
    case .log: return "log"
    case .scheduling: return "scheduling"
    case .userspaceObject: return "userspace object"
    case .large: return "large record"
    case .event, nil: return "unknown"
    }
  }

  private mutating func kindOfEvent(_ record: FXTRecord) -> Int {
    let header = record.header
    guard let type = FXT.EventType(rawValue: header.bits(16, 4)) else {
      return number(of: FXTInventory.Kind(kind: "unknown"))
    }
    var cursor = header.bits(24, 8) == 0 ? 4 : 2
    guard record.count >= cursor else {
      return number(of: FXTInventory.Kind(kind: type.word))
    }
    let category = header.bits(32, 16)
    guard category != 0, category & FXT.inlineBit == 0,
      let string = references.string(Int(category))
    else {
      let category = text(of: category, in: record, at: &cursor)
      return number(of: FXTInventory.Kind(kind: type.word, category: category))
    }
    let index = Int(string) * 16 + Int(type.rawValue)
    if eventKinds[index] < 0 {
      let category = strings[Int(string)]
      eventKinds[index] = number(of: FXTInventory.Kind(kind: type.word, category: category))
    }
    return eventKinds[index]
  }

  /// Returns the thread of an event of at least two words, or `nil` if it is unknown.
  private mutating func threadOfEvent(_ record: FXTRecord) -> Int? {
    let index = record.header.bits(24, 8)
    if index == 0, record.count >= 4 {
      return number(of: FXTInventory.Thread(process: record[2], id: record[3]))
    }
    return references.thread(Int(index)).map { Int($0) } ?? owner?.number
  }

  /// Returns the text of a reference, whose inline bytes start at word `cursor`.
  private mutating func text(
    of reference: UInt64, in record: FXTRecord, at cursor: inout Int
  ) -> String {
    guard reference & FXT.inlineBit == 0 else {
      let length = Int(reference & 0x7fff)
      defer { cursor += FXT.words(forBytes: length) }
      return record.text(at: cursor, count: length).map { String(decoding: $0, as: UTF8.self) }
        ?? ""
    }
    guard reference != 0 else { return "" }
    return references.string(Int(reference)).map { strings[Int($0)] }
      ?? "(undefined string \(reference))"
  }

  private mutating func number(of string: String) -> UInt32 {
    if let number = stringNumbers[string] { return number }
    let number = UInt32(strings.count)
    strings.append(string)
    stringNumbers[string] = number
    eventKinds += repeatElement(-1, count: 16)
    return number
  }

  private mutating func number(of kind: FXTInventory.Kind) -> Int {
    kinds.position(of: kind, in: &kindNumbers, adding: FXTInventory.Count())
  }

  private mutating func number(of thread: FXTInventory.Thread) -> Int {
    threads.position(of: thread, in: &threadNumbers, adding: FXTInventory.ThreadCount())
  }
}

extension FXT.EventType {
  fileprivate var word: String {
    switch self {
    case .instant: "instant"
    case .counter: "counter"
    case .durationBegin: "begin"
    case .durationEnd: "end"
    case .durationComplete: "complete"
    case .asyncBegin: "async begin"
    case .asyncInstant: "async instant"
    case .asyncEnd: "async end"
    case .flowBegin: "flow begin"
    case .flowStep: "flow step"
    case .flowEnd: "flow end"
    }
  }
}
