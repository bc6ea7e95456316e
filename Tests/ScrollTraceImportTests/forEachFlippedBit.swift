/// Calls `body` with copies of `bytes`, each with one bit flipped: every bit that is a multiple of `step`.
///
/// A step without a factor in common with 8 gives every bit of a byte its turn.
func forEachFlippedBit(of bytes: [UInt8], step: Int, _ body: ([UInt8]) -> Void) {
  for bit in stride(from: 0, to: bytes.count * 8, by: step) {
    var copy = bytes
    copy[bit / 8] ^= 1 << UInt8(bit % 8)
    body(copy)
  }
}

/// Calls `body` with beginnings of `bytes`, every `step` bytes, and with copies of which one byte is one of
/// `values` or has another lowest bit.
func forEachDamage(
  to bytes: [UInt8], step: Int, values: [UInt8], _ body: ([UInt8]) throws -> Void
) rethrows {
  for count in stride(from: 0, to: bytes.count, by: step) { try body(Array(bytes[..<count])) }
  for position in bytes.indices {
    for value in values + [bytes[position] ^ 1] {
      var copy = bytes
      copy[position] = value
      try body(copy)
    }
  }
}
