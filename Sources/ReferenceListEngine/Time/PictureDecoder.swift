import ScrollTraceLayout

/// A small picture as bytes, and how its dots are made of them: runs, differences to the dot before,
/// and dots that were there already, as in common lossless formats.
enum PictureDecoder {
  /// A picture of 32 × 32 dots.
  private static let bytes: [UInt8] = {
    var random = SeededGenerator(seed: 4)
    var bytes: [UInt8] = []
    var dots = 0
    while dots < 1024 {
      switch random.next(below: 10) {
      case 0:
        bytes += [0xFE] + (0..<3).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        dots += 1
      case 1, 2:
        let count = UInt8(random.next(below: 8))
        bytes.append(0xC0 | count)
        dots += Int(count) + 1
      case 3, 4, 5:
        bytes.append(UInt8(random.next(below: 64)))
        dots += 1
      default:
        bytes.append(0x40 | UInt8(random.next(below: 64)))
        dots += 1
      }
    }
    return bytes
  }()

  /// Makes the dots and gives a number that depends on all of them.
  static func decode(seed: UInt32) -> UInt32 {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { seen in
      seen.initialize(repeating: 0)
      var (dot, sum, index) = (seed, UInt32(0), 0)
      while index < bytes.count {
        let byte = bytes[index]
        var count = 1
        switch byte {
        case 0xFE where index + 3 < bytes.count:
          dot =
            UInt32(bytes[index + 1]) | UInt32(bytes[index + 2]) << 8
            | UInt32(bytes[index + 3]) << 16
          index += 3
        case 0xC0...0xFD: count = Int(byte & 0x3F) + 1
        case 0x40..<0x80: dot = dot &+ UInt32(byte & 0x3F) &* 0x01_0101
        default: dot = seen[Int(byte & 0x3F)]
        }
        seen[Int((dot &* 0x9E37_79B1) >> 26)] = dot
        for _ in 0..<count { sum = (sum << 5 | sum >> 27) ^ dot }
        index += 1
      }
      return sum
    }
  }
}
