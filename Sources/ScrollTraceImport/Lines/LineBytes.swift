/// Searches and compares bytes of lines, eight at a time.
enum LineBytes {
  /// The first quote or backslash from `start` on, or the line's end.
  @inline(__always)
  static func stringEnd(_ line: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while line.count &- place >= 8 {
      let word = word(line, place)
      let found = zeros(word ^ 0x2222_2222_2222_2222) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
      if found != 0 { return place &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < line.count, line[place] != UInt8(ascii: "\""), line[place] != UInt8(ascii: "\\") {
      place &+= 1
    }
    return place
  }

  /// The first byte from `start` on that is no digit, or the line's end.
  @inline(__always)
  static func digitsEnd(_ line: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while line.count &- place >= 8 {
      let digits = word(line, place) ^ 0x3030_3030_3030_3030
      // A carry only reaches bytes behind the first that is no digit.
      let found = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
      if found != 0 { return place &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < line.count, line[place] &- 0x30 < 10 { place &+= 1 }
    return place
  }

  /// The first `sign` from `start` on, or the line's end.
  @inline(__always)
  static func firstIndex(
    of sign: UInt8, in line: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    let signs = UInt64(sign) &* 0x0101_0101_0101_0101
    var place = start
    while line.count &- place >= 8 {
      let found = zeros(word(line, place) ^ signs)
      if found != 0 { return place &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < line.count, line[place] != sign { place &+= 1 }
    return place
  }

  /// Whether both are the same `count` bytes; names are too short for calling `memcmp`.
  @inline(__always)
  static func areSame(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
  ) -> Bool {
    guard count >= 8 else {
      return shortWord(left, count: count) == shortWord(right, count: count)
    }
    var place = 0
    while place < count &- 8 {
      guard word(left + place) == word(right + place) else { return false }
      place &+= 8
    }
    return word(left + (count &- 8)) == word(right + (count &- 8))
  }

  /// Up to seven bytes as one number, which is another one for other bytes.
  @inline(__always)
  static func shortWord(_ bytes: UnsafeRawPointer, count: Int) -> UInt64 {
    if count >= 4 {
      let first = UInt64(bytes.loadUnaligned(as: UInt32.self))
      let last = UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return first | last &<< 32
    }
    guard count > 0 else { return 0 }
    let middle = UInt64(bytes.load(fromByteOffset: count &>> 1, as: UInt8.self))
    let last = UInt64(bytes.load(fromByteOffset: count &- 1, as: UInt8.self))
    return UInt64(bytes.load(as: UInt8.self)) | middle &<< 8 | last &<< 16
  }

  /// Eight bytes as a number; which one depends on the machine.
  @inline(__always)
  static func word(_ bytes: UnsafeRawPointer) -> UInt64 { bytes.loadUnaligned(as: UInt64.self) }

  /// The highest bit of each byte that is zero; bytes behind the first such byte may be wrong.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  @inline(__always)
  private static func word(_ line: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}
