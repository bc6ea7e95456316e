import CImportShims

/// Where the tokens of a range of JSON are, found 64 bytes at a time.
///
/// A token is a bracket, a comma, the opening quote of a string, or the first byte of a number or
/// literal; a colon only where no closing quote is right before it. The bytes behind a value up to
/// the next token are therefore white space, one colon behind a name apart.
///
/// Tokens are found without a look at the grammar: they mean something only for valid JSON, and
/// whoever walks along them has to check.
struct JSONTokens: ~Copyable {
  /// How many bytes are usually looked at in one go: few enough that they and their tokens stay
  /// close to the processor.
  static let blockLength = 1 << 15

  /// The most bytes that are looked at in one go.
  static let maximumBlockLength = 1 << 20

  /// How many places past the last token can be read; they hold the end of the bytes.
  private static let padding = 64

  private var capacity = 0
  private var places: UnsafeMutablePointer<UInt32>
  private var specials: UnsafeMutablePointer<UInt32>
  private var last: UnsafeMutablePointer<UInt32>

  /// The first token that was not passed.
  private(set) var next: UnsafePointer<UInt32>

  /// The first byte in a string that was not passed and needs a closer look: a backslash, a control
  /// character or what is not ASCII.
  private var special: UnsafePointer<UInt32>

  /// The bytes whose tokens these are.
  private(set) var range = 0..<0

  init() {
    capacity = Self.blockLength
    places = .allocate(capacity: capacity + Self.padding)
    specials = .allocate(capacity: capacity + Self.padding)
    last = places
    next = UnsafePointer(places)
    special = UnsafePointer(specials)
    clear()
  }

  deinit {
    places.deallocate()
    specials.deallocate()
  }

  /// Whether `token` is past the last one that is known.
  @inline(__always)
  func isExhausted(at token: UnsafePointer<UInt32>) -> Bool { token >= UnsafePointer(last) }

  /// Whether no string in `start..<end` needs a closer look; asked for ever later places.
  @inline(__always)
  mutating func arePlain(from start: Int, to end: Int) -> Bool {
    while special.pointee < start { special += 1 }
    return special.pointee >= end
  }

  /// Skips all tokens before `place` and returns whether there is one at `place`.
  @inline(__always)
  mutating func pass(to place: Int) -> Bool {
    while next.pointee < place { next += 1 }
    return next.pointee == place
  }

  /// Passes all tokens before `token`.
  @inline(__always)
  mutating func pass(to token: UnsafePointer<UInt32>) { next = token }

  /// Forgets all tokens, because the bytes have moved towards the front.
  mutating func move(by shift: Int) {
    clear()
    range = max(0, range.lowerBound - shift)..<max(0, range.upperBound - shift)
  }

  /// Finds the tokens of `count` bytes from `start` on, which is outside of any string.
  ///
  /// 64 bytes must be readable behind the last one of `bytes`.
  mutating func find(in bytes: UnsafeRawBufferPointer, from start: Int, count: Int) {
    guard let base = bytes.baseAddress else { return clear() }
    if count > capacity { grow(to: count) }
    let end = min(bytes.count, start + count)
    let found = scrolltrace_find_json_tokens(
      base, UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end),
      scrolltrace_json_tokens(tokens: places, specials: specials))
    last = found.tokens
    // Zeros behind the last byte look like a number, and the last block may go on behind `end`.
    while last > places, last[-1] >= end { last -= 1 }
    last.update(repeating: UInt32(truncatingIfNeeded: bytes.count), count: 16)
    found.specials.pointee = .max
    next = UnsafePointer(places)
    special = UnsafePointer(specials)
    range = start..<end
  }

  private mutating func grow(to count: Int) {
    places.deallocate()
    specials.deallocate()
    capacity = count
    places = .allocate(capacity: capacity + Self.padding)
    specials = .allocate(capacity: capacity + Self.padding)
    clear()
  }

  private mutating func clear() {
    places.initialize(to: .max)
    specials.initialize(to: .max)
    last = places
    next = UnsafePointer(places)
    special = UnsafePointer(specials)
  }
}
