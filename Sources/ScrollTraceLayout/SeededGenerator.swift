/// Random numbers that are equal on every machine: SplitMix64 (Steele, Lea, Flood 2014).
@usableFromInline package struct SeededGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable package init(seed: UInt64) {
    state = seed
  }

  @inlinable package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a number from 0 to below `limit`, from the upper half of the product, with negligible
  /// bias.
  @inlinable package mutating func next(below limit: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: limit).high
  }

  /// Returns a number from 0 to below `limit`, which must be positive.
  @inlinable package mutating func next(below limit: Int) -> Int {
    Int(truncatingIfNeeded: next(below: UInt64(limit)))
  }
}
