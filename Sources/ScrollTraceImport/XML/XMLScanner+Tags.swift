extension XMLScanner {
  /// Returns whether the current tag is named `text`.
  @inline(__always)
  func isNamed(_ text: StaticString) -> Bool { name.hasBytes(of: text) }

  /// Returns the value of the attribute `name` of the current tag.
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
        guard byte == UInt8(ascii: ">") else { throw fault("'>' was expected after '/'") }
        pass(1)
        return try openElement(length, endsAtOnce: true)
      default:
        guard hasSpace else { throw fault("white space was expected before an attribute") }
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
  mutating func readEndTag() throws(ScanFault) {
    pass(2)
    _ = try readName()
    guard depth > 0, openName.elementsEqual(bytes.all) else {
      throw fault("an end tag has no start tag")
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
      throw fault("an element has a repeated attribute")
    }
    _ = try passSpace()
    guard try require(1) else { throw fault("") }
    guard byte == UInt8(ascii: "=") else { throw fault("'=' was expected after an attribute") }
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

  /// Appends a name to `bytes` and returns its length.
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

  /// Skips white space and returns whether there was any.
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
  /// A Boolean value indicating whether this is white space in XML.
  @inline(__always)
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}

extension XMLScanner {
  /// The current text.
  var text: UnsafeRawBufferPointer { view }

  /// Appends text up to the next tag to `bytes`.
  @inline(never)
  mutating func readText() throws(ScanFault) {
    try readCharacters(until: UInt8(ascii: "<"))
    view = bytes.all
  }

  /// Rejects anything but white space outside the root element.
  mutating func checkOutsideText() throws(ScanFault) {
    let isMark = tokenOffset == 0 && bytes.all.starts(with: [0xEF, 0xBB, 0xBF])
    for byte in bytes.all.dropFirst(isMark ? 3 : 0) where !byte.isXMLSpace {
      throw ScanFault(
        kind: .invalid, reason: "text outside the root element", offset: tokenOffset)
    }
    bytes.cut(to: 0)
  }

  /// Appends characters to `bytes` up to but not including `stop` or '<', with references resolved.
  mutating func readCharacters(until stop: UInt8) throws(ScanFault) {
    while try require(1) {
      let rest = rest
      var count = 0
      while count < rest.count, Self.isPlain(rest[count], stop) { count += 1 }
      if count > 0 {
        try append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
        pass(count)
        continue
      }
      switch byte {
      case stop, UInt8(ascii: "<"): return
      case UInt8(ascii: "&"): try readReference()
      case 0x80...: try readMultibyteCharacter()
      default: throw fault("a control character")
      }
    }
  }

  @inline(__always)
  static func isPlain(_ byte: UInt8, _ stop: UInt8) -> Bool {
    guard byte >= 0x20 else { return byte == 0x09 || byte == 0x0A || byte == 0x0D }
    return byte < 0x80 && byte != stop && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
  }

  private mutating func append(_ more: UnsafeRawBufferPointer) throws(ScanFault) {
    guard bytes.count + more.count <= Self.maximumTextLength else {
      throw limitFault("a text is longer than \(Self.maximumTextLength) bytes")
    }
    bytes.append(more)
  }

  /// Appends the character that starts here, checked as UTF-8.
  mutating func readMultibyteCharacter() throws(ScanFault) {
    guard let wanted = Self.lengthOfCharacter(startingWith: byte) else {
      throw fault("text that is not UTF-8")
    }
    guard try require(wanted) else { throw fault("") }
    guard let count = Self.lengthOfCharacter(in: rest, at: 0) else {
      throw fault("text that is not UTF-8")
    }
    try append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
    pass(count)
  }

  private static func lengthOfCharacter(startingWith first: UInt8) -> Int? {
    guard (0xC2...0xF4).contains(first) else { return nil }
    return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
  }

  /// Returns the number of bytes of the non-ASCII character at `place`, or `nil` if it is invalid
  /// UTF-8 or incomplete.
  static func lengthOfCharacter(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
    let first = bytes[place]
    guard let count = lengthOfCharacter(startingWith: first), bytes.count - place >= count else {
      return nil
    }
    let second = bytes[place + 1]
    // The first byte narrows the second: no overlong forms, no surrogates, nothing past U+10FFFF.
    let isValid =
      switch first {
      case 0xE0: second >= 0xA0
      case 0xED: second <= 0x9F
      case 0xF0: second >= 0x90
      case 0xF4: second <= 0x8F
      default: true
      }
    guard isValid else { return nil }
    for index in 1..<count where bytes[place + index] & 0xC0 != 0x80 { return nil }
    return count
  }

  /// Appends the value of `&amp;`, `&#10;` or `&#xA;`; other entities would need a definition.
  private mutating func readReference() throws(ScanFault) {
    let longest = 12
    var length = 1
    while true {
      guard try require(length + 1) else { throw fault("") }
      if byte(length) == UInt8(ascii: ";") { break }
      length += 1
      guard length < longest else { throw fault("'&' without an entity that XML defines") }
    }
    let name = String(decoding: rest[1..<length], as: UTF8.self)
    guard let scalar = Self.scalar(of: name) else {
      throw fault("'&' without an entity that XML defines")
    }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { bytes.append(unit) }
    pass(length + 1)
    guard bytes.count <= Self.maximumTextLength else {
      throw limitFault("a text is longer than \(Self.maximumTextLength) bytes")
    }
  }

  private static func scalar(of name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.first != "+", let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value), value & 0xFFFE != 0xFFFE
    else { return nil }
    return Unicode.Scalar(value)
  }
}
