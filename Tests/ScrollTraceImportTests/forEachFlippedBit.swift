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
