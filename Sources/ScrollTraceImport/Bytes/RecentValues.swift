/// A cache of the values for the most recent keys, with a fixed number of slots. If two keys share
/// a slot, the later one replaces the earlier one.
///
/// Traces repeat the same few threads, labels and calls, and a look into a slot is far cheaper than
/// a table lookup or composing a name again.
struct RecentValues<Key: RecentKey, Value> {
  private struct Entry {
    var key: Key.Kept
    var value: Value
  }

  private var entries: [Entry?]
  /// The bytes of the text keys in the cache.
  private var bytes: [UInt8] = []

  /// Creates an empty cache with `count` slots, a power of two.
  init(count: Int) { entries = Array(repeating: nil, count: count) }

  /// Returns the value for `key`, or `nil` if the slot holds another key.
  @inline(__always)
  func find(_ key: Key) -> Value? {
    guard let entry = entries[slot(of: key)] else { return nil }
    return key.isSame(as: entry.key, bytes) ? entry.value : nil
  }

  mutating func keep(_ value: Value, for key: Key) {
    guard key.byteCount <= 1 << 16 else { return }
    if bytes.count + key.byteCount > 1 << 17 { self = Self(count: entries.count) }
    entries[slot(of: key)] = Entry(key: key.kept(in: &bytes), value: value)
  }

  @inline(__always)
  private func slot(of key: Key) -> Int {
    Int(truncatingIfNeeded: (key.mark &* 0x9E37_79B9_7F4A_7C15) &>> 40) & (entries.count &- 1)
  }
}

protocol RecentKey {
  associatedtype Kept

  /// A hash, likely to differ between keys.
  var mark: UInt64 { get }

  /// The number of bytes that the stored key occupies.
  var byteCount: Int { get }

  /// Returns the stored form and appends its external bytes to `bytes`.
  func kept(in bytes: inout [UInt8]) -> Kept

  func isSame(as kept: Kept, _ bytes: [UInt8]) -> Bool
}

extension RecentKey where Kept == Self, Self: Equatable {
  var byteCount: Int { 0 }

  func kept(in bytes: inout [UInt8]) -> Self { self }

  @inline(__always)
  func isSame(as kept: Self, _ bytes: [UInt8]) -> Bool { self == kept }
}

extension UInt64: RecentKey {
  typealias Kept = UInt64

  @inline(__always)
  var mark: UInt64 { self }
}

/// A key of up to three strings and a number.
struct RecentTexts: RecentKey {
  /// The position of the strings, which are adjacent in the cache's bytes.
  struct Kept {
    fileprivate var number: UInt64
    fileprivate var counts: UInt64
    fileprivate var start: Int
  }

  private let number: UInt64
  /// The lengths of the strings, 21 bits each; all bits are set for longer strings, which are never
  /// stored.
  private let counts: UInt64
  private let first: UnsafeRawBufferPointer
  private let second: UnsafeRawBufferPointer
  private let third: UnsafeRawBufferPointer

  /// Creates a key of these strings, which must stay valid during the call that uses it.
  @inline(__always)
  init(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .empty,
    _ third: UnsafeRawBufferPointer = .empty, number: UInt64 = 0
  ) {
    self.number = number
    self.first = first
    self.second = second
    self.third = third
    let isLong = first.count | second.count | third.count >= 1 << 21
    counts =
      isLong
      ? .max
      : UInt64(truncatingIfNeeded: first.count) | UInt64(truncatingIfNeeded: second.count) &<< 21
        | UInt64(truncatingIfNeeded: third.count) &<< 42
  }

  @inline(__always)
  var mark: UInt64 { ((first.mark ^ counts ^ number) &* 0xBF58_476D_1CE4_E5B9) ^ second.mark }

  var byteCount: Int { first.count + second.count + third.count }

  func kept(in bytes: inout [UInt8]) -> Kept {
    defer {
      bytes += first
      bytes += second
      bytes += third
    }
    return Kept(number: number, counts: counts, start: bytes.count)
  }

  @inline(__always)
  func isSame(as kept: Kept, _ bytes: [UInt8]) -> Bool {
    guard kept.counts == counts, kept.number == number else { return false }
    return bytes.withUnsafeBytes { bytes in
      let second = kept.start &+ first.count
      return bytes.has(first, at: kept.start) && bytes.has(self.second, at: second)
        && bytes.has(third, at: second &+ self.second.count)
    }
  }
}

extension UnsafeRawBufferPointer {
  static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// A hash of the first, middle and last bytes, where names of one length differ most.
  @inline(__always)
  fileprivate var mark: UInt64 {
    guard let start = baseAddress else { return 0 }
    guard count >= 8 else { return LineBytes.shortWord(start, count: count) }
    let last = LineBytes.word(start + (count &- 8))
    let middle = LineBytes.word(start + (count &- 8) / 2)
    return (LineBytes.word(start) &* 0x2127_599B_F432_5C37) ^ last ^ middle &<< 1
  }

  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && has(other, at: 0)
  }

  @inline(__always)
  fileprivate func has(_ text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard let start = text.baseAddress, let base = baseAddress else { return text.isEmpty }
    return LineBytes.areSame(base + offset, start, count: text.count)
  }
}
