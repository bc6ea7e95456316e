import ScrollTraceModel

/// Walks over JSON that arrives in blocks and checks it against RFC 8259.
///
/// No document is built: a caller receives the positions of values and reads the few it needs.
/// `position` is the scanner's position in the bytes in memory, `window`. Advancing can load more
/// bytes and move those in memory. Bytes at or after `anchor` are kept, and `position` and `anchor`
/// move along, so a position is stored as a distance from the anchor.
///
/// A block of zeros follows the bytes in memory. JSON contains no zero byte, so loops stop there
/// and need no bounds check for every byte.
package struct JSONScanner: ~Copyable {
  static let maximumDepth = 128

  /// The maximum number of bytes kept at a time: the largest string, or the largest anchored value.
  private static let maximumWindow = 1 << 26

  private static let padding = 64

  private let source: any ByteSource
  private(set) var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var end = 0
  private var startOffset: UInt64 = 0
  private var sourceHasEnded = false
  private var sourceError: ImportError?

  /// The tokens of some of the bytes in memory.
  var tokens = JSONTokens()

  var position = 0

  /// The position from which bytes are kept, or -1 for `position`.
  var anchor = -1

  /// The number of containers open around the scanned text.
  var outerDepth = 0

  /// Whether strings can contain literal line feeds and tabs, as some
  /// trace writers leave them; JSON itself does not allow it.
  var allowsLineFeeds = false

  /// Creates a scanner at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18) {
    self.source = source
    capacity = max(16, blockSize)
    base = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: capacity + Self.padding)
  }

  deinit { base.deallocate() }

  /// Restarts with a copy of `text` and nothing after it.
  mutating func restart(with text: UnsafeRawBufferPointer) {
    if text.count > capacity {
      base.deallocate()
      capacity = text.count
      base = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    }
    base.copyMemory(from: text.baseAddress ?? UnsafeRawPointer(base), byteCount: text.count)
    (base + text.count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    tokens.forget(movingBy: end)
    (position, end, startOffset) = (0, text.count, 0)
    (anchor, outerDepth, sourceHasEnded) = (-1, 0, true)
  }

  var window: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: end) }

  var anchored: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: window[max(0, anchor)..<end])
  }

  var offset: UInt64 { startOffset + UInt64(position) }

  /// Whether every byte of the source was passed.
  var isAtEnd: Bool { sourceHasEnded && position >= end }

  /// The source's error, if a fault has the kind `source`.
  var failure: ImportError? { sourceError }

  /// Returns the byte at `index`, loading more if necessary, or 0 at the end of the source.
  @inline(__always)
  mutating func byte(at index: inout Int) throws(ScanFault) -> UInt8 {
    let value = base.load(fromByteOffset: index, as: UInt8.self)
    if _fastPath(value != 0 || index < end) { return value }
    let shift = try load()
    guard shift >= 0 else { return 0 }
    index -= shift
    return base.load(fromByteOffset: index, as: UInt8.self)
  }

  /// Returns the byte at `index`, or 0 if it is not in memory.
  @inline(__always)
  func rawByte(at index: Int) -> UInt8 { base.load(fromByteOffset: index, as: UInt8.self) }

  /// Returns eight bytes at `index`, with zeros for those not in memory.
  @inline(__always)
  func rawWord(at index: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Returns whether `count` bytes from `index` on are in memory, after loading missing ones.
  mutating func require(_ count: Int, at index: inout Int) throws(ScanFault) -> Bool {
    while end - index < count {
      let shift = try load()
      guard shift >= 0 else { return false }
      index -= shift
    }
    return true
  }

  /// Returns the first byte that is not white space without consuming it, or 0 at the end of the
  /// source.
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

  /// Finds the tokens of the bytes in memory from `position` on, which is outside any string.
  @inline(never)
  mutating func findTokens() {
    tokens.find(in: window, from: position, count: JSONTokens.blockLength)
  }

  /// Finds more tokens from `position` on; returns whether there can be more.
  @inline(never)
  mutating func findMoreTokens() throws(ScanFault) -> Bool {
    if tokens.range.upperBound >= end, try load() < 0 { return false }
    // A large value can become far larger.
    let known = max(0, tokens.range.upperBound - position)
    let isAllKnown = tokens.range.lowerBound == position && known >= JSONTokens.maximumBlockLength
    guard !isAllKnown else { return false }
    let count = min(max(JSONTokens.blockLength, known * 8), JSONTokens.maximumBlockLength)
    tokens.find(in: window, from: position, count: count)
    return true
  }

  /// Returns a fault here: a truncation if the bytes end, otherwise `reason`.
  func fault(_ reason: String, at index: Int? = nil) -> ScanFault {
    let index = index ?? position
    let isCut = sourceHasEnded && index >= end
    return ScanFault(
      kind: isCut ? .cutAtEnd : .invalid, reason: isCut ? "the text ends in the middle" : reason,
      offset: startOffset + UInt64(index))
  }

  /// Returns a fault here because a limit was exceeded.
  func limitFault(_ reason: String) -> ScanFault {
    ScanFault(kind: .limit, reason: reason, offset: offset)
  }

  /// Loads more bytes and returns the distance by which those in memory moved to the front, or -1
  /// at the end.
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
    }
    tokens.forget(movingBy: shift)
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
    let new = UnsafeMutableRawPointer.allocate(byteCount: larger + Self.padding, alignment: 16)
    new.initializeMemory(as: UInt8.self, repeating: 0, count: larger + Self.padding)
    new.copyMemory(from: base, byteCount: end)
    base.deallocate()
    base = new
    capacity = larger
  }

  // MARK: - Values

  /// Passes the value that starts at the next byte that is not white space.
  @inline(__always)
  mutating func passValue() throws(ScanFault) -> JSONKind {
    switch try peek() {
    case UInt8(ascii: "\""): return try passString()
    case UInt8(ascii: "{"):
      try passContainer()
      return .object
    case UInt8(ascii: "["):
      try passContainer()
      return .array
    default: return try passScalar()
    }
  }

  @inline(__always)
  private mutating func passScalar() throws(ScanFault) -> JSONKind {
    switch rawByte(at: position) {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try passNumber()
      return .number
    case UInt8(ascii: "t"): try passLiteral("true")
    case UInt8(ascii: "f"): try passLiteral("false")
    case UInt8(ascii: "n"): try passLiteral("null")
    default: throw fault("a value was expected")
    }
    return .literal
  }

  /// Passes an object or array with its content, without recursion.
  @inline(never)
  private mutating func passContainer() throws(ScanFault) {
    // One bit for each open container, the innermost lowest: 1 for an object. The bits of the
    // containers around the innermost 64 are in `outer`.
    var (outer, open): (UInt64, UInt64) = (0, 0)
    var depth = 0
    let allowed = Self.maximumDepth - outerDepth
    while true {
      // At the start of a value.
      let first = try peek()
      if first == UInt8(ascii: "\"") {
        _ = try passString()
      } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        depth += 1
        guard depth <= allowed else {
          throw limitFault("values are nested deeper than \(Self.maximumDepth)")
        }
        position &+= 1
        let isObject = first == UInt8(ascii: "{")
        (outer, open) = (outer << 1 | open >> 63, open << 1 | (isObject ? 1 : 0))
        let next = try peek()
        if next != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try passKey() }
          continue
        }
        position &+= 1
        (outer, open) = (outer >> 1, outer << 63 | open >> 1)
        depth -= 1
      } else {
        _ = try passScalar()
      }
      // After a value.
      afterValue: while true {
        guard depth > 0 else { return }
        let isObject = open & 1 == 1
        switch try peek() {
        case UInt8(ascii: ","):
          position &+= 1
          if isObject { try passKey() }
          break afterValue
        case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
          position &+= 1
          (outer, open) = (outer >> 1, outer << 63 | open >> 1)
          depth -= 1
        default: throw fault(isObject ? "',' or '}' was expected" : "',' or ']' was expected")
        }
      }
    }
  }

  @inline(__always)
  private mutating func passKey() throws(ScanFault) {
    guard try peek() == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
    _ = try passString()
    try passColon()
  }

  @inline(__always)
  mutating func passColon() throws(ScanFault) {
    guard try peek() == UInt8(ascii: ":") else { throw fault("':' was expected") }
    position &+= 1
  }

  @inline(__always)
  private mutating func passNumber() throws(ScanFault) {
    var index = position
    if rawByte(at: index) == UInt8(ascii: "-") { index += 1 }
    if try byte(at: &index) == UInt8(ascii: "0") { index += 1 } else { try passDigits(at: &index) }
    if try byte(at: &index) == UInt8(ascii: ".") {
      index += 1
      try passDigits(at: &index)
    }
    if try byte(at: &index) | 0x20 == UInt8(ascii: "e") {
      index += 1
      let sign = try byte(at: &index)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
      try passDigits(at: &index)
    }
    position = index
  }

  @inline(__always)
  private mutating func passDigits(at index: inout Int) throws(ScanFault) {
    guard try byte(at: &index) &- 0x30 < 10 else { throw fault("a digit was expected", at: index) }
    repeat { index &+= 1 } while try byte(at: &index) &- 0x30 < 10
  }

  private mutating func passLiteral(_ text: StaticString) throws(ScanFault) {
    let count = text.utf8CodeUnitCount
    var index = position
    for letter in 0..<count {
      guard try byte(at: &index) == text.utf8Start[letter] else {
        throw fault("a value was expected", at: index)
      }
      index += 1
    }
    position = index
  }

  // MARK: - Strings

  /// Skips the string that starts here and returns whether it has escapes.
  @inline(__always)
  mutating func passString() throws(ScanFault) -> JSONKind {
    // Most strings of traces are short and plain; the word loop finds their end at once.
    var index = position &+ 1
    while true {
      let special = Self.specialBytes(in: rawWord(at: index))
      if special == 0 {
        index &+= 8
        continue
      }
      index &+= special.trailingZeroBitCount >> 3
      if _fastPath(rawByte(at: index) == 0x22) {
        position = index &+ 1
        return .plainString
      }
      return try passRestOfString(from: index)
    }
  }

  /// Passes the rest of a string, from the first byte that is not plain ASCII.
  @inline(never)
  private mutating func passRestOfString(from start: Int) throws(ScanFault) -> JSONKind {
    var index = start
    var kind = JSONKind.plainString
    while true {
      let special = Self.specialBytes(in: rawWord(at: index))
      if special == 0 {
        index += 8
        continue
      }
      index += special.trailingZeroBitCount >> 3
      let value = try byte(at: &index)
      switch value {
      case 0x22:
        position = index + 1
        return kind
      case 0x5C:
        kind = .escapedString
        try passEscape(at: &index)
      case 0x80...: try passMultibyteCharacter(value, at: &index)
      case 0x09 where allowsLineFeeds, 0x0A where allowsLineFeeds, 0x0D where allowsLineFeeds:
        index += 1
      case 0..<0x20: throw fault("a control character in a string", at: index)
      default:
        // More bytes were loaded.
        continue
      }
    }
  }

  /// Passes the string that starts here, however long it is, and hands each of its lines to `body`, with
  /// whether it is longer than `limit` bytes and was left out.
  mutating func passLines(
    limit: Int, _ body: (UnsafeRawBufferPointer, Bool) -> Void
  ) throws(ScanFault) {
    position += 1
    anchor = -1
    var line: [UInt8] = []
    var isTooLong = false
    func end(_ line: inout [UInt8], _ isTooLong: inout Bool) {
      line.withUnsafeBytes { body($0, isTooLong) }
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    while true {
      var index = position
      let value = try byte(at: &index)
      var isLineEnd = false
      switch value {
      case 0x22:
        position = index + 1
        return end(&line, &isTooLong)
      case 0x5C:
        try passEscape(at: &index)
        isLineEnd = rawByte(at: position + 1) == UInt8(ascii: "n")
      case 0x80...: try passMultibyteCharacter(value, at: &index)
      case 0x0A where allowsLineFeeds:
        index += 1
        isLineEnd = true
      case 0x09 where allowsLineFeeds, 0x0D where allowsLineFeeds: index += 1
      case 0..<0x20: throw fault("a control character in a string", at: index)
      default:
        while Self.specialBytes(in: rawWord(at: index)) == 0 { index += 8 }
        index += Self.specialBytes(in: rawWord(at: index)).trailingZeroBitCount >> 3
      }
      if isLineEnd {
        end(&line, &isTooLong)
      } else if line.count + index - position > limit {
        isTooLong = true
        line.removeAll(keepingCapacity: true)
      } else if !isTooLong {
        let part = UnsafeRawBufferPointer(rebasing: window[position..<index])
        if value == 0x5C { line += JSONText.unescape(part) } else { line += part }
      }
      position = index
    }
  }

  private mutating func passEscape(at index: inout Int) throws(ScanFault) {
    guard try require(2, at: &index) else { throw fault("an escape without an end", at: index + 2) }
    switch rawByte(at: index + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
    case UInt8(ascii: "u"):
      guard try require(6, at: &index) else {
        throw fault("an escape without an end", at: index + 6)
      }
      for distance in 2..<6 where JSONText.hexDigit(rawByte(at: index + distance)) == nil {
        throw fault("an escape without four hexadecimal digits", at: index)
      }
      index += 6
    default: throw fault("an unknown escape", at: index)
    }
  }

  private mutating func passMultibyteCharacter(
    _ first: UInt8, at index: inout Int
  ) throws(ScanFault) {
    let count = UTF8.lengthOfCharacter(startingWith: first) ?? 0
    guard try require(count, at: &index) else {
      throw fault("text that is not UTF-8", at: index + count)
    }
    guard count > 0, UTF8.lengthOfCharacter(in: window, at: index) != nil else {
      throw fault("text that is not UTF-8", at: index)
    }
    index += count
  }

  /// Returns a word whose lowest set bit is in the lowest byte that is a quote, a backslash, a
  /// control character or not ASCII, or 0 if there is none.
  @inline(__always)
  private static func specialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    // Borrows spoil only bytes above the lowest hit, and only the lowest is used.
    let hits =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- ones &* 0x20) & ~word) | word
    return hits & highs
  }

  // MARK: - Objects and arrays of which only some values are read

  /// Passes the byte order mark that some editors put before a text.
  mutating func skipByteOrderMark() throws(ScanFault) {
    var index = 0
    if try require(3, at: &index), rawWord(at: 0) & 0xFF_FFFF == 0xBF_BBEF { position = 3 }
  }

  /// The maximum length of a member's name that is reported.
  private static var longestName: Int { 512 }

  /// Passes a member's name and colon; returns an empty name for one that is too long to matter.
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

  /// Passes the value that starts here; if it is an object, `body` passes each member's value.
  mutating func passMembers(
    _ body: (String, inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "{"), until: UInt8(ascii: "}")) else { return }
    repeat {
      let name = try passName()
      try body(name, &self)
    } while try goesOn(until: UInt8(ascii: "}"))
  }

  /// Passes the value that starts here; if it is an array, `body` passes each element.
  mutating func passElements(
    _ body: (inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "["), until: UInt8(ascii: "]")) else { return }
    repeat { try body(&self) } while try goesOn(until: UInt8(ascii: "]"))
  }

  /// Passes the value that starts here and returns the result of `body`.
  mutating func passView<Result>(_ body: (JSONView) -> Result) throws(ScanFault) -> Result {
    _ = try peek()
    anchor = position
    _ = try passValue()
    let value = anchored[..<(position - anchor)]
    defer { anchor = -1 }
    return body(JSONView(bytes: UnsafeRawBufferPointer(rebasing: value)))
  }

  /// Passes the white space after the last value; throws a fault if anything else follows.
  mutating func passEnd(_ reason: String = "text after the end") throws(ScanFault) {
    guard try peek() == 0, isAtEnd else { throw fault(reason) }
  }

  /// Advances to the first value of the container that starts here; otherwise passes the value and
  /// returns `false` if it is empty or another type.
  mutating func enters(_ opening: UInt8, until closing: UInt8) throws(ScanFault) -> Bool {
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

  /// Passes the separator after a value; returns whether another one follows.
  @inline(__always)
  mutating func goesOn(until closing: UInt8) throws(ScanFault) -> Bool {
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

  /// Counts the loss caused by a fault, or throws it if nothing was read before.
  ///
  /// - Parameter kept: The parts that were read before, or `nil` if there are none.
  func report(
    _ fault: ScanFault, keeping kept: String?, to builder: inout TraceBuilder
  ) throws(ImportError) {
    if fault.kind == .source, let failure { throw failure }
    guard let kept else {
      let what = fault.kind == .limit ? "is beyond the reader's limits" : "is not valid JSON"
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
      "reading stopped at byte \(fault.offset): \(fault.reason); the \(kept) before are kept")
  }
}
