import ScrollTraceModel

/// Walks over JSON that arrives in blocks, and checks it against RFC 8259 on the way.
///
/// No document is built: a caller receives the positions of values and reads the few it needs.
/// `position` is where the scanner stands in the bytes at hand, `window`. Moving on may load more
/// bytes and move those at hand; what lies at or after `anchor` is kept, and `position` and
/// `anchor` move along, so a place is remembered as a distance from the anchor.
///
/// A block of zeros follows the bytes at hand. No JSON contains a zero byte, so loops stop there
/// and need not ask at every byte whether bytes are left.
struct JSONScanner: ~Copyable {
  /// How deep values may be nested.
  static let maximumDepth = 128

  /// The most bytes that are kept at a time: the largest string, or the largest anchored value.
  static let maximumWindow = 1 << 26

  private static let padding = 64

  private let source: any ByteSource
  private(set) var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var end = 0
  private var startOffset: UInt64 = 0
  private var sourceHasEnded = false
  private var sourceError: ImportError?

  /// The tokens of some of the bytes at hand, for who walks along them.
  var tokens = JSONTokens()

  /// Where the scanner stands in `window`.
  var position = 0

  /// From where on bytes are kept; -1 for from `position` on.
  var anchor = -1

  /// How many containers are open around what is scanned.
  var outerDepth = 0

  /// Whether strings may hold line feeds and tabs as they are, as some writers of traces leave them;
  /// JSON itself does not allow it.
  var allowsLineFeeds = false

  /// A scanner at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18) {
    self.source = source
    capacity = max(16, blockSize)
    base = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: capacity + Self.padding)
  }

  deinit {
    base.deallocate()
  }

  /// Starts over with `text`, of which a copy is made, and nothing behind it.
  mutating func restart(with text: UnsafeRawBufferPointer) {
    if text.count > capacity {
      base.deallocate()
      capacity = text.count
      base = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    }
    base.copyMemory(from: text.baseAddress ?? UnsafeRawPointer(base), byteCount: text.count)
    (base + text.count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    (position, end, startOffset) = (0, text.count, 0)
    (anchor, outerDepth, sourceHasEnded) = (-1, 0, true)
  }

  /// The bytes at hand.
  var window: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: end) }

  /// The bytes from `anchor` on.
  var anchored: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: window[max(0, anchor)..<end])
  }

  /// Where in the source the scanner stands.
  var offset: UInt64 { startOffset + UInt64(position) }

  /// Whether every byte of the source was passed.
  var isAtEnd: Bool { sourceHasEnded && position >= end }

  /// What went wrong with the source, where a fault is of the kind `source`.
  var failure: ImportError? { sourceError }

  /// The byte at `place`, loading more where the bytes at hand end there; 0 at the end of all.
  @inline(__always)
  mutating func byte(at place: inout Int) throws(ScanFault) -> UInt8 {
    let value = base.load(fromByteOffset: place, as: UInt8.self)
    if _fastPath(value != 0 || place < end) { return value }
    let shift = try load()
    guard shift >= 0 else { return 0 }
    place -= shift
    return base.load(fromByteOffset: place, as: UInt8.self)
  }

  /// The byte at `place`, 0 where the bytes at hand end.
  @inline(__always)
  func rawByte(at place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

  /// Eight bytes at `place`, zeros where the bytes at hand end.
  @inline(__always)
  func rawWord(at place: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// Whether `count` bytes from `place` on are at hand, after loading what is missing.
  mutating func require(_ count: Int, at place: inout Int) throws(ScanFault) -> Bool {
    while end - place < count {
      let shift = try load()
      guard shift >= 0 else { return false }
      place -= shift
    }
    return true
  }

  /// The first byte that is not white space, which stays to be read; 0 at the end of all.
  @inline(__always)
  mutating func peek() throws(ScanFault) -> UInt8 {
    while true {
      let value = base.load(fromByteOffset: position, as: UInt8.self)
      if _fastPath(value > 0x20) { return value }
      switch value {
      case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
      case 0 where position >= end:
        if try load() < 0 { return 0 }
      default: return value
      }
    }
  }

  /// Finds the tokens of the bytes at hand from `position` on, which is outside of any string.
  @inline(never)
  mutating func findTokens() {
    tokens.find(in: window, from: position, count: JSONTokens.blockLength)
  }

  /// Finds more tokens from `position` on than are known; whether there may be more.
  @inline(never)
  mutating func findMoreTokens() throws(ScanFault) -> Bool {
    if tokens.range.upperBound >= end, try load() < 0 { return false }
    // What is large already may be far larger.
    let known = max(0, tokens.range.upperBound - position)
    let isAllKnown = tokens.range.lowerBound == position && known >= JSONTokens.maximumBlockLength
    guard !isAllKnown else { return false }
    let count = min(max(JSONTokens.blockLength, known * 8), JSONTokens.maximumBlockLength)
    tokens.find(in: window, from: position, count: count)
    return true
  }

  /// A fault here: a cut where the bytes end, otherwise `reason`.
  func fault(_ reason: String, at place: Int? = nil) -> ScanFault {
    let place = place ?? position
    let isCut = sourceHasEnded && place >= end
    return ScanFault(
      kind: isCut ? .cutAtEnd : .invalid, reason: isCut ? "the text ends in the middle" : reason,
      offset: startOffset + UInt64(place))
  }

  /// A fault here because a limit was met.
  func limitFault(_ reason: String) -> ScanFault {
    ScanFault(kind: .limit, reason: reason, offset: offset)
  }

  /// Loads more bytes and gives how far those at hand were moved to the front; -1 at the end.
  @inline(never)
  private mutating func load() throws(ScanFault) -> Int {
    guard !sourceHasEnded else { return -1 }
    let kept = anchor >= 0 ? min(anchor, position) : position
    let shift = min(kept, end)
    if shift > 0 {
      base.copyMemory(from: base + shift, byteCount: end - shift)
      end -= shift
      position -= shift
      if anchor >= 0 { anchor -= shift }
      startOffset += UInt64(shift)
      tokens.move(by: shift)
    }
    if end == capacity { try grow() }
    let got: Int
    do throws(ImportError) {
      got = try source.read(
        into: UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end))
    } catch {
      sourceError = error
      throw ScanFault(kind: .source, reason: error.reason, offset: offset)
    }
    end += min(got, capacity - end)
    (base + end).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    sourceHasEnded = got == 0
    return sourceHasEnded && shift == 0 ? -1 : shift
  }

  private mutating func grow() throws(ScanFault) {
    guard capacity < Self.maximumWindow else {
      throw limitFault("a value is larger than \(Self.maximumWindow) bytes")
    }
    let larger = min(capacity * 2, Self.maximumWindow)
    let new = UnsafeMutableRawPointer.allocate(
      byteCount: larger + Self.padding, alignment: 16)
    new.initializeMemory(as: UInt8.self, repeating: 0, count: larger + Self.padding)
    new.copyMemory(from: base, byteCount: end)
    base.deallocate()
    base = new
    capacity = larger
  }
}

/// Walking into objects and arrays of which only some values are looked at.
extension JSONScanner {
  /// Passes the mark that some editors put before a text.
  mutating func skipByteOrderMark() throws(ScanFault) {
    var place = 0
    if try require(3, at: &place), rawWord(at: 0) & 0xFF_FFFF == 0xBF_BBEF { position = 3 }
  }

  /// The maximum length of a member's name that is reported.
  private static var longestName: Int { 512 }

  /// Passes a member's name and colon; an empty name for one that is too long to matter.
  mutating func passName() throws(ScanFault) -> String {
    guard try peek() == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
    anchor = position
    _ = try passString()
    let name = anchored[1..<(position - anchor - 1)]
    let text = name.count <= Self.longestName ? String(decoding: name, as: UTF8.self) : ""
    anchor = -1
    try passColon()
    return text
  }

  /// Passes the value that starts here; where it is an object, `body` passes each member's value.
  mutating func passMembers(
    _ body: (String, inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "{"), until: UInt8(ascii: "}")) else { return }
    repeat {
      let name = try passName()
      try body(name, &self)
    } while try goesOn(until: UInt8(ascii: "}"))
  }

  /// Passes the value that starts here, or each element where it is an array, by `body`.
  mutating func passOneOrMany(
    _ body: (inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    if try peek() == UInt8(ascii: "[") { try passElements(body) } else { try body(&self) }
  }

  /// Passes the value that starts here; where it is an array, `body` passes each element.
  mutating func passElements(
    _ body: (inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "["), until: UInt8(ascii: "]")) else { return }
    repeat { try body(&self) } while try goesOn(until: UInt8(ascii: "]"))
  }

  /// Passes the value that starts here, and gives what `body` makes of it.
  mutating func passView<Result>(_ body: (JSONView) -> Result) throws(ScanFault) -> Result {
    _ = try peek()
    anchor = position
    _ = try passValue()
    let value = anchored[..<(position - anchor)]
    defer { anchor = -1 }
    return body(JSONView(bytes: UnsafeRawBufferPointer(rebasing: value)))
  }

  /// Passes the value that starts here; where it is an array, gives its numbers and how many of its
  /// elements are none.
  mutating func passNumbers() throws(ScanFault) -> (values: [Double], otherCount: UInt64) {
    var values: [Double] = []
    var otherCount: UInt64 = 0
    try passElements { (scanner) throws(ScanFault) in
      if let value = try scanner.passView({ $0.double }) {
        values.append(value)
      } else {
        otherCount += 1
      }
    }
    return (values, otherCount)
  }

  /// Passes the value that starts here; where it is a text, gives its start, which is enough of a name.
  mutating func passText() throws(ScanFault) -> String? {
    try passView { $0.text }.map { String($0.prefix(256)) }
  }

  /// Passes the white space behind the last value; a fault where something else follows.
  mutating func passEnd() throws(ScanFault) {
    guard try peek() == 0, isAtEnd else { throw fault("text after the end") }
  }

  /// Goes to the first value of the container that starts here; `false`, and all of it passed, where
  /// it has none or there is no such container.
  private mutating func enters(_ opening: UInt8, until closing: UInt8) throws(ScanFault) -> Bool {
    guard try peek() == opening else {
      _ = try passValue()
      return false
    }
    position += 1
    guard try peek() != closing else {
      position += 1
      return false
    }
    outerDepth += 1
    return true
  }

  /// Passes what stands behind a value; whether another one comes.
  private mutating func goesOn(until closing: UInt8) throws(ScanFault) -> Bool {
    switch try peek() {
    case UInt8(ascii: ","): position += 1
    case closing:
      position += 1
      outerDepth -= 1
      return false
    default:
      let isObject = closing == UInt8(ascii: "}")
      throw fault(isObject ? "',' or '}' was expected" : "',' or ']' was expected")
    }
    return true
  }

  /// Counts what a fault lost; throws it where nothing had been read before.
  ///
  /// - Parameter kept: What was read before, or `nil` if that was nothing.
  func report(
    _ fault: ScanFault, keeping kept: String?, to builder: inout TraceBuilder
  ) throws(ImportError) {
    if fault.kind == .source, let failure { throw failure }
    guard let kept else {
      let what = fault.kind == .limit ? "is beyond the reader's limits" : "is no valid JSON"
      throw ImportError("\(what): \(fault.reason)", at: fault.offset)
    }
    builder.offset = fault.offset
    switch fault.kind {
    case .cutAtEnd:
      builder.countLoss(.cutAtEnd)
      builder.source.wasClosed = false
    case .limit: builder.countLoss(.limitReached)
    case .invalid, .source: builder.countLoss(.damagedBytes)
    }
    builder.addNotice(
      .source(
        "reading stopped at byte \(fault.offset): \(fault.reason); the \(kept) before are kept"))
  }
}
