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
    case finish
  }

  static let maximumDepth = 128

  /// The maximum number of bytes in the name of an element or attribute.
  static let maximumNameLength = 256

  private static let maximumAttributeCount = 64

  /// The maximum number of bytes in one text, and in all attributes of an element.
  static let maximumTextLength = 1 << 20

  private var input: XMLInput

  /// The current tag or text, valid until the next one: in the block, or in `bytes` if it was
  /// assembled.
  private(set) var view = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The positions of the current tag's attributes in `view`.
  private(set) var attributes: [XMLAttribute] = []

  /// The tag or text under construction.
  private var bytes = XMLBytes()

  private var openNames = XMLBytes()
  private var openStarts: [Int] = []
  private var endsAtOnce = false

  private(set) var tokenOffset: UInt64 = 0

  /// Creates a scanner at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18) {
    input = XMLInput(source, blockSize: blockSize)
  }

  /// The source's error, if a fault has the kind `source`.
  var failure: ImportError? { input.failure }

  var depth: Int { openStarts.count }

  var offset: UInt64 { input.offset }

  /// Returns a fault here because a limit was exceeded.
  func limitFault(_ reason: String) -> ScanFault { input.limitFault(reason) }

  mutating func next() throws(ScanFault) -> Token {
    tokenOffset = offset
    if endsAtOnce {
      endsAtOnce = false
      closeElement()
      return .end
    }
    bytes.cut(to: 0)
    while try input.require(1) {
      tokenOffset = offset
      if tokenOffset == 0 { try checkByteOrderMark() }
      guard input.byte == UInt8(ascii: "<") else {
        if depth > 0, passPlainText() { return .text }
        try readText()
        if depth > 0 { return .text }
        try checkOutsideText()
        continue
      }
      guard try input.require(2) else { throw input.fault("") }
      switch input.byte(1) {
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
    if depth > 0 { throw input.fault("") }
    return .finish
  }

  // MARK: - Elements

  @inline(__always)
  private mutating func openElement(endsAtOnce: Bool) throws(ScanFault) {
    guard depth < Self.maximumDepth else {
      throw input.limitFault("elements are nested more than \(Self.maximumDepth) deep")
    }
    openStarts.append(openNames.count)
    // An element that ends at once has no end tag to compare its name with.
    if !endsAtOnce { openNames.append(name) }
    self.endsAtOnce = endsAtOnce
  }

  @inline(__always)
  private mutating func closeElement() {
    guard let start = openStarts.popLast() else { return }
    openNames.cut(to: start)
  }

  /// The name of the innermost open element.
  private var openName: UnsafeRawBufferPointer {
    openNames[(openStarts.last ?? openNames.count)..<openNames.count]
  }

  // MARK: - Tags

  @inline(__always)
  func isNamed(_ text: StaticString) -> Bool { name.hasBytes(of: text) }

  @inline(__always)
  func attribute(_ name: StaticString) -> UnsafeRawBufferPointer? {
    for attribute in attributes where attribute.name.count == name.utf8CodeUnitCount {
      let known = UnsafeRawBufferPointer(rebasing: view[attribute.name])
      guard known.hasPrefix(name) else { continue }
      return UnsafeRawBufferPointer(rebasing: view[attribute.value])
    }
    return nil
  }

  /// Reads `<name attribute="value">` or `<name/>`.
  @inline(never)
  private mutating func readBeginTag() throws(ScanFault) {
    input.pass(1)
    attributes.removeAll(keepingCapacity: true)
    let length = try readName()
    while true {
      let hasSpace = try input.passSpace()
      guard try input.require(1) else { throw input.fault("") }
      switch input.byte {
      case UInt8(ascii: ">"):
        input.pass(1)
        return try openElement(length, endsAtOnce: false)
      case UInt8(ascii: "/"):
        guard try input.require(2) else { throw input.fault("") }
        input.pass(1)
        guard input.byte == UInt8(ascii: ">") else {
          throw input.fault("'>' was expected after '/'")
        }
        input.pass(1)
        return try openElement(length, endsAtOnce: true)
      default:
        guard hasSpace else { throw input.fault("white space was expected before an attribute") }
        try readAttribute()
      }
    }
  }

  /// Opens the element whose name is the first `length` bytes of `bytes`.
  private mutating func openElement(_ length: Int, endsAtOnce: Bool) throws(ScanFault) {
    view = bytes.all
    name = bytes[0..<length]
    try openElement(endsAtOnce: endsAtOnce)
  }

  /// Reads `</name>`, which must match the open element.
  @inline(never)
  private mutating func readEndTag() throws(ScanFault) {
    input.pass(2)
    _ = try readName()
    guard depth > 0, openName.elementsEqual(bytes.all) else {
      throw input.fault("an end tag has no start tag")
    }
    _ = try input.passSpace()
    guard try input.require(1) else { throw input.fault("") }
    guard input.byte == UInt8(ascii: ">") else {
      throw input.fault("'>' was expected in an end tag")
    }
    input.pass(1)
    closeElement()
  }

  private mutating func readAttribute() throws(ScanFault) {
    guard attributes.count < Self.maximumAttributeCount else {
      throw input.limitFault("an element has more than \(Self.maximumAttributeCount) attributes")
    }
    let start = bytes.count
    let name = start..<(start + (try readName()))
    for known in attributes where bytes[known.name].elementsEqual(bytes[name]) {
      throw input.fault("an element has a repeated attribute")
    }
    _ = try input.passSpace()
    guard try input.require(1) else { throw input.fault("") }
    guard input.byte == UInt8(ascii: "=") else {
      throw input.fault("'=' was expected after an attribute")
    }
    input.pass(1)
    _ = try input.passSpace()
    guard try input.require(1) else { throw input.fault("") }
    let quote = input.byte
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw input.fault("an attribute's value was expected in quotes")
    }
    input.pass(1)
    try readCharacters(until: quote)
    guard try input.require(1) else { throw input.fault("") }
    guard input.byte == quote else { throw input.fault("'<' in an attribute") }
    input.pass(1)
    attributes.append(XMLAttribute(name: name, value: name.upperBound..<bytes.count))
  }

  /// Appends a name to `bytes` and returns its length.
  private mutating func readName() throws(ScanFault) -> Int {
    let start = bytes.count
    while try input.require(1), XMLCharacters.isInNames(input.byte, first: bytes.count == start) {
      guard bytes.count - start < Self.maximumNameLength else {
        throw input.limitFault("a name is longer than \(Self.maximumNameLength) bytes")
      }
      if input.byte < 0x80 {
        bytes.append(input.byte)
        input.pass(1)
      } else {
        try readMultibyteCharacter()
      }
    }
    guard bytes.count > start else { throw input.fault("a name was expected") }
    return bytes.count - start
  }

  // MARK: - Plain tags and texts

  // Those that lie completely in the block and have no references, nearly all, are not copied.
  // Anything else is read byte by byte from its start, which also reports its faults.

  /// Reads `<name attribute="value">` or `<name/>`; returns `false` if it is not plain.
  @inline(__always)
  private mutating func passPlainBeginTag() throws(ScanFault) -> Bool {
    let bytes = input.rest
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    var index = XMLCharacters.endOfName(in: bytes, from: 1)
    let name = 1..<index
    guard Self.isName(name) else { return false }
    while index &+ 1 < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"):
        input.pass(index &+ 1)
        view = UnsafeRawBufferPointer(rebasing: bytes[..<index])
        self.name = UnsafeRawBufferPointer(rebasing: bytes[name])
        try openElement(endsAtOnce: false)
        return true
      case UInt8(ascii: "/") where bytes[index &+ 1] == UInt8(ascii: ">"):
        input.pass(index &+ 2)
        view = UnsafeRawBufferPointer(rebasing: bytes[..<index])
        self.name = UnsafeRawBufferPointer(rebasing: bytes[name])
        try openElement(endsAtOnce: true)
        return true
      case 0x20:
        guard let attribute = plainAttribute(in: bytes, at: index &+ 1) else { return false }
        attributes.append(attribute)
        index = attribute.value.upperBound &+ 1
      default: return false
      }
    }
    return false
  }

  /// Returns the attribute that starts at `start`, or `nil` if it is not plain, or is repeated.
  @inline(__always)
  private func plainAttribute(
    in bytes: UnsafeRawBufferPointer, at start: Int
  ) -> XMLAttribute? {
    let end = XMLCharacters.endOfName(in: bytes, from: start)
    guard Self.isName(start..<end), end &+ 1 < bytes.count, bytes[end] == UInt8(ascii: "="),
      attributes.count < Self.maximumAttributeCount
    else { return nil }
    let quote = bytes[end &+ 1]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    let first = end &+ 2
    let last = XMLCharacters.endOfText(in: bytes, from: first, stop: quote)
    guard last < bytes.count, bytes[last] == quote else { return nil }
    let name = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    for known in attributes {
      if UnsafeRawBufferPointer(rebasing: bytes[known.name]).hasSameBytes(as: name) { return nil }
    }
    return XMLAttribute(name: start..<end, value: first..<last)
  }

  /// Reads `</name>`; returns `false` if it is not plain, or does not match the open element.
  @inline(__always)
  private mutating func passPlainEndTag() -> Bool {
    let (bytes, open) = (input.rest, openName)
    let end = open.count &+ 2
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"), depth > 0 else { return false }
    guard UnsafeRawBufferPointer(rebasing: bytes[2..<end]).hasSameBytes(as: open) else {
      return false
    }
    input.pass(end &+ 1)
    closeElement()
    return true
  }

  /// Reads text up to the next tag; returns `false` if it is not plain.
  @inline(__always)
  private mutating func passPlainText() -> Bool {
    let bytes = input.rest
    let end = XMLCharacters.endOfText(in: bytes, from: 0, stop: UInt8(ascii: "<"))
    guard end < bytes.count, bytes[end] == UInt8(ascii: "<") else { return false }
    view = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    input.pass(end)
    return true
  }

  private static func isName(_ range: Range<Int>) -> Bool {
    (1...maximumNameLength).contains(range.count)
  }

  // MARK: - Texts

  var text: UnsafeRawBufferPointer { view }

  /// Appends text up to the next tag to `bytes`.
  @inline(never)
  private mutating func readText() throws(ScanFault) {
    try readCharacters(until: UInt8(ascii: "<"))
    view = bytes.all
  }

  /// Rejects anything but white space outside the root element.
  private mutating func checkOutsideText() throws(ScanFault) {
    let isMark = tokenOffset == 0 && bytes.all.starts(with: [0xEF, 0xBB, 0xBF])
    for byte in bytes.all.dropFirst(isMark ? 3 : 0) where !byte.isXMLSpace {
      throw ScanFault(kind: .invalid, reason: "text outside the root element", offset: tokenOffset)
    }
    bytes.cut(to: 0)
  }

  /// Appends characters to `bytes` up to but not including `stop` or '<', with references resolved.
  private mutating func readCharacters(until stop: UInt8) throws(ScanFault) {
    while try input.require(1) {
      let rest = input.rest
      var count = 0
      while count < rest.count, XMLCharacters.isPlain(rest[count], stop) { count += 1 }
      if count > 0 {
        try append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
        input.pass(count)
        continue
      }
      switch input.byte {
      case stop, UInt8(ascii: "<"): return
      case UInt8(ascii: "&"): try readReference()
      case 0x80...: try readMultibyteCharacter()
      default: throw input.fault("a control character")
      }
    }
  }

  private mutating func append(_ more: UnsafeRawBufferPointer) throws(ScanFault) {
    guard bytes.count + more.count <= Self.maximumTextLength else {
      throw input.limitFault("a text is longer than \(Self.maximumTextLength) bytes")
    }
    bytes.append(more)
  }

  /// Appends the character that starts here, checked as UTF-8.
  private mutating func readMultibyteCharacter() throws(ScanFault) {
    guard let wanted = UTF8.lengthOfCharacter(startingWith: input.byte) else {
      throw input.fault("text that is not UTF-8")
    }
    guard try input.require(wanted) else { throw input.fault("") }
    guard let count = UTF8.lengthOfCharacter(in: input.rest, at: 0) else {
      throw input.fault("text that is not UTF-8")
    }
    try append(UnsafeRawBufferPointer(rebasing: input.rest[..<count]))
    input.pass(count)
  }

  /// Appends the value of `&amp;`, `&#10;` or `&#xA;`; other entities would need a definition.
  private mutating func readReference() throws(ScanFault) {
    let longest = 12
    var length = 1
    while true {
      guard try input.require(length + 1) else { throw input.fault("") }
      if input.byte(length) == UInt8(ascii: ";") { break }
      length += 1
      guard length < longest else { throw input.fault("'&' without an entity that XML defines") }
    }
    let name = String(decoding: input.rest[1..<length], as: UTF8.self)
    guard let scalar = XMLCharacters.scalar(of: name) else {
      throw input.fault("'&' without an entity that XML defines")
    }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { bytes.append(unit) }
    input.pass(length + 1)
    guard bytes.count <= Self.maximumTextLength else {
      throw input.limitFault("a text is longer than \(Self.maximumTextLength) bytes")
    }
  }

  // MARK: - Declarations

  /// Passes a comment, or reads a CDATA section, which is text; returns whether it was text.
  private mutating func readDeclaration() throws(ScanFault) -> Bool {
    if try input.starts(with: "<!--") {
      input.pass(4)
      try input.passOver(until: "-->")
      return false
    }
    if try input.starts(with: "<![CDATA[") {
      guard depth > 0 else { throw input.fault("text outside the root element") }
      input.pass(9)
      try readSection()
      return true
    }
    if try input.starts(with: "<!DOCTYPE") {
      throw input.fault("a document type definition (DOCTYPE) is not supported")
    }
    guard try input.require(9) else { throw input.fault("") }
    throw input.fault(
      "a declaration that XML has only in a document type definition, or not at all")
  }

  /// Passes `<?target …?>`; the encoding of an XML declaration is checked.
  private mutating func passInstruction() throws(ScanFault) {
    input.pass(2)
    bytes.cut(to: 0)
    let isDeclaration = try input.starts(with: "xml ")
    guard isDeclaration else { return try input.passOver(until: "?>") }
    guard depth == 0 else { throw input.fault("an XML declaration inside an element") }
    while try !input.starts(with: "?>") {
      guard try input.require(1) else { throw input.fault("") }
      guard bytes.count < Self.maximumNameLength else {
        throw input.limitFault("the XML declaration is longer than \(Self.maximumNameLength) bytes")
      }
      bytes.append(input.byte)
      input.pass(1)
    }
    input.pass(2)
    try checkEncoding()
    bytes.cut(to: 0)
  }

  /// Rejects UTF-16, which its first two bytes identify.
  private mutating func checkByteOrderMark() throws(ScanFault) {
    guard try input.require(2) else { return }
    let mark = (input.byte, input.byte(1))
    guard mark == (0xFF, 0xFE) || mark == (0xFE, 0xFF) else { return }
    throw input.fault("the encoding 'UTF-16' is not supported, only UTF-8")
  }

  /// Rejects unsupported encodings.
  private func checkEncoding() throws(ScanFault) {
    let text = String(decoding: bytes.all, as: UTF8.self)
    let words = text.split { " \t\r\n=\"'".contains($0) }
    guard let index = words.firstIndex(of: "encoding"), index + 1 < words.count else { return }
    let name = words[index + 1]
    guard !["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) else { return }
    let shown = String(
      name.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 }.map(Character.init))
    throw ScanFault(
      kind: .invalid, reason: "the encoding '\(shown)' is not supported, only UTF-8",
      offset: tokenOffset)
  }

  /// Appends the text of a CDATA section to `bytes`.
  private mutating func readSection() throws(ScanFault) {
    while try !input.starts(with: "]]>") {
      guard try input.require(1) else { throw input.fault("") }
      if input.byte >= 0x80 {
        try readMultibyteCharacter()
        continue
      }
      guard input.byte >= 0x20 || [0x09, 0x0A, 0x0D].contains(input.byte) else {
        throw input.fault("a control character")
      }
      guard bytes.count < Self.maximumTextLength else {
        throw input.limitFault("a text is longer than \(Self.maximumTextLength) bytes")
      }
      bytes.append(input.byte)
      input.pass(1)
    }
    input.pass(3)
    view = bytes.all
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
private struct XMLBytes: ~Copyable {
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
