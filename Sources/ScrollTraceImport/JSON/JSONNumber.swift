import ScrollTraceModel

/// JSON numbers, read without floating point.
enum JSONNumber {
  /// `digits` × 10^`exponent` with a sign; digits that do not fit are truncated.
  private struct Decimal {
    var isNegative = false
    var digits: UInt64 = 0
    var exponent = 0
  }

  /// Returns a time in microseconds, possibly with a fraction, as whole nanoseconds.
  ///
  /// Returns `nil` if the text is not a number or the time overflows. Digits beyond nanoseconds are
  /// truncated, and no other digit is lost.
  static func nanoseconds(fromMicroseconds text: UnsafeRawBufferPointer) -> Int64? {
    if let digits = digits(text) { return digits &* 1000 }
    let point = text.count - 4
    if point > 0, text[point] == UInt8(ascii: "."),
      let whole = digits(UnsafeRawBufferPointer(rebasing: text[..<point])),
      let rest = digits(UnsafeRawBufferPointer(rebasing: text[(point + 1)...]))
    {
      return whole &* 1000 &+ rest
    }
    return decimal(text).flatMap { integer($0, timesTenTo: 3) }
  }

  /// Returns a whole number, or `nil` if it has a fraction or overflows.
  static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
    if let digits = digits(text) { return digits }
    guard let decimal = decimal(text), decimal.exponent >= 0 || decimal.digits == 0 else {
      // Such as `5.0`, whose fraction is zero.
      return double(text).flatMap { Int64(exactly: $0) }
    }
    return integer(decimal, timesTenTo: 0)
  }

  /// Returns a whole number that can be too large for a signed integer, of nineteen or twenty
  /// digits, or else `nil`.
  static func unsigned(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard 19...20 ~= text.count, text[0] != UInt8(ascii: "+") else { return nil }
    return UInt64(String(decoding: text, as: UTF8.self))
  }

  static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count <= 400 else { return nil }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the value of an argument, which is null for a number that is too large.
  static func argument(_ text: UnsafeRawBufferPointer) -> ArgumentValue {
    if let number = integer(text) {
      return number >= 0 ? .unsigned(UInt64(number)) : .integer(number)
    }
    if let number = unsigned(text) { return .unsigned(number) }
    return double(text).map(ArgumentValue.double) ?? .null
  }

  /// Returns a number of up to 15 digits and nothing else, the usual case, or else `nil`.
  @inline(__always)
  private static func digits(_ text: UnsafeRawBufferPointer) -> Int64? {
    let count = text.count
    if 8...15 ~= count {
      // The leading digits: the first eight without those that are among the last eight.
      let first = text.loadUnaligned(as: UInt64.self)
      let last = text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      let unused = UInt64(truncatingIfNeeded: 128 &- count &* 8)
      let high = count == 8 ? 0 : (UInt64(littleEndian: first) ^ zeros) &<< unused
      let low = UInt64(littleEndian: last) ^ zeros
      guard areDigits(low), areDigits(high) else { return nil }
      return Int64(truncatingIfNeeded: value(high) &* 100_000_000 &+ value(low))
    }
    guard 1...7 ~= count else { return nil }
    var value: Int64 = 0
    for byte in text {
      let digit = byte &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return value
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// Returns whether all eight bytes are below ten.
  @inline(__always)
  private static func areDigits(_ word: UInt64) -> Bool {
    (word &+ 0x7676_7676_7676_7676 | word) & 0x8080_8080_8080_8080 == 0
  }

  /// Returns the number whose eight digits are the bytes of `word`, the first digit lowest.
  @inline(__always)
  private static func value(_ word: UInt64) -> UInt64 {
    let pairs = (word &* 2561) &>> 8 & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 6_553_601) &>> 16 & 0x0000_FFFF_0000_FFFF
    return (fours &* 42_949_672_960_001) &>> 32
  }

  @inline(__always)
  private static func decimal(_ text: UnsafeRawBufferPointer) -> Decimal? {
    var result = Decimal()
    var index = 0
    if index < text.count, text[index] == UInt8(ascii: "-") {
      result.isNegative = true
      index += 1
    }
    let start = index
    while index < text.count, text[index] &- 0x30 < 10 {
      append(text[index] &- 0x30, toFraction: false, of: &result)
      index += 1
    }
    guard index > start else { return nil }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      let first = index
      while index < text.count, text[index] &- 0x30 < 10 {
        append(text[index] &- 0x30, toFraction: true, of: &result)
        index += 1
      }
      guard index > first else { return nil }
    }
    guard index < text.count else { return result }
    return exponent(text, from: index, of: result)
  }

  @inline(__always)
  private static func append(_ digit: UInt8, toFraction: Bool, of result: inout Decimal) {
    // 19 digits fit; a later digit of the whole part only adds a power of ten.
    if result.digits < 1_000_000_000_000_000_000 {
      result.digits = result.digits &* 10 &+ UInt64(digit)
      if toFraction { result.exponent &-= 1 }
    } else if !toFraction {
      result.exponent &+= 1
    }
  }

  private static func exponent(
    _ text: UnsafeRawBufferPointer, from start: Int, of decimal: Decimal
  ) -> Decimal? {
    guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = start + 1
    var isNegative = false
    if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      guard text[index] &- 0x30 < 10 else { return nil }
      // Beyond this everything is zero or overflows.
      value = min(100_000_000, value * 10 + Int(text[index] - 0x30))
      index += 1
    }
    var result = decimal
    result.exponent += isNegative ? -value : value
    return result
  }

  private static func integer(_ decimal: Decimal, timesTenTo power: Int) -> Int64? {
    var value = decimal.digits
    var exponent = decimal.exponent + power
    while exponent > 0, value > 0 {
      guard let product = value.times(10) else { return nil }
      value = product
      exponent -= 1
    }
    while exponent < 0, value > 0 {
      value /= 10
      exponent += 1
    }
    guard let magnitude = Int64(exactly: value) else { return nil }
    return decimal.isNegative ? -magnitude : magnitude
  }
}

extension JSONNumber {
  /// Returns a number times ten to the power of `power`, truncated to a whole one, or `nil` if it
  /// is invalid or overflows.
  static func scaled(_ text: UnsafeRawBufferPointer, timesTenTo power: Int) -> Int64? {
    if power == 0, let number = digits(text) { return number }
    return decimal(text).flatMap { integer($0, timesTenTo: power) }
  }
}
