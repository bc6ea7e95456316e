extension XMLScanner {
  /// The text that was read last.
  var text: UnsafeRawBufferPointer { view }

  /// Appends text up to the next tag to `bytes`.
  @inline(never)
  mutating func readText() throws(ScanFault) {
    try readCharacters(until: UInt8(ascii: "<"))
    view = bytes.all
  }

  /// Refuses anything but white space outside of the root element.
  mutating func checkOutsideText() throws(ScanFault) {
    let isMark = tokenOffset == 0 && bytes.all.starts(with: [0xEF, 0xBB, 0xBF])
    for byte in bytes.all.dropFirst(isMark ? 3 : 0) where !byte.isXMLSpace {
      throw ScanFault(
        kind: .invalid, reason: "text outside of the root element", offset: tokenOffset)
    }
    bytes.cut(to: 0)
  }

  /// Appends characters to `bytes` up to `stop` or '<', which stay to be read, with references
  /// resolved.
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

  /// How many bytes the character at `place` has, which is none of ASCII; `nil` where it is no UTF-8
  /// or not whole.
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

  /// Appends what `&amp;`, `&#10;` or `&#xA;` stands for; other entities would need a definition.
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
