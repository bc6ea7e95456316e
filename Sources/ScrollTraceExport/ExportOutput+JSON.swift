import ScrollTraceModel

/// JSON values.
extension ExportOutput {
  /// Appends `text` as a quoted JSON string.
  mutating func appendJSON(_ text: String) { append(Self.quoted(text)) }

  /// Appends a number, or `null` if it is not finite.
  mutating func appendJSON(_ number: Double) {
    number.isFinite ? append(number) : append("null")
  }

  /// Appends the value of an argument, with its text from `names`.
  mutating func appendJSON(_ value: ArgumentValue, _ names: inout WrittenTexts) {
    switch value {
    case .integer(let number): append(decimal: number)
    case .unsigned(let number): append(decimal: number)
    case .double(let number): appendJSON(number)
    case .bool(let truth): truth ? append("true") : append("false")
    case .string(let id): names.append(id, to: &self)
    case .null: append("null")
    }
  }

  /// Returns `text` as a quoted JSON string.
  static func quoted(_ text: String) -> [UInt8] {
    let digits: StaticString = "0123456789abcdef"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += "\\n".utf8
      case 0x09: bytes += "\\t".utf8
      case 0..<0x20, 0x7F:
        bytes += "\\u00".utf8
        bytes += [digits.utf8Start[Int(byte >> 4)], digits.utf8Start[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return bytes
  }
}
