/// A value of a table: an element that later ones may refer to by its number.
struct XctraceValue {
  /// The element's name, a position in the list of names; -1 for names that do not matter.
  var tag: Int32 = -1
  /// The process that the value is or lies in, a position in the list of processes; -1 for none.
  var process: Int32 = -1
  /// The text as a number.
  var number: Int64 = 0
  /// Whether the text is a number.
  var hasNumber = false
  /// Whether the text has bytes that no number has.
  private(set) var isBroken = false
  private var isNegative = false
  /// Where the text is in the texts that are kept.
  var text = 0..<0
  /// Whether the text is the element's own, and not the one that is made for people.
  var hasOwnText = false

  /// The number, where there is one.
  var integer: Int64? { hasNumber && !isBroken ? number : nil }

  /// Takes more of the element's text for digits.
  mutating func append(digits: UnsafeRawBufferPointer) {
    for byte in digits {
      if byte == UInt8(ascii: "-"), !hasNumber, !isNegative {
        isNegative = true
        continue
      }
      guard (0x30...0x39).contains(byte) else { return isBroken = true }
      let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - 0x30)
      let (sum, carry) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
      guard !overflow, !carry else { return isBroken = true }
      number = sum
      hasNumber = true
    }
  }
}
