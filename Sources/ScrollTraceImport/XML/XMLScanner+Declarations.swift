extension XMLScanner {
  /// Passes a comment, or reads a CDATA section, which is text; whether it was text.
  mutating func readDeclaration() throws(ScanFault) -> Bool {
    if try starts(with: "<!--") {
      pass(4)
      try passOver(until: "-->")
      return false
    }
    if try starts(with: "<![CDATA[") {
      guard depth > 0 else { throw fault("text outside of the root element") }
      pass(9)
      try readSection()
      return true
    }
    if try starts(with: "<!DOCTYPE") {
      throw fault("a document type definition (DOCTYPE) is not read, and none is needed")
    }
    guard try require(9) else { throw fault("") }
    throw fault("a declaration that XML has only in a document type definition, or not at all")
  }

  /// Passes `<?target …?>`; of the XML declaration the encoding is checked.
  mutating func passInstruction() throws(ScanFault) {
    pass(2)
    bytes.cut(to: 0)
    let isDeclaration = try starts(with: "xml ")
    guard isDeclaration else { return try passOver(until: "?>") }
    guard depth == 0 else { throw fault("an XML declaration inside of an element") }
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

  /// Refuses UTF-16, which says what it is in its first two bytes.
  mutating func checkByteOrderMark() throws(ScanFault) {
    guard try require(2), (byte, byte(1)) == (0xFF, 0xFE) || (byte, byte(1)) == (0xFE, 0xFF) else {
      return
    }
    throw fault("the encoding 'UTF-16' is not read, only UTF-8")
  }

  /// Refuses the encodings that are not read.
  private func checkEncoding() throws(ScanFault) {
    let text = String(decoding: bytes.all, as: UTF8.self)
    let words = text.split { " \t\r\n=\"'".contains($0) }
    guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else { return }
    let name = words[place + 1]
    guard !["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) else { return }
    let shown = String(
      name.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 }.map(Character.init))
    throw ScanFault(
      kind: .invalid, reason: "the encoding '\(shown)' is not read, only UTF-8",
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

  /// Whether the next bytes are those of `text`.
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
