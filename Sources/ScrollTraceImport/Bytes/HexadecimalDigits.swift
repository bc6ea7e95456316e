enum HexadecimalDigits {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      for digit in [byte >> 4, byte & 15] {
        digits.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns the 16 digits of a number.
  static func text(_ number: UInt64) -> String {
    withUnsafeBytes(of: number.bigEndian) { text($0) }
  }
}
