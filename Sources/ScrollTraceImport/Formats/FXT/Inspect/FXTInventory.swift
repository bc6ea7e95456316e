internal import ScrollTraceLayout

/// The counts of a file's contents.
package struct FXTInventory {
  /// Records of one kind.
  package struct Kind: Hashable {
    /// The kind of record, see `FXTRecordFacts.kind`.
    package var kind: String
    /// The category of events, or an empty string for other records.
    package var category: String
  }

  /// The number and size of records.
  package struct Count {
    package var records: UInt64 = 0
    /// The number of bytes in the records.
    package var bytes: UInt64 = 0
  }

  /// The counts of one thread.
  package struct ThreadCount {
    /// The name from a record, or an empty string if there is none.
    package var name = ""
    package var isMain = false
    /// The number of chunks.
    package var chunks = 0
    /// The number of records in the chunks.
    package var records: UInt64 = 0
    /// The number of events lost when its last chunk was started.
    package var drops: UInt64 = 0
    /// The range of its chunks' numbers.
    package var sequences: ClosedRange<UInt64>?
    /// The earliest time of its events, in ticks.
    package var first: UInt64?
    /// The latest time of its events, in ticks.
    package var last: UInt64?
  }

  /// The session, from the first page that has one.
  package private(set) var session: FXTSessionFacts?
  /// A Boolean value indicating whether the file has pages and chunks.
  package private(set) var isScrollTraceRecording = false
  /// The number of chunks in use.
  package private(set) var usedChunks = 0
  /// The number of prepared chunks that were never used.
  package private(set) var unusedChunks = 0
  /// The number of chunks with stacks of open spans.
  package private(set) var stackChunks = 0
  /// The number of chunks that belong to no thread and are never reused (flight recorder).
  package private(set) var lastingChunks = 0
  /// The number of used chunks by the state of their seal.
  package private(set) var seals: [FXTSealState: Int] = [:]
  package private(set) var kinds: [Kind: Count] = [:]
  /// The threads with chunks or events.
  package private(set) var threads: [FXTNames.Thread: ThreadCount] = [:]
  /// The first damaged places.
  package private(set) var damage: [FXTDamage] = []
  /// The number of damaged places.
  package private(set) var damageCount = 0
  /// The number of damaged bytes.
  package private(set) var damagedBytes: UInt64 = 0
  /// The number of bytes the file lacks at its end, compared with the finished file (F-8).
  package var missingBytes: UInt64 {
    let size = session?.finishedSize ?? 0
    return size - min(size, byteCount)
  }
  /// The number of distinct strings that are defined.
  package var stringCount: Int { strings.count }

  /// The maximum number of damaged places that are stored.
  package static let mostDamage = 1000

  /// The number of bytes of the first of several concatenated files.
  private var byteCount: UInt64 = 0
  private var pageCount = 0
  private var strings: Set<String> = []
  private var places: [UInt64: Kind] = [:]
  private var owner: FXTNames.Thread?
  private var isSealable = false

  /// Counts the contents of `source`.
  package init(of source: any ByteSource) throws(ImportError) {
    let counter = Counter()
    try FXTWalk.walk(source) { item, names throws(ImportError) in
      counter.inventory.count(item, names)
      return true
    }
    self = counter.inventory
  }

  private init() {}

  /// The storage of the walk's closure; a class because the closure does not outlive the call.
  private final class Counter {
    var inventory = FXTInventory()
  }

  private mutating func count(_ item: FXTItem, _ names: FXTNames) {
    switch item {
    case .page(let found, let offset, let count):
      isScrollTraceRecording = true
      pageCount += 1
      if pageCount == 1 { byteCount = offset + UInt64(count) }
      if session == nil { session = found }
    case .chunk(let chunk):
      if pageCount == 1 { byteCount = chunk.offset + UInt64(chunk.byteCount) }
      count(chunk)
    case .record(let record): count(record, names)
    case .damage(let place):
      if damage.count < Self.mostDamage { damage.append(place) }
      damageCount += 1
      damagedBytes += place.byteCount
    case .chunkEnd(let seal):
      if isSealable { seals[seal, default: 0] += 1 }
      owner = nil
      isSealable = false
    }
  }

  private mutating func count(_ chunk: FXTChunkFacts) {
    places = [:]
    guard !chunk.isUnused else { return unusedChunks += 1 }
    usedChunks += 1
    guard let identity = chunk.identity else { return }
    if identity.holdsStacks { return stackChunks += 1 }
    isSealable = true
    if identity.isShared { return lastingChunks += 1 }
    owner = identity.thread
    var thread = threads[identity.thread] ?? ThreadCount()
    thread.isMain = thread.isMain || identity.isMain
    thread.chunks += 1
    thread.drops = max(thread.drops, identity.threadDrops)
    let known = thread.sequences ?? identity.threadSequence...identity.threadSequence
    thread.sequences =
      min(
        known.lowerBound, identity.threadSequence)...max(
        known.upperBound, identity.threadSequence)
    threads[identity.thread] = thread
  }

  private mutating func count(_ item: FXTRecordItem, _ names: FXTNames) {
    let key = item.countingKey
    // The name of a string or thread can change; the counting key does not.
    let kind: Kind
    if let key, let known = places[key] {
      kind = known
      if key == FXT.RecordType.string.rawValue { strings.insert(item.facts(names).name) }
      if key == FXT.RecordType.kernelObject.rawValue { takeName(item, names) }
    } else {
      let facts = item.facts(names)
      kind = Kind(kind: item.isPad ? "pad" : facts.kind, category: facts.category)
      if facts.kind == "string" { strings.insert(facts.name) }
      if facts.kind == "kernel object" { takeName(item, names) }
      // Metadata and blobs have several kinds.
      let isOfOneKind =
        key != FXT.RecordType.metadata.rawValue && key != FXT.RecordType.blob.rawValue
      if let key, isOfOneKind { places[key] = kind }
    }
    kinds[kind, default: Count()].records += 1
    kinds[kind, default: Count()].bytes += item.byteCount
    countTime(of: item, names)
  }

  private mutating func countTime(of item: FXTRecordItem, _ names: FXTNames) {
    let record = item.record
    let isEvent = record.header & 0xf == FXT.RecordType.event.rawValue && record.count >= 2
    let index = record.header.bits(24, 8)
    let inline =
      record.count >= 4 && isEvent && index == 0
      ? FXTNames.Thread(process: record[2], id: record[3]) : nil
    guard let thread = isEvent ? inline ?? names.thread(index) ?? owner : owner else { return }
    threads[thread, default: ThreadCount()].records += 1
    guard isEvent else { return }
    let time = record[1]
    threads[thread, default: ThreadCount()].first = min(threads[thread]?.first ?? time, time)
    threads[thread, default: ThreadCount()].last = max(threads[thread]?.last ?? time, time)
  }

  private mutating func takeName(_ item: FXTRecordItem, _ names: FXTNames) {
    let record = item.record
    guard record.header.bits(16, 8) == FXT.ObjectType.thread.rawValue, record.count >= 2 else {
      return
    }
    let facts = item.facts(names)
    let process = facts.arguments.last { $0.key == "process" }.flatMap { UInt64($0.value) }
    let thread = FXTNames.Thread(process: process ?? owner?.process ?? 0, id: record[1])
    threads[thread, default: ThreadCount()].name = facts.name
  }
}
