/// A whole number of 128 bits, for sums and products of 64-bit ones.
///
/// The standard library's `Int128` needs iOS 18 and macOS 15. Results that do not fit wrap around.
@usableFromInline
package struct WideInteger: Hashable, Sendable {
  @usableFromInline let high: Int64
  @usableFromInline let low: UInt64

  @inlinable init(high: Int64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a number with the value of an integer of at most 64 bits.
  @inlinable package init(_ value: some FixedWidthInteger) {
    self.init(high: value < 0 ? -1 : 0, low: UInt64(truncatingIfNeeded: value))
  }

  @inlinable package var magnitude: WideInteger { high < 0 ? 0 - self : self }

  @usableFromInline func dividedByPositive(_ divisor: UInt64) -> (
    quotient: WideInteger, remainder: UInt64
  ) {
    let (first, rest) = UInt64(bitPattern: high).quotientAndRemainder(dividingBy: divisor)
    let (second, remainder) = divisor.dividingFullWidth((rest, low))
    return (WideInteger(high: Int64(bitPattern: first), low: second), remainder)
  }
}

extension WideInteger: ExpressibleByIntegerLiteral {
  @inlinable package init(integerLiteral value: Int64) { self.init(value) }
}

extension WideInteger: Comparable {
  @inlinable package static func < (left: WideInteger, right: WideInteger) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension WideInteger: AdditiveArithmetic {
  @inlinable package static func + (left: WideInteger, right: WideInteger) -> WideInteger {
    let (low, carries) = left.low.addingReportingOverflow(right.low)
    return WideInteger(high: left.high &+ right.high &+ (carries ? 1 : 0), low: low)
  }

  @inlinable package static func - (left: WideInteger, right: WideInteger) -> WideInteger {
    let (low, borrows) = left.low.subtractingReportingOverflow(right.low)
    return WideInteger(high: left.high &- right.high &- (borrows ? 1 : 0), low: low)
  }
}

extension WideInteger {
  @inlinable package static func * (left: WideInteger, right: WideInteger) -> WideInteger {
    let (high, low) = left.low.multipliedFullWidth(by: right.low)
    let crossed =
      UInt64(bitPattern: left.high) &* right.low &+ left.low &* UInt64(bitPattern: right.high)
    return WideInteger(high: Int64(bitPattern: high &+ crossed), low: low)
  }

  /// Returns the quotient, rounded toward zero, or zero if the divisor is zero.
  @inlinable package static func / (left: WideInteger, right: Int64) -> WideInteger {
    guard right != 0 else { return 0 }
    let quotient = left.magnitude.dividedByPositive(right.magnitude).quotient
    return left < 0 && right > 0 || left > 0 && right < 0 ? 0 - quotient : quotient
  }
}

extension WideInteger: CustomStringConvertible {
  @usableFromInline package var description: String {
    if let small = Int64(exactly: self) { return String(small) }
    let (quotient, remainder) = magnitude.dividedByPositive(1_000_000_000_000_000_000)
    let digits = String(remainder)
    let zeros = String(repeating: "0", count: 18 - digits.count)
    return (high < 0 ? "-" : "") + quotient.description + zeros + digits
  }
}

extension FixedWidthInteger {
  /// Creates the number of that value, or returns `nil` if it does not fit.
  @inlinable package init?(exactly wide: WideInteger) {
    self.init(truncatingIfNeeded: wide.low)
    if WideInteger(self) != wide { return nil }
  }

  /// Creates the number of that value, or the nearest one if it does not fit.
  @inlinable package init(clamping wide: WideInteger) {
    self = Self(exactly: wide) ?? (wide < 0 ? .min : .max)
  }
}

extension Double {
  /// Creates the number nearest to that value.
  @inlinable package init(_ wide: WideInteger) {
    let magnitude = wide.magnitude
    let size = Double(UInt64(bitPattern: magnitude.high)) * 0x1p64 + Double(magnitude.low)
    self = wide < 0 ? -size : size
  }
}
