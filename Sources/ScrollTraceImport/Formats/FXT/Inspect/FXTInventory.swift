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
  package private(set) var durableChunks = 0
  /// The number of used chunks by the state of their seal.
  package private(set) var seals: [FXTSealState: Int] = [:]
  /// The records by kind.
  package var kinds: [Kind: Count] { kindCounts.all }
  /// The threads with chunks or events.
  package var threads: [FXTNames.Thread: ThreadCount] { threadCounts.all }
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
  private var kindCounts = Slots<Kind, Count>()
  private var threadCounts = Slots<FXTNames.Thread, ThreadCount>()
  /// The slots of the kinds of records, by counting key.
  private var kindSlots = Self.noKindSlots
  private static var noKindSlots: RecentValues<UInt64, Int> { RecentValues(count: 64) }
  private var hasKindSlots = false
  /// The slot of the thread that events refer to by an index.
  private var threadSlot: (index: UInt64, slot: Int)?
  /// The slot of the chunk's own thread.
  private var owner: (thread: FXTNames.Thread, slot: Int)?
  private var isSealable = false

  /// Counts the contents of `source`.
  package init(of source: any ByteSource) throws(ImportError) {
    let counter = Counter()
    try FXTWalk.walk(source) { item, names throws(ImportError) in
      counter.inventory.count(item, names)
      return true
    } spans: {
      counter.inventory.count($0, $1)
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
    forgetReferences()
    guard !chunk.isUnused else { return unusedChunks += 1 }
    usedChunks += 1
    guard let identity = chunk.identity else { return }
    if identity.holdsStacks { return stackChunks += 1 }
    isSealable = true
    if identity.isShared { return durableChunks += 1 }
    let slot = threadCounts.slot(of: identity.thread, else: ThreadCount())
    owner = (identity.thread, slot)
    threadCounts.update(slot) { thread in
      thread.isMain = thread.isMain || identity.isMain
      thread.chunks += 1
      thread.drops = max(thread.drops, identity.threadDrops)
      let number = identity.threadSequence
      let known = thread.sequences ?? number...number
      thread.sequences = min(known.lowerBound, number)...max(known.upperBound, number)
    }
  }

  private mutating func count(_ item: FXTRecordItem, _ names: FXTNames) {
    let slot = kindSlot(of: item, names)
    kindCounts.update(slot) { count in
      count.records += 1
      count.bytes += item.byteCount
    }
    countTime(of: item, names)
  }

  private mutating func count(_ run: FXTSpanRun, _ names: FXTNames) {
    kindCounts.update(kindSlot(of: run.first, names)) { count in
      count.records += UInt64(run.count)
      count.bytes += UInt64(run.byteCount)
    }
    guard let slot = slot(ofThreadOf: run.first.record, names) else { return }
    threadCounts.update(slot) { thread in
      thread.records += UInt64(run.count)
      thread.first = min(thread.first ?? .max, run.times.earliest)
      thread.last = max(thread.last ?? 0, run.times.latest)
    }
  }

  private mutating func kindSlot(of item: FXTRecordItem, _ names: FXTNames) -> Int {
    // Only an event's header says it all: other records have names to read, or several kinds.
    let key = item.isEvent ? item.countingKey : nil
    if let key, let slot = kindSlots.find(key) { return slot }
    let facts = item.facts(names)
    if facts.kind == "string" { strings.insert(facts.name) }
    if facts.kind == "kernel object" { takeName(item, names) }
    let kind = Kind(kind: item.isPad ? "pad" : facts.kind, category: facts.category)
    let slot = kindCounts.slot(of: kind, else: Count())
    if let key {
      kindSlots.keep(slot, for: key)
      hasKindSlots = true
    }
    return slot
  }

  /// Forgets what indexes of strings and threads refer to, which other records than events change.
  private mutating func forgetReferences() {
    threadSlot = nil
    guard hasKindSlots else { return }
    kindSlots = Self.noKindSlots
    hasKindSlots = false
  }

  private mutating func countTime(of item: FXTRecordItem, _ names: FXTNames) {
    let record = item.record
    guard item.isEvent, record.count >= 2 else {
      forgetReferences()
      if let owner { threadCounts.update(owner.slot) { $0.records += 1 } }
      return
    }
    guard let slot = slot(ofThreadOf: record, names) else { return }
    let time = record[1]
    threadCounts.update(slot) { thread in
      thread.records += 1
      thread.first = min(thread.first ?? time, time)
      thread.last = max(thread.last ?? time, time)
    }
  }

  /// Returns the slot of an event's thread.
  private mutating func slot(ofThreadOf record: FXTRecord, _ names: FXTNames) -> Int? {
    let index = record.header.bits(24, 8)
    if let threadSlot, threadSlot.index == index { return threadSlot.slot }
    if index == 0, record.count >= 4 {
      let thread = FXTNames.Thread(process: record[2], id: record[3])
      return threadCounts.slot(of: thread, else: ThreadCount())
    }
    guard let thread = names.thread(index) else { return owner?.slot }
    let slot = threadCounts.slot(of: thread, else: ThreadCount())
    threadSlot = (index, slot)
    return slot
  }

  private mutating func takeName(_ item: FXTRecordItem, _ names: FXTNames) {
    let record = item.record
    guard record.header.bits(16, 8) == FXT.ObjectType.thread.rawValue, record.count >= 2 else {
      return
    }
    let facts = item.facts(names)
    let process = facts.arguments.last { $0.key == "process" }.flatMap { UInt64($0.value) }
    let thread = FXTNames.Thread(process: process ?? owner?.thread.process ?? 0, id: record[1])
    let slot = threadCounts.slot(of: thread, else: ThreadCount())
    threadCounts.update(slot) { $0.name = facts.name }
  }
}

/// Values by key in numbered slots, so that a value can be updated without a look-up.
private struct Slots<Key: Hashable, Value> {
  private var slots: [Key: Int] = [:]
  private var values: [Value] = []

  /// The values by key.
  var all: [Key: Value] { slots.mapValues { values[$0] } }

  /// Returns the slot of `key`, which starts with `first`.
  mutating func slot(of key: Key, else first: @autoclosure () -> Value) -> Int {
    if let slot = slots[key] { return slot }
    slots[key] = values.count
    values.append(first())
    return values.count - 1
  }

  @inline(__always)
  mutating func update(_ slot: Int, _ body: (inout Value) -> Void) { body(&values[slot]) }
}
