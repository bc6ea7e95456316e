internal import CRecorderShims
internal import ScrollTraceLayout

/// The texts of a recording. Each has a number, which is the same in all chunks (W5).
///
/// Numbers above `lastIndex` have no index in FXT's string table; such texts are inline. Texts are
/// added under the recorder's lock. Threads that are inside the recorder look them up without a lock:
/// an entry is complete before its number can be found, and nothing is freed before the recording is
/// finished and no thread is inside it.
struct NameTable {
  typealias Number = UInt32

  /// The largest number that is an index in the file.
  static var lastIndex: Number { 0x7FFF }
  static var maximumCount: Int { firstSegment << segmentCount - firstSegment }
  /// The maximum length of a text in bytes. Six of them, the names of the process and thread and
  /// the four of an event, fit into one chunk together.
  static var maximumLength: Int { 4_000 }

  /// The number of entries of the first segment. Each has twice as many as the one before it.
  private static var firstSegment: Int { 64 }
  private static var segmentCount: Int { 14 }

  /// The addresses of the index, or 0, and of the segments, or 0.
  ///
  /// The index is a hash table: the number of its slots, a power of two, and in each slot the
  /// number of a text plus 1, or 0. A segment has the address and the length of each text.
  private let roots: UnsafeMutablePointer<UInt64>
  /// All memory to free at the end.
  private var blocks: [UnsafeMutableRawPointer] = []
  /// The number of texts, including the empty one.
  private(set) var count = 0

  /// A table with the argument keys, whose numbers are fixed.
  ///
  /// Without thread times it has none of their keys: such recordings have the bytes they always had.
  init(hasThreadTimes: Bool) {
    roots = .allocate(capacity: 1 + Self.segmentCount)
    roots.initialize(repeating: 0, count: 1 + Self.segmentCount)
    publishIndex(slotCount: 128)
    _ = number(adding: UnsafeRawBufferPointer(start: nil, count: 0))
    for key in Vocabulary.Key.recorded where hasThreadTimes || !key.isThreadTime {
      var name = key.description
      _ = name.withUTF8 { number(adding: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Returns the number of a text, adding it if necessary, or `nil` if it is too long or there are
  /// too many.
  mutating func number(adding bytes: UnsafeRawBufferPointer) -> Number? {
    guard bytes.count <= Self.maximumLength else { return nil }
    if let number = names.number(of: bytes) { return number }
    guard count < Self.maximumCount, scrolltrace_load(roots) != 0 else { return nil }
    if (count + 1) * 2 > names.slotCount { publishIndex(slotCount: names.slotCount * 2) }
    let number = Number(count)
    let (segment, slot) = Self.slot(of: number)
    if scrolltrace_load(roots + 1 + segment) == 0 {
      let size = Self.firstSegment << segment * 16
      scrolltrace_store_release(roots + 1 + segment, allocate(size))
    }
    let kept = ProcessMemory.keep(bytes)
    guard let entry = names.entry(segment, slot) else { return nil }
    entry[0] = UInt64(UInt(bitPattern: kept.baseAddress))
    entry[1] = UInt64(kept.count)
    count += 1
    names.insert(number, hash: NameLookup.hash(kept))
    return number
  }

  private mutating func allocate(_ size: Int) -> UInt64 {
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    blocks.append(block)
    return UInt64(UInt(bitPattern: block))
  }

  /// Makes a larger index. The old one stays, because a thread may be reading it.
  private mutating func publishIndex(slotCount: Int) {
    let index = allocate(8 + slotCount * 8)
    let slots = UnsafeMutablePointer<UInt64>(bitPattern: UInt(index))
    slots?[0] = UInt64(slotCount)
    if let slots {
      for number in 0..<count {
        let number = Number(number)
        NameLookup.insert(number, hash: NameLookup.hash(names.bytes(of: number)), into: slots)
      }
    }
    scrolltrace_store_release(roots, index)
  }

  static func slot(of number: Number) -> (segment: Int, slot: Int) {
    let shifted = Int(number) + firstSegment
    let segment = Int.bitWidth - 1 - shifted.leadingZeroBitCount - firstSegment.trailingZeroBitCount
    return (segment, shifted - firstSegment << segment)
  }

  /// What threads inside the recorder read.
  var names: NameLookup { NameLookup(roots: roots) }

  /// Makes the table empty for all who read it from now on. Nothing can be added afterwards.
  mutating func close() {
    for root in 0...Self.segmentCount { scrolltrace_store_release(roots + root, 0) }
  }

  /// Frees the memory of a closed table that nobody reads any more.
  mutating func free() {
    for block in blocks { block.deallocate() }
    blocks = []
  }

  /// Frees the rest of a table that nobody reads any more, not even to find it closed.
  func freeRoots() { roots.deallocate() }
}

/// The texts of a recording for threads inside the recorder, which read them without a lock.
struct NameLookup: @unchecked Sendable {
  fileprivate let roots: UnsafeMutablePointer<UInt64>

  /// The number of a text, or `nil` if it has none yet.
  func number(of bytes: UnsafeRawBufferPointer) -> NameTable.Number? {
    guard
      let index = UnsafeMutablePointer<UInt64>(bitPattern: UInt(scrolltrace_load_acquire(roots)))
    else { return nil }
    let mask = Int(index[0]) - 1
    var slot = Int(truncatingIfNeeded: Self.hash(bytes)) & mask
    while true {
      let found = scrolltrace_load_acquire(index + 1 + slot)
      guard found != 0 else { return nil }
      let number = NameTable.Number(truncatingIfNeeded: found - 1)
      if Self.isSame(self.bytes(of: number), bytes) { return number }
      slot = (slot + 1) & mask
    }
  }

  func bytes(of number: NameTable.Number) -> UnsafeRawBufferPointer {
    let (segment, slot) = NameTable.slot(of: number)
    guard let entry = entry(segment, slot) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: UInt(entry[0])), count: Int(entry[1]))
  }

  fileprivate func entry(_ segment: Int, _ slot: Int) -> UnsafeMutablePointer<UInt64>? {
    let start = scrolltrace_load_acquire(roots + 1 + segment)
    return UnsafeMutablePointer<UInt64>(bitPattern: UInt(start)).map { $0 + 2 * slot }
  }

  fileprivate var slotCount: Int {
    UnsafeMutablePointer<UInt64>(bitPattern: UInt(scrolltrace_load_acquire(roots))).map {
      Int($0[0])
    } ?? 0
  }

  /// Makes a number known, whose entry is complete.
  fileprivate func insert(_ number: NameTable.Number, hash: UInt64) {
    guard
      let index = UnsafeMutablePointer<UInt64>(bitPattern: UInt(scrolltrace_load_acquire(roots)))
    else { return }
    Self.insert(number, hash: hash, into: index)
  }

  fileprivate static func insert(
    _ number: NameTable.Number, hash: UInt64, into index: UnsafeMutablePointer<UInt64>
  ) {
    let mask = Int(index[0]) - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while scrolltrace_load(index + 1 + slot) != 0 { slot = (slot + 1) & mask }
    scrolltrace_store_release(index + 1 + slot, UInt64(number) + 1)
  }

  /// FNV-1a, whose high bits are mixed into the low ones. No iterators, because they allocate in
  /// unoptimized builds.
  fileprivate static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    guard let start = bytes.baseAddress else { return hash }
    var offset = 0
    while offset < bytes.count {
      hash = (hash ^ UInt64(start.load(fromByteOffset: offset, as: UInt8.self))) &* 0x100_0000_01B3
      offset += 1
    }
    return hash ^ hash >> 32
  }

  private static func isSame(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) -> Bool {
    guard first.count == second.count else { return false }
    guard let left = first.baseAddress, let right = second.baseAddress, first.count > 0 else {
      return true
    }
    var offset = 0
    while offset < first.count {
      if left.load(fromByteOffset: offset, as: UInt8.self)
        != right.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
      offset += 1
    }
    return true
  }
}

extension RecorderStore {
  /// The numbers of two texts, or `nil` if one is too long or there are too many.
  func reference(category: RecordedName, name: RecordedName) -> NameReference? {
    guard let category = number(of: category), let name = number(of: name) else { return nil }
    return NameReference(category: category, name: name)
  }

  /// The number of a text, for a thread inside the recorder; a lock is taken only for a new text.
  private func number(of name: RecordedName) -> NameTable.Number? {
    guard name.length <= NameTable.maximumLength else { return nil }
    return names.number(of: name.bytes) ?? locked { $0.names.number(adding: name.bytes) }
  }

  func bytes(of number: NameTable.Number) -> UnsafeRawBufferPointer { names.bytes(of: number) }

  /// Returns a permanent name for a text that is known only at run time.
  ///
  /// If the text cannot be stored, events with the name are counted as lost.
  func intern(_ text: String) -> RecordedName {
    var text = text
    let kept = text.withUTF8 { utf8 -> UnsafeRawBufferPointer? in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard bytes.count <= NameTable.maximumLength else { return nil }
      return locked { state -> UnsafeRawBufferPointer? in
        // Names of a finished recording may be used by others.
        if state.isClosed { return ProcessMemory.keep(bytes) }
        return state.names.number(adding: bytes).map(names.bytes(of:))
      }
    }
    guard let kept else { return .unusable }
    guard kept.count > 0, let start = kept.assumingMemoryBound(to: UInt8.self).baseAddress
    else { return "" }
    return RecordedName(start: start, length: kept.count)
  }
}

extension RecordedName {
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }
}
