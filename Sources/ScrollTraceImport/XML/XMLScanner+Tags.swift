extension XMLScanner {
  /// The name of the tag that was read last.
  var name: ArraySlice<UInt8> { bytes[..<nameLength] }

  /// Whether the tag that was read last is called `text`.
  func isNamed(_ text: StaticString) -> Bool { bytes[..<nameLength].matches(text) }

  /// The value of the attribute `name` of the tag that was read last.
  func attribute(_ name: StaticString) -> ArraySlice<UInt8>? {
    for attribute in attributes where bytes[attribute.name].matches(name) {
      return bytes[attribute.value]
    }
    return nil
  }

  /// Reads `<name attribute="value">` or `<name/>`.
  mutating func readBeginTag() throws(ScanFault) {
    pass(1)
    attributes.removeAll(keepingCapacity: true)
    nameLength = try readName()
    while true {
      let hasSpace = try passSpace()
      guard try require(1) else { throw fault("") }
      switch byte {
      case UInt8(ascii: ">"):
        pass(1)
        return try openElement(endsAtOnce: false)
      case UInt8(ascii: "/"):
        guard try require(2) else { throw fault("") }
        pass(1)
        guard byte == UInt8(ascii: ">") else { throw fault("'>' was expected behind '/'") }
        pass(1)
        return try openElement(endsAtOnce: true)
      default:
        guard hasSpace else { throw fault("white space was expected before an attribute") }
        try readAttribute()
      }
    }
  }

  /// Reads `</name>`, which must close what is open.
  mutating func readEndTag() throws(ScanFault) {
    pass(2)
    nameLength = try readName()
    guard closesOpenElement else { throw fault("an end tag closes what is not open") }
    _ = try passSpace()
    guard try require(1) else { throw fault("") }
    guard byte == UInt8(ascii: ">") else { throw fault("'>' was expected in an end tag") }
    pass(1)
    closeElement()
  }

  private mutating func readAttribute() throws(ScanFault) {
    guard attributes.count < Self.maximumAttributeCount else {
      throw limitFault("an element has more than \(Self.maximumAttributeCount) attributes")
    }
    let start = bytes.count
    let name = start..<(start + (try readName()))
    for known in attributes where bytes[known.name].elementsEqual(bytes[name]) {
      throw fault("an element has an attribute twice")
    }
    _ = try passSpace()
    guard try require(1) else { throw fault("") }
    guard byte == UInt8(ascii: "=") else { throw fault("'=' was expected behind an attribute") }
    pass(1)
    _ = try passSpace()
    guard try require(1) else { throw fault("") }
    let quote = byte
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("an attribute's value was expected in quotes")
    }
    pass(1)
    try readCharacters(until: quote)
    guard try require(1) else { throw fault("") }
    guard byte == quote else { throw fault("'<' in an attribute") }
    pass(1)
    attributes.append(XMLAttribute(name: name, value: name.upperBound..<bytes.count))
  }

  /// Appends a name to `bytes`, and gives its length.
  private mutating func readName() throws(ScanFault) -> Int {
    let start = bytes.count
    while try require(1), Self.isInNames(byte, first: bytes.count == start) {
      guard bytes.count - start < Self.maximumNameLength else {
        throw limitFault("a name is longer than \(Self.maximumNameLength) bytes")
      }
      if byte < 0x80 {
        bytes.append(byte)
        pass(1)
      } else {
        try readMultibyteCharacter()
      }
    }
    guard bytes.count > start else { throw fault("a name was expected") }
    return bytes.count - start
  }

  private static func isInNames(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
    default: false
    }
  }

  /// Passes white space, and tells whether there was any.
  mutating func passSpace() throws(ScanFault) -> Bool {
    var hasSpace = false
    while try require(1), [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      pass(1)
      hasSpace = true
    }
    return hasSpace
  }
}

extension ArraySlice<UInt8> {
  /// Whether these are the bytes of `text`.
  func matches(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
