/// What was found for the names that lines repeat, by their bytes, so that nothing is looked up
/// again: some hundred names or pairs of names, and wherever two meet the later one.
struct RecentNames<Found>: ~Copyable {
  private struct Entry {
    var start = 0
    var middle = 0
    var end = 0
    var found: Found?
  }

  /// The most bytes of all names; then it begins anew.
  private static var maximumBytes: Int { 1 << 16 }
  private static var entryCount: Int { 256 }

  private var entries = [Entry](repeating: Entry(), count: entryCount)
  private var bytes: [UInt8] = []

  /// What was kept for a name, or for the pair of a name and a second one.
  @inline(__always)
  func find(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .empty
  ) -> Found? {
    let entry = entries[Self.place(of: first, second)]
    guard let found = entry.found, entry.middle &- entry.start == first.count,
      entry.end &- entry.middle == second.count
    else { return nil }
    let isSame = bytes.withUnsafeBytes { bytes in
      bytes.has(first, at: entry.start) && bytes.has(second, at: entry.middle)
    }
    return isSame ? found : nil
  }

  /// Keeps what was found.
  mutating func keep(
    _ found: Found, for first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .empty
  ) {
    let count = first.count + second.count
    guard count <= Self.maximumBytes else { return }
    if bytes.count + count > Self.maximumBytes { self = Self() }
    let start = bytes.count
    bytes += first
    bytes += second
    entries[Self.place(of: first, second)] = Entry(
      start: start, middle: start + first.count, end: bytes.count, found: found)
  }

  @inline(__always)
  private static func place(
    of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) -> Int {
    let mixed = (first.mark ^ second.mark &* 31) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 56)
  }
}

extension UnsafeRawBufferPointer {
  /// No bytes.
  static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// A number made of the length and of the first and last bytes.
  @inline(__always)
  fileprivate var mark: UInt64 {
    guard let start = baseAddress else { return 0 }
    guard count >= 8 else { return LineBytes.shortWord(start, count: count) &+ UInt64(count) }
    let first = LineBytes.word(start)
    let last = LineBytes.word(start + (count &- 8))
    return (first &* 0x2127_599B_F432_5C37) ^ last &+ UInt64(truncatingIfNeeded: count)
  }

  /// Whether `bytes` stand at `place`.
  @inline(__always)
  fileprivate func has(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let base = baseAddress, let other = bytes.baseAddress, !bytes.isEmpty else {
      return bytes.isEmpty
    }
    return LineBytes.areSame(base + place, other, count: bytes.count)
  }
}
