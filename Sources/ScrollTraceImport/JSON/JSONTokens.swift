import CImportShims

/// The offsets of the tokens in a range of JSON, found 64 bytes at a time.
///
/// A token is a bracket, a comma, the opening quote of a string, or the first byte of a number or
/// literal; a colon is one only if no closing quote directly precedes it. The bytes after a value
/// up to the next token are therefore white space, except one colon after a name.
///
/// Tokens are found without checking the grammar: they are meaningful only for valid JSON, and
/// walkers must check.
struct JSONTokens: ~Copyable {
  /// The usual number of bytes scanned at once: few enough that they and their tokens stay in the
  /// cache.
  static let blockLength = 1 << 15

  /// The maximum number of bytes scanned at once.
  static let maximumBlockLength = 1 << 20

  /// The number of readable positions after the last token, which contain the end of the bytes.
  private static let padding = 64

  private var capacity = 0
  private var offsets: UnsafeMutablePointer<UInt32>
  private var specials: UnsafeMutablePointer<UInt32>
  private var last: UnsafeMutablePointer<UInt32>

  /// The first token that was not passed.
  private(set) var next: UnsafePointer<UInt32>

  /// The first byte in a string that was not passed and needs inspection: a backslash, a control
  /// character or a non-ASCII byte.
  private var special: UnsafePointer<UInt32>

  private(set) var range = 0..<0

  init() {
    capacity = Self.blockLength
    offsets = .allocate(capacity: capacity + Self.padding)
    specials = .allocate(capacity: capacity + Self.padding)
    last = offsets
    next = UnsafePointer(offsets)
    special = UnsafePointer(specials)
    clear()
  }

  deinit {
    offsets.deallocate()
    specials.deallocate()
  }

  /// Returns whether `token` is past the last known one.
  @inline(__always)
  func isExhausted(at token: UnsafePointer<UInt32>) -> Bool { token >= UnsafePointer(last) }

  /// Returns whether no string in `start..<end` needs inspection; offsets must ascend between
  /// calls.
  @inline(__always)
  mutating func arePlain(from start: Int, to end: Int) -> Bool {
    while special.pointee < start { special += 1 }
    return special.pointee >= end
  }

  /// Skips all tokens before `offset` and returns whether there is one at `offset`; `false` if it was
  /// not scanned.
  @inline(__always)
  mutating func pass(to offset: Int) -> Bool {
    guard offset < range.upperBound else { return false }
    while next.pointee < offset { next += 1 }
    return next.pointee == offset
  }

  @inline(__always)
  mutating func pass(to token: UnsafePointer<UInt32>) { next = token }

  /// Forgets all tokens, because the bytes have moved to the front by `shift`, or others follow
  /// where they ended.
  mutating func forget(movingBy shift: Int) {
    clear()
    range = max(0, range.lowerBound - shift)..<max(0, range.upperBound - shift)
  }

  /// Finds the tokens of `count` bytes from `start` on, which is outside any string.
  ///
  /// 64 bytes must be readable after the last one of `bytes`.
  mutating func find(in bytes: UnsafeRawBufferPointer, from start: Int, count: Int) {
    guard let base = bytes.baseAddress else { return clear() }
    if count > capacity { grow(to: count) }
    let end = min(bytes.count, start + count)
    let found = scrolltrace_find_json_tokens(
      base, UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end),
      scrolltrace_json_tokens(tokens: offsets, specials: specials))
    last = found.tokens
    // Zeros after the last byte look like a number, and the last block can extend past `end`.
    while last > offsets, last[-1] >= end { last -= 1 }
    last.update(repeating: UInt32(truncatingIfNeeded: bytes.count), count: 16)
    found.specials.pointee = .max
    next = UnsafePointer(offsets)
    special = UnsafePointer(specials)
    range = start..<end
  }

  private mutating func grow(to count: Int) {
    offsets.deallocate()
    specials.deallocate()
    capacity = count
    offsets = .allocate(capacity: capacity + Self.padding)
    specials = .allocate(capacity: capacity + Self.padding)
    clear()
  }

  private mutating func clear() {
    offsets.initialize(to: .max)
    specials.initialize(to: .max)
    last = offsets
    next = UnsafePointer(offsets)
    special = UnsafePointer(specials)
  }
}
