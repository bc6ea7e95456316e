/// A number with few decimals as two integers.
struct DecimalParts {
  var whole: UInt64
  var fraction: UInt32
  var digits: Int

  /// Creates the parts of a positive number below 1e15, or returns `nil` if six decimals are not
  /// enough.
  @inline(__always)
  init?(_ magnitude: Double) {
    // No two decimals of up to 15 digits have the same nearest number, so one that has this nearest
    // number is its shortest description.
    func parts(_ scale: Double, _ decimals: Int) -> (UInt64, UInt32, Int)? {
      let scaled = (magnitude * scale).rounded()
      guard scaled < 1e15, scaled / scale == magnitude else { return nil }
      let (whole, rest) = UInt64(scaled).quotientAndRemainder(dividingBy: UInt64(scale))
      return (whole, UInt32(truncatingIfNeeded: rest), decimals)
    }
    guard let found = parts(1, 1) ?? parts(1e3, 3) ?? parts(1e6, 6) else { return nil }
    (whole, fraction, digits) = found
    while digits > 1, fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
  }
}

/// The digits of numbers, eight at a time in the bytes of a word.
enum DecimalDigits {
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// Writes the digits of `number`, without leading zeros, and returns how many they are. Up to 24
  /// bytes are overwritten.
  @inline(__always)
  static func write(_ number: UInt64, to destination: UnsafeMutableRawPointer) -> Int {
    let limit: UInt64 = 100_000_000
    guard number >= limit else { return writeFirst(number, to: destination) }
    let (high, low) = number.quotientAndRemainder(dividingBy: limit)
    var count = 0
    if high < limit {
      count = writeFirst(high, to: destination)
    } else {
      let (top, middle) = high.quotientAndRemainder(dividingBy: limit)
      count = writeFirst(top, to: destination)
      store(digits(middle) | zeros, at: destination + count)
      count &+= 8
    }
    store(digits(low) | zeros, at: destination + count)
    return count &+ 8
  }

  /// Writes the last `count` digits of `number`, at most eight, and returns how many they are. Eight
  /// bytes are overwritten.
  @inline(__always)
  static func write(
    _ number: UInt32, digits count: Int, to destination: UnsafeMutableRawPointer
  ) -> Int {
    store((digits(UInt64(number)) | zeros) >> UInt64(64 &- 8 &* count), at: destination)
    return count
  }

  /// Writes a number of up to eight digits without leading zeros.
  @inline(__always)
  private static func writeFirst(_ number: UInt64, to destination: UnsafeMutableRawPointer) -> Int {
    let word = digits(number)
    let leadingZeros = min(word.trailingZeroBitCount >> 3, 7)
    store((word | zeros) >> UInt64(leadingZeros &* 8), at: destination)
    return 8 &- leadingZeros
  }

  /// Returns the eight digits of a number in the bytes of a word, the first in the lowest byte.
  ///
  /// Each step divides all parts of the word at once by a multiplication: first two numbers of four
  /// digits, then four of two.
  @inline(__always)
  private static func digits(_ number: UInt64) -> UInt64 {
    let (top, bottom) = number.quotientAndRemainder(dividingBy: 10_000)
    let fours = top | bottom << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) << 8
  }

  @inline(__always)
  private static func store(_ word: UInt64, at destination: UnsafeMutableRawPointer) {
    destination.storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}
