extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
}

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
