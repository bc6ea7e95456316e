/// Returns the elements and texts of XML one after another as they arrive in blocks.
///
/// No document is built and nothing is recursive: memory is bounded by the limits below, whatever
/// the bytes are. Entity definitions, with which a small document becomes a huge one or reads other
/// files, are rejected together with all of `DOCTYPE`. Several concatenated documents are read as
/// one, so that exports can be joined with `cat`.
struct XMLScanner: ~Copyable {
  enum Token {
    /// The start of an element: `name` and its attributes.
    case start
    /// The end of the innermost open element.
    case end
    /// A segment of text in an element: `text`. Comments and sections split texts.
    case text
    /// The end of the source.
    case finish
  }

  /// The maximum nesting depth.
  static let maximumDepth = 128

  /// The maximum number of bytes in the name of an element or attribute.
  static let maximumNameLength = 256

  /// The maximum number of attributes of an element.
  static let maximumAttributeCount = 64

  /// The maximum number of bytes in one text, and in all attributes of an element.
  static let maximumTextLength = 1 << 20

  private let source: any ByteSource
  private let block: UnsafeMutableRawBufferPointer
  private var place = 0
  private var end = 0
  private var blockOffset: UInt64 = 0
  private var sourceHasEnded = false

  /// The source's error, if a fault has the kind `source`.
  private(set) var failure: ImportError?

  /// The current tag or text, valid until the next one: in the block, or in `bytes` if it was
  /// assembled.
  var view = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The name of the current tag.
  var name = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The positions of the current tag's attributes in `view`.
  var attributes: [XMLAttribute] = []

  /// The tag or text under construction.
  var bytes = XMLBytes()

  private var openNames = XMLBytes()
  private var openStarts: [Int] = []
  private var endsAtOnce = false

  /// The offset of the current token.
  private(set) var tokenOffset: UInt64 = 0

  /// Creates a scanner at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18) {
    self.source = source
    block = .allocate(byteCount: max(16, blockSize), alignment: 16)
  }

  deinit { block.deallocate() }

  /// The number of open elements.
  var depth: Int { openStarts.count }

  /// The scanner's offset in the source.
  var offset: UInt64 { blockOffset + UInt64(place) }

  /// Returns the next token.
  mutating func next() throws(ScanFault) -> Token {
    tokenOffset = offset
    if endsAtOnce {
      endsAtOnce = false
      closeElement()
      return .end
    }
    bytes.cut(to: 0)
    while try require(1) {
      tokenOffset = offset
      if tokenOffset == 0 { try checkByteOrderMark() }
      guard byte == UInt8(ascii: "<") else {
        if depth > 0, passPlainText() { return .text }
        try readText()
        if depth > 0 { return .text }
        try checkOutsideText()
        continue
      }
      guard try require(2) else { throw fault("") }
      switch byte(1) {
      case UInt8(ascii: "?"): try passInstruction()
      case UInt8(ascii: "!"):
        if try readDeclaration() { return .text }
      case UInt8(ascii: "/"):
        if !passPlainEndTag() { try readEndTag() }
        return .end
      default:
        if try !passPlainBeginTag() { try readBeginTag() }
        return .start
      }
    }
    if depth > 0 { throw fault("") }
    return .finish
  }

  // MARK: - Elements

  @inline(__always)
  mutating func openElement(endsAtOnce: Bool) throws(ScanFault) {
    guard depth < Self.maximumDepth else {
      throw limitFault("elements are nested more than \(Self.maximumDepth) deep")
    }
    openStarts.append(openNames.count)
    // An element that ends at once has no end tag to compare its name with.
    if !endsAtOnce { openNames.append(name) }
    self.endsAtOnce = endsAtOnce
  }

  /// Closes the innermost open element.
  @inline(__always)
  mutating func closeElement() {
    guard let start = openStarts.popLast() else { return }
    openNames.cut(to: start)
  }

  /// The name of the innermost open element.
  var openName: UnsafeRawBufferPointer {
    openNames[(openStarts.last ?? openNames.count)..<openNames.count]
  }

  // MARK: - Bytes

  /// The next byte. Call `require` first.
  var byte: UInt8 { block[place] }

  /// Returns the byte at a distance from the next one. Call `require` first.
  func byte(_ distance: Int) -> UInt8 { block[place + distance] }

  /// Passes bytes in memory.
  mutating func pass(_ count: Int) { place += count }

  /// The bytes in memory that were not passed.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[place..<end]) }

  /// Returns whether `count` bytes, at most 16, are in memory, after loading missing ones.
  @inline(__always)
  mutating func require(_ count: Int) throws(ScanFault) -> Bool {
    if _fastPath(end &- place >= count) { return true }
    return try load(count)
  }

  @inline(never)
  private mutating func load(_ count: Int) throws(ScanFault) -> Bool {
    if place > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[place..<end]))
      blockOffset += UInt64(place)
      end -= place
      place = 0
    }
    while end < count, !sourceHasEnded {
      do throws(ImportError) {
        let room = block.count - end
        let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...]))
        sourceHasEnded = got <= 0
        end += max(0, min(got, room))
      } catch {
        failure = error
        throw ScanFault(kind: .source, reason: error.reason, offset: offset)
      }
    }
    return end >= count
  }

  // MARK: - Faults

  /// Returns a fault here: a truncation if the bytes end, otherwise `reason`.
  func fault(_ reason: String) -> ScanFault {
    let isCut = sourceHasEnded && (place >= end || reason.isEmpty)
    return ScanFault(
      kind: isCut ? .cutAtEnd : .invalid, reason: isCut ? "the text ends in the middle" : reason,
      offset: offset)
  }

  /// Returns a fault here because a limit was exceeded.
  func limitFault(_ reason: String) -> ScanFault {
    ScanFault(kind: .limit, reason: reason, offset: offset)
  }
}

extension XMLScanner {
  /// Passes a comment, or reads a CDATA section, which is text; returns whether it was text.
  mutating func readDeclaration() throws(ScanFault) -> Bool {
    if try starts(with: "<!--") {
      pass(4)
      try passOver(until: "-->")
      return false
    }
    if try starts(with: "<![CDATA[") {
      guard depth > 0 else { throw fault("text outside the root element") }
      pass(9)
      try readSection()
      return true
    }
    if try starts(with: "<!DOCTYPE") {
      throw fault("a document type definition (DOCTYPE) is not supported")
    }
    guard try require(9) else { throw fault("") }
    throw fault("a declaration that XML has only in a document type definition, or not at all")
  }

  /// Passes `<?target …?>`; the encoding of an XML declaration is checked.
  mutating func passInstruction() throws(ScanFault) {
    pass(2)
    bytes.cut(to: 0)
    let isDeclaration = try starts(with: "xml ")
    guard isDeclaration else { return try passOver(until: "?>") }
    guard depth == 0 else { throw fault("an XML declaration inside an element") }
    while try !starts(with: "?>") {
      guard try require(1) else { throw fault("") }
      guard bytes.count < Self.maximumNameLength else {
        throw limitFault("the XML declaration is longer than \(Self.maximumNameLength) bytes")
      }
      bytes.append(byte)
      pass(1)
    }
    pass(2)
    try checkEncoding()
    bytes.cut(to: 0)
  }

  /// Rejects UTF-16, which its first two bytes identify.
  mutating func checkByteOrderMark() throws(ScanFault) {
    guard try require(2), (byte, byte(1)) == (0xFF, 0xFE) || (byte, byte(1)) == (0xFE, 0xFF) else {
      return
    }
    throw fault("the encoding 'UTF-16' is not supported, only UTF-8")
  }

  /// Rejects unsupported encodings.
  private func checkEncoding() throws(ScanFault) {
    let text = String(decoding: bytes.all, as: UTF8.self)
    let words = text.split { " \t\r\n=\"'".contains($0) }
    guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else { return }
    let name = words[place + 1]
    guard !["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) else { return }
    let shown = String(
      name.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 }.map(Character.init))
    throw ScanFault(
      kind: .invalid, reason: "the encoding '\(shown)' is not supported, only UTF-8",
      offset: tokenOffset)
  }

  /// Appends the text of a CDATA section to `bytes`.
  private mutating func readSection() throws(ScanFault) {
    while try !starts(with: "]]>") {
      guard try require(1) else { throw fault("") }
      if byte >= 0x80 {
        try readMultibyteCharacter()
        continue
      }
      guard byte >= 0x20 || [0x09, 0x0A, 0x0D].contains(byte) else {
        throw fault("a control character")
      }
      guard bytes.count < Self.maximumTextLength else {
        throw limitFault("a text is longer than \(Self.maximumTextLength) bytes")
      }
      bytes.append(byte)
      pass(1)
    }
    pass(3)
    view = bytes.all
  }

  private mutating func passOver(until mark: StaticString) throws(ScanFault) {
    while try !starts(with: mark) {
      guard try require(1) else { throw fault("") }
      pass(1)
    }
    pass(mark.utf8CodeUnitCount)
  }

  /// Returns whether the next bytes are those of `text`.
  private mutating func starts(with text: StaticString) throws(ScanFault) -> Bool {
    guard try require(1), byte == text.utf8Start[0], try require(text.utf8CodeUnitCount) else {
      return false
    }
    for index in 1..<text.utf8CodeUnitCount where byte(index) != text.utf8Start[index] {
      return false
    }
    return true
  }
}

/// The positions of an attribute's name and value in the bytes of its tag.
struct XMLAttribute {
  let name: Range<Int>
  let value: Range<Int>
}

/// Bytes that are assembled from segments, for text that is not contiguous in a file.
///
/// Views of them are valid until they change.
struct XMLBytes: ~Copyable {
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)

  private(set) var count = 0

  deinit { buffer.deallocate() }

  var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  /// Returns the bytes in `range`, which must be in bounds.
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: all[range])
  }

  mutating func append(_ byte: UInt8) {
    makeRoom(1)
    buffer[count] = byte
    count += 1
  }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    makeRoom(more.count)
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: more)
    count += more.count
  }

  /// Truncates the bytes to the first `kept`.
  mutating func cut(to kept: Int) { count = min(count, max(0, kept)) }

  private mutating func makeRoom(_ added: Int) {
    guard buffer.count - count < added else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(buffer.count * 2, count + added), alignment: 16)
    larger.copyMemory(from: all)
    buffer.deallocate()
    buffer = larger
  }
}
