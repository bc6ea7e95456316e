extension XMLScanner {
  /// Whether the tag that was read last is called `text`.
  @inline(__always)
  func isNamed(_ text: StaticString) -> Bool { name.hasBytes(of: text) }

  /// The value of the attribute `name` of the tag that was read last.
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
  mutating func readBeginTag() throws(ScanFault) {
    pass(1)
    attributes.removeAll(keepingCapacity: true)
    let length = try readName()
    while true {
      let hasSpace = try passSpace()
      guard try require(1) else { throw fault("") }
      switch byte {
      case UInt8(ascii: ">"):
        pass(1)
        return try openElement(length, endsAtOnce: false)
      case UInt8(ascii: "/"):
        guard try require(2) else { throw fault("") }
        pass(1)
        guard byte == UInt8(ascii: ">") else { throw fault("'>' was expected behind '/'") }
        pass(1)
        return try openElement(length, endsAtOnce: true)
      default:
        guard hasSpace else { throw fault("white space was expected before an attribute") }
        try readAttribute()
      }
    }
  }

  /// Opens the element whose name is the first `length` of `bytes`.
  private mutating func openElement(_ length: Int, endsAtOnce: Bool) throws(ScanFault) {
    view = bytes.all
    name = bytes[0..<length]
    try openElement(endsAtOnce: endsAtOnce)
  }

  /// Reads `</name>`, which must close what is open.
  @inline(never)
  mutating func readEndTag() throws(ScanFault) {
    pass(2)
    _ = try readName()
    guard depth > 0, openName.elementsEqual(bytes.all) else {
      throw fault("an end tag closes what is not open")
    }
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

  @inline(__always)
  static func isInNames(_ byte: UInt8, first: Bool) -> Bool {
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
    while try require(1), byte.isXMLSpace {
      pass(1)
      hasSpace = true
    }
    return hasSpace
  }
}

extension UInt8 {
  /// Whether this is white space in XML.
  @inline(__always)
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
