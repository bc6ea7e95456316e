internal import ScrollTraceLayout

/// What lies in a file, counted.
package struct FXTInventory {
  /// Records of one kind.
  package struct Kind: Hashable {
    /// What kind of record, see `FXTRecordFacts.kind`.
    package var kind: String
    /// The category of events; empty for all else.
    package var category: String
  }

  /// How many there are of something.
  package struct Count {
    /// How many.
    package var records: UInt64 = 0
    /// How many bytes they take.
    package var bytes: UInt64 = 0
  }

  /// What there is of a thread.
  package struct ThreadCount {
    /// The name that a record gives it; empty for none.
    package var name = ""
    /// Whether it is the main thread.
    package var isMain = false
    /// How many chunks it has.
    package var chunks = 0
    /// How many records lie in them.
    package var records: UInt64 = 0
    /// How many events it had lost when its last chunk was begun.
    package var drops: UInt64 = 0
    /// The least and the greatest number among its chunks.
    package var sequences: ClosedRange<UInt64>?
    /// The earliest time of its events, in ticks.
    package var first: UInt64?
    /// The latest one.
    package var last: UInt64?
  }

  /// The session, from the first page that has one.
  package private(set) var session: FXTSessionFacts?
  /// Whether the file has pages and chunks.
  package private(set) var isScrollTraceRecording = false
  /// How many chunks are in use.
  package private(set) var usedChunks = 0
  /// How many chunks were prepared and never used.
  package private(set) var unusedChunks = 0
  /// How many chunks hold stacks of open spans.
  package private(set) var stackChunks = 0
  /// How many chunks belong to no thread and are never used again (flight recorder).
  package private(set) var lastingChunks = 0
  /// How many of those in use are sealed, by the state of the seal.
  package private(set) var seals: [FXTSealState: Int] = [:]
  /// The records.
  package private(set) var kinds: [Kind: Count] = [:]
  /// The threads that have chunks, or events of their own.
  package private(set) var threads: [FXTNames.Thread: ThreadCount] = [:]
  /// What is no record; the first few.
  package private(set) var damage: [FXTDamage] = []
  /// How many places there are that are no records.
  package private(set) var damageCount = 0
  /// How many bytes they have.
  package private(set) var damagedBytes: UInt64 = 0
  /// How many bytes the finished file had and this one lacks at its end (F-8).
  package var missingBytes: UInt64 {
    let size = session?.finishedSize ?? 0
    return size - min(size, byteCount)
  }
  /// How many different strings are defined.
  package var stringCount: Int { strings.count }

  /// The most places of damage that are kept.
  package static let mostDamage = 1000

  /// How many bytes the first of the files has that follow one another.
  private var byteCount: UInt64 = 0
  private var pageCount = 0
  private var strings: Set<String> = []
  private var places: [UInt64: Kind] = [:]
  private var owner: FXTNames.Thread?
  private var isSealable = false

  /// Counts what lies in `source`.
  package init(of source: any ByteSource) throws(ImportError) {
    let counter = Counter()
    try FXTWalk.walk(source) { item, names throws(ImportError) in
      counter.inventory.count(item, names)
      return true
    }
    self = counter.inventory
  }

  private init() {}

  /// What the walk's closure counts in; a class since the closure outlives no call.
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
    // What a string or a thread is called can change; what is counted together does not.
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
      // Metadata and blobs are of several kinds.
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
