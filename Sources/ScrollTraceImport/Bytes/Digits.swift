extension UInt8 { var isDigit: Bool { self &- 0x30 < 10 } }

extension FixedWidthInteger {
  /// Returns the number with a decimal digit in ASCII appended, or `nil` if it does not fit the type.
  @inline(__always)
  func appending(digit: UInt8, isNegative: Bool = false) -> Self? {
    let (tenfold, isTooLong) = multipliedReportingOverflow(by: 10)
    let value = Self(truncatingIfNeeded: digit &- 0x30)
    let (number, overflow) =
      isNegative
      ? tenfold.subtractingReportingOverflow(value) : tenfold.addingReportingOverflow(value)
    return isTooLong || overflow ? nil : number
  }
}

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

  static func text(_ number: UInt64) -> String {
    withUnsafeBytes(of: number.bigEndian) { text($0) }
  }
}
