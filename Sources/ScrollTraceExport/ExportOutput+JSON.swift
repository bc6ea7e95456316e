import ScrollTraceModel

/// JSON values.
extension ExportOutput {
  /// Appends `text` as a quoted JSON string.
  mutating func appendJSON(_ text: String) { append(Self.quoted(text)) }

  /// Appends a number, or `null` if it is not finite.
  mutating func appendJSON(_ number: Double) {
    append(number.isFinite ? "\(number)" : "null")
  }

  /// Appends the value of an argument, with its text from `names`.
  mutating func appendJSON(_ value: ArgumentValue, _ names: inout QuotedNames) {
    switch value {
    case .integer(let number): append("\(number)")
    case .unsigned(let number): append("\(number)")
    case .double(let number): appendJSON(number)
    case .bool(let truth): append(truth ? "true" : "false")
    case .string(let id): append(names[id])
    case .null: append("null")
    }
  }

  /// Returns `text` as a quoted JSON string.
  static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return bytes
  }
}
