/// The text of JSON strings.
enum JSONText {
  /// The value of a hexadecimal digit.
  static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - 0x30)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - 0x57)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - 0x37)
    default: nil
    }
  }

  /// The UTF-8 text that a string's `content` between the quotes stands for.
  ///
  /// Half of a surrogate pair without the other half becomes U+FFFD.
  static func unescape(_ content: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var index = 0
    while index < content.count {
      guard content[index] == UInt8(ascii: "\\"), index + 1 < content.count else {
        text.append(content[index])
        index += 1
        continue
      }
      let escape = content[index + 1]
      if escape == UInt8(ascii: "u") {
        appendUnicode(content, at: &index, to: &text)
      } else {
        text.append(character(of: escape))
        index += 2
      }
    }
    return text
  }

  private static func character(of escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }

  private static func appendUnicode(
    _ content: UnsafeRawBufferPointer, at index: inout Int, to text: inout [UInt8]
  ) {
    let first = codeUnit(content, at: index)
    index += 6
    var scalar = first.flatMap { Unicode.Scalar($0) }
    if let first, UTF16.isLeadSurrogate(first), let second = codeUnit(content, at: index),
      UTF16.isTrailSurrogate(second)
    {
      index += 6
      scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    }
    text.append(contentsOf: String(scalar ?? "\u{FFFD}").utf8)
  }

  private static func codeUnit(_ content: UnsafeRawBufferPointer, at index: Int) -> UInt16? {
    guard
      index + 6 <= content.count, content[index] == UInt8(ascii: "\\"),
      content[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for place in (index + 2)..<(index + 6) {
      guard let digit = hexDigit(content[place]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }
}
