/// Walks from token to token over JSON that is at hand.
///
/// The walk knows compact JSON only, as nearly all of a trace is. It gives up at whatever else, at
/// the end of the tokens and at every fault; then `JSONScanner`, which knows all of JSON, goes over
/// the same bytes and says what they are.
struct PlainJSONWalk {
  /// The bytes are not at hand, not compact or no JSON.
  struct NotPlain: Error {}

  private let base: UnsafeRawPointer

  /// The token the walk stands at, and those behind it.
  private(set) var next: UnsafePointer<UInt32>

  /// A walk that starts at the token `next` in the bytes at `base`.
  init(_ base: UnsafeRawPointer, from next: UnsafePointer<UInt32>) {
    self.base = base
    self.next = next
  }

  /// Where the walk stands.
  @inline(__always)
  var token: Int { Int(next.pointee) }

  /// The byte the walk stands at.
  @inline(__always)
  var byte: UInt8 { byte(at: token) }

  /// The byte at `place`.
  @inline(__always)
  func byte(at place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

  /// Eight bytes at `place`.
  @inline(__always)
  func word(at place: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// Goes to the next token.
  @inline(__always)
  mutating func advance() { next += 1 }

  /// Passes the name at whose opening quote the walk stands, and the colon; gives the place behind
  /// the name's last byte.
  @inline(__always)
  mutating func passName() throws(NotPlain) -> Int {
    guard byte == UInt8(ascii: "\"") else { throw NotPlain() }
    let start = token
    advance()
    var colon = token &- 1
    while byte(at: colon) == UInt8(ascii: " ") { colon &-= 1 }
    // A colon is no token only where a closing quote is right before it; but where the bytes end
    // inside the name there is none.
    guard byte(at: colon) == UInt8(ascii: ":"), colon &- 1 > start else { throw NotPlain() }
    return colon &- 1
  }

  /// The end of the string before the token, which is the first one behind the string.
  @inline(__always)
  func endOfString() throws(NotPlain) -> Int {
    guard byte(at: token &- 1) == UInt8(ascii: "\"") else { throw NotPlain() }
    return token
  }
}
