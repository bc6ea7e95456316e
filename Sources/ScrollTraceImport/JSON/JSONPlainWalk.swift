/// Walks from token to token over JSON in memory.
///
/// The walk handles only compact JSON, the usual form of traces. It gives up on anything else, at
/// the end of the tokens and at every fault. Then the scanner itself, which handles all of JSON,
/// reads the same bytes and reports them.
struct JSONPlainWalk {
  /// The bytes are not in memory, not compact or not JSON.
  struct NotPlain: Error {}

  private let base: UnsafeRawPointer

  /// The current token, followed by the next ones.
  private(set) var next: UnsafePointer<UInt32>

  /// Creates a walk that starts at the token `next` in the bytes at `base`.
  init(_ base: UnsafeRawPointer, from next: UnsafePointer<UInt32>) {
    self.base = base
    self.next = next
  }

  @inline(__always)
  var token: Int { Int(next.pointee) }

  @inline(__always)
  var byte: UInt8 { byte(at: token) }

  @inline(__always)
  func byte(at offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }

  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  mutating func advance() { next += 1 }

  /// Passes the name at the current opening quote, and the colon; returns the position after the
  /// name's last byte.
  @inline(__always)
  mutating func passName() throws(NotPlain) -> Int {
    guard byte == UInt8(ascii: "\"") else { throw NotPlain() }
    let start = token
    advance()
    var colon = token &- 1
    while byte(at: colon) == UInt8(ascii: " ") { colon &-= 1 }
    // A colon is not a token if a closing quote directly precedes it; but if the bytes end inside
    // the name, there is none.
    guard byte(at: colon) == UInt8(ascii: ":"), colon &- 1 > start else { throw NotPlain() }
    return colon &- 1
  }

  /// Returns the end of the string before the token, which is the first one after the string.
  @inline(__always)
  private func endOfString() throws(NotPlain) -> Int {
    guard byte(at: token &- 1) == UInt8(ascii: "\"") else { throw NotPlain() }
    return token
  }

  // MARK: - Values

  /// Passes the value at the current token, and advances to the token after it.
  ///
  /// Returns the value's type and its end.
  @inline(__always)
  mutating func passValue() throws(NotPlain) -> (kind: JSONKind, end: Int) {
    let start = token
    switch byte {
    case UInt8(ascii: "\""):
      advance()
      return (.plainString, try endOfString())
    case UInt8(ascii: "{"):
      let end = try passContainer()
      return (.object, end)
    case UInt8(ascii: "["):
      let end = try passContainer()
      return (.array, end)
    default:
      advance()
      return try scalar(from: start)
    }
  }

  /// Returns the type of the number or literal at `start`, whose bytes end before the token.
  @inline(__always)
  private func scalar(from start: Int) throws(NotPlain) -> (kind: JSONKind, end: Int) {
    let count = token &- start
    let first = word(at: start)
    if count <= 8 {
      if Self.areDigits(first, count), first & 0xFF != 0x30 || count == 1 {
        return (.number, token)
      }
    } else if count <= 16, first & 0xFF != 0x30, Self.areDigits(first, 8),
      Self.areDigits(word(at: start &+ 8), count &- 8)
    {
      return (.number, token)
    }
    return try rareScalar(from: start)
  }

  /// Returns whether the lowest `count` bytes, one to eight of them, are all digits.
  @inline(__always)
  private static func areDigits(_ word: UInt64, _ count: Int) -> Bool {
    let unused = UInt64(64 &- count &* 8)
    let values = (word ^ 0x3030_3030_3030_3030) &<< unused
    return (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080 == 0
  }

  /// Handles everything except whole numbers of up to eight digits.
  @inline(never)
  private func rareScalar(from start: Int) throws(NotPlain) -> (kind: JSONKind, end: Int) {
    let first = word(at: start)
    var offset = start
    var kind = JSONKind.literal
    if first & 0xFFFF_FFFF == 0x6575_7274 || first & 0xFFFF_FFFF == 0x6C6C_756E {  // true, null
      offset += 4
    } else if first & 0xFF_FFFF_FFFF == 0x65_736C_6166 {  // false
      offset += 5
    } else {
      kind = .number
      try passNumber(at: &offset)
    }
    // Following characters in the same word, such as the x of 1x, belong to no valid value.
    var rest = offset
    while rest < token {
      switch byte(at: rest) {
      case 0x20, 0x0A, 0x0D, 0x09: rest += 1
      default: throw NotPlain()
      }
    }
    return (kind, offset)
  }

  private func passNumber(at offset: inout Int) throws(NotPlain) {
    if byte(at: offset) == UInt8(ascii: "-") { offset += 1 }
    if byte(at: offset) == UInt8(ascii: "0") { offset += 1 } else { try passDigits(at: &offset) }
    if byte(at: offset) == UInt8(ascii: ".") {
      offset += 1
      try passDigits(at: &offset)
    }
    if byte(at: offset) | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if byte(at: offset) == UInt8(ascii: "+") || byte(at: offset) == UInt8(ascii: "-") {
        offset += 1
      }
      try passDigits(at: &offset)
    }
  }

  private func passDigits(at offset: inout Int) throws(NotPlain) {
    let start = offset
    while true {
      let digits = word(at: offset) ^ 0x3030_3030_3030_3030
      // A carry only reaches bytes after the first nondigit.
      let found = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
      offset &+= found != 0 ? found.trailingZeroBitCount &>> 3 : 8
      if found != 0 { break }
    }
    if offset == start { throw NotPlain() }
  }

  /// Passes the scalars of an array that follow the one before the token; returns whether a value that is
  /// no scalar follows them. Inlined, it would slow down all other values.
  @inline(never)
  private mutating func passScalars() throws(NotPlain) -> Bool {
    while byte == UInt8(ascii: ",") {
      advance()
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): return true
      default: break
      }
      let start = token
      advance()
      _ = try scalar(from: start)
    }
    return false
  }

  /// Passes an object or array with its content, without recursion; returns its end.
  @inline(__always)
  private mutating func passContainer() throws(NotPlain) -> Int {
    // One bit for each open container, the innermost lowest: 1 for an object. The highest set bit
    // represents no container.
    var open: UInt64 = 1
    while true {
      // At the first token of a value.
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        _ = try endOfString()
      case UInt8(ascii: "{"):
        guard open < 1 << 60 else { throw NotPlain() }
        open = open &<< 1 | 1
        advance()
        if byte != UInt8(ascii: "}") {
          _ = try passName()
          continue
        }
      case UInt8(ascii: "["):
        guard open < 1 << 60 else { throw NotPlain() }
        open = open &<< 1
        advance()
        if byte != UInt8(ascii: "]") { continue }
      default:
        let start = token
        advance()
        _ = try scalar(from: start)
        if open & 1 == 0, try passScalars() { continue }
      }
      // At the token after a value, or at the end of an empty container.
      while byte != UInt8(ascii: ",") {
        let closing = open & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard byte == closing else { throw NotPlain() }
        let end = token &+ 1
        open &>>= 1
        advance()
        if open == 1 { return end }
      }
      advance()
      if open & 1 == 1 { _ = try passName() }
    }
  }
}
