/// The positions of one event's fields, in bytes from the scanner's anchor.
struct ChromeEvent: Equatable {
  struct Field: Equatable {
    private var first: UInt32 = 0
    private var last: UInt32 = 0
    private(set) var kind = JSONKind.missing

    init() {}

    /// Creates the field at `start..<end`; the scanner's window bounds both to far less than 32
    /// bits.
    init(start: Int, end: Int, kind: JSONKind) {
      first = UInt32(truncatingIfNeeded: start)
      last = UInt32(truncatingIfNeeded: end)
      self.kind = kind
    }

    var start: Int { Int(first) }
    var end: Int { Int(last) }

    @inline(__always)
    func view(in bytes: UnsafeRawBufferPointer) -> JSONView {
      JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }

    /// The text of a number, or the content of a string; `nil` for anything else.
    @inline(__always)
    func number(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
      guard kind == .number || kind.isString else { return nil }
      let trim = kind.isString ? 1 : 0
      return UnsafeRawBufferPointer(rebasing: bytes[(start + trim)..<(end - trim)])
    }
  }

  var phase = Field()
  var name = Field()
  var category = Field()
  var time = Field()
  var duration = Field()
  var process = Field()
  var thread = Field()
  var id = Field()
  var scopedID = Field()
  var arguments = Field()
  /// The thread's CPU time at the event's time, and its CPU time during the event.
  var threadTime = Field()
  var threadDuration = Field()

  /// Whether the object has no known member.
  var isEmpty: Bool { phase.kind == .missing && name.kind == .missing && time.kind == .missing }
}

extension JSONScanner {
  /// Passes the event that starts here, after setting the anchor to it.
  @inline(__always)
  mutating func passEvent() throws(ScanFault) -> ChromeEvent {
    anchor = position
    if !tokens.pass(to: position) { findTokens() }
    while true {
      var walk = JSONPlainWalk(base, from: tokens.next)
      var event = ChromeEvent()
      let isPlain = walk.passEvent(&event)
      if isPlain {
        let end = walk.token &+ 1
        guard tokens.arePlain(from: position, to: end) else { return try passAnyEvent() }
        position = end
        tokens.pass(to: walk.next)
        return event
      }
      guard tokens.isExhausted(at: walk.next), try findMoreTokens() else {
        return try passAnyEvent()
      }
    }
  }

  /// Passes the event that starts at the anchor, whatever it contains.
  @inline(never)
  mutating func passAnyEvent() throws(ScanFault) -> ChromeEvent {
    var event = ChromeEvent()
    position += 1
    guard try peek() != UInt8(ascii: "}") else {
      position += 1
      return event
    }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
      let key = try passEventKey()
      try passColon()
      _ = try peek()
      let start = position - anchor
      let kind = try passValue()
      event.set(ChromeEvent.Field(start: start, end: position - anchor, kind: kind), key: key)
      switch try peek() {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "}"):
        position += 1
        return event
      default: throw fault("',' or '}' was expected")
      }
    }
  }

  /// Passes a member's name and returns its bytes as a number if there are at most seven.
  @inline(__always)
  private mutating func passEventKey() throws(ScanFault) -> UInt64 {
    let fromAnchor = position - anchor
    _ = try passString()
    let start = anchor + fromAnchor + 1
    let count = position - 1 - start
    guard count < 8 else { return 0 }
    return rawWord(at: start) & (1 << UInt64(count * 8) &- 1)
  }
}

extension JSONPlainWalk {
  /// Passes the event at the current brace up to its closing brace; returns whether it could.
  @inline(__always)
  fileprivate mutating func passEvent(_ event: inout ChromeEvent) -> Bool {
    let start = token
    advance()
    guard byte != UInt8(ascii: "}") else { return true }
    do throws(JSONPlainWalk.NotPlain) {
      while true {
        let name = token &+ 1
        let length = try passName() &- name
        let key =
          length < 8 ? word(at: name) & (1 &<< UInt64(truncatingIfNeeded: length &* 8) &- 1) : 0
        let first = token
        let (kind, end) = try passValue()
        event.set(ChromeEvent.Field(start: first &- start, end: end &- start, kind: kind), key: key)
        switch byte {
        case UInt8(ascii: ","): advance()
        case UInt8(ascii: "}"): return true
        default: return false
        }
      }
    } catch { return false }
  }
}

extension ChromeEvent {
  /// Stores `field` if the member's name is known; of a repeated member the last one counts.
  @inline(__always)
  fileprivate mutating func set(_ field: Field, key: UInt64) {
    switch key {
    case 0x6870: phase = field  // ph
    case 0x7374: time = field  // ts
    case 0x727564: duration = field  // dur
    case 0x646970: process = field  // pid
    case 0x646974: thread = field  // tid
    case 0x746163: category = field  // cat
    case 0x656D_616E: name = field  // name
    case 0x7367_7261: arguments = field  // args
    case 0x73_7474: threadTime = field  // tts
    case 0x7275_6474: threadDuration = field  // tdur
    case 0x6469: id = field  // id
    case 0x32_6469: scopedID = field  // id2
    default: break
    }
  }
}

/// The identifier shared by the events of one asynchronous piece of work.
struct ChromeID: Hashable {
  /// The process to which the number is local, or `nil` if it is global.
  let process: UInt64?
  /// The number, or a hash of a non-numeric string.
  let value: UInt64
}

extension ChromeID {
  init?(of event: ChromeEvent, in bytes: UnsafeRawBufferPointer, process: UInt64) {
    if event.scopedID.kind == .object {
      let scoped = event.scopedID.view(in: bytes)
      if let local = scoped.member("local") {
        self.init(process: process, value: Self.number(local))
      } else if let global = scoped.member("global") {
        self.init(process: nil, value: Self.number(global))
      } else {
        return nil
      }
    } else if event.id.kind != .missing {
      self.init(process: nil, value: Self.number(event.id.view(in: bytes)))
    } else {
      return nil
    }
  }

  /// Returns the number in `view`: decimal, `"0x…"`, or a hash of anything else.
  static func number(_ view: JSONView) -> UInt64 {
    let text = view.rawText ?? view.bytes
    if text.count > 2, text.count <= 18, text[0] == UInt8(ascii: "0"), text[1] | 0x20 == 0x78 {
      var value: UInt64 = 0
      var isHexadecimal = true
      for byte in text[2...] {
        guard let digit = JSONText.hexDigit(byte) else {
          isHexadecimal = false
          break
        }
        value = value << 4 | UInt64(digit)
      }
      if isHexadecimal { return value }
    }
    if let value = JSONNumber.integer(text) { return UInt64(bitPattern: value) }
    return hash(text)
  }

  /// Returns an FNV-1a hash, the same on every machine; the highest bit is set to avoid common
  /// numbers.
  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash | 1 << 63
  }
}
