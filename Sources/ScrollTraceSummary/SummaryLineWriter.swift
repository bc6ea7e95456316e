/// Writes one line of JSON without white space.
struct SummaryLineWriter {
  private var bytes: [UInt8] = []
  private var needsComma = false

  /// The line so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Starts an object, as the member `key` or as an element.
  mutating func beginObject(_ key: String? = nil) { begin("{", key) }

  /// Starts an array, as the member `key` or as an element.
  mutating func beginArray(_ key: String? = nil) { begin("[", key) }

  mutating func endObject() { end("}") }

  mutating func endArray() { end("]") }

  /// Writes a string or `null`.
  mutating func text(_ text: String?, _ key: String) {
    prepare(key)
    if let text { append(quoted: text) } else { bytes += "null".utf8 }
  }

  /// Writes a number or `null`.
  mutating func number(_ number: WideInteger?, _ key: String) {
    prepare(key)
    if let number { append(number) } else { bytes += "null".utf8 }
  }

  mutating func numbers(_ numbers: [WideInteger], _ key: String) {
    beginArray(key)
    for number in numbers {
      prepare(nil)
      append(number)
    }
    endArray()
  }

  private mutating func begin(_ bracket: Unicode.Scalar, _ key: String?) {
    prepare(key)
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func prepare(_ key: String?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let key else { return }
    append(quoted: key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ number: WideInteger) {
    bytes += number.description.utf8
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7F:
        bytes += "\\u00".utf8
        for digit in [byte >> 4, byte & 15] {
          bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
