/// A 128-bit hash of a file's bytes, which recognizes a file that is counted twice: MurmurHash3 x64.
///
/// It is no protection against files that are made to have the same hash.
package struct ContentHash {
  private var (first, second): (UInt64, UInt64) = (0, 0)
  private var byteCount: UInt64 = 0
  private var tail: [UInt8] = []

  /// Returns the hash of the file at `path`, as `murmur3:` and 32 digits, or `nil` if it cannot be read.
  package static func text(ofFileAt path: String) -> String? {
    do throws(ImportError) {
      let file = try FileByteSource(path: path)
      var hash = ContentHash()
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
      defer { block.deallocate() }
      while case let count = try file.read(into: block), count > 0 {
        hash.add(UnsafeRawBufferPointer(rebasing: block[..<count]))
      }
      return hash.text
    } catch { return nil }
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    byteCount += UInt64(bytes.count)
    var rest = bytes
    if !tail.isEmpty {
      let count = min(16 - tail.count, bytes.count)
      tail += bytes[..<count]
      rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
      guard tail.count == 16 else { return }
      tail.withUnsafeBytes { mix($0) }
      tail = []
    }
    let whole = rest.count & ~15
    mix(UnsafeRawBufferPointer(rebasing: rest[..<whole]))
    tail += rest[whole...]
  }

  /// `murmur3:` and the hash of all bytes in 32 hexadecimal digits.
  package var text: String {
    let (high, low) = finished
    return "murmur3:" + HexadecimalDigits.text(high) + HexadecimalDigits.text(low)
  }

  private static let (factor1, factor2): (UInt64, UInt64) = (
    0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f
  )

  private static func scramble1(_ word: UInt64) -> UInt64 { rotate(word &* factor1, 31) &* factor2 }

  private static func scramble2(_ word: UInt64) -> UInt64 { rotate(word &* factor2, 33) &* factor1 }

  private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 - bits)
  }

  private mutating func mix(_ blocks: UnsafeRawBufferPointer) {
    var (high, low) = (first, second)
    var offset = 0
    while offset < blocks.count {
      let words = (
        UInt64(littleEndian: blocks.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
        UInt64(littleEndian: blocks.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
      )
      high = (Self.rotate(high ^ Self.scramble1(words.0), 27) &+ low) &* 5 &+ 0x52dc_e729
      low = (Self.rotate(low ^ Self.scramble2(words.1), 31) &+ high) &* 5 &+ 0x3849_5ab5
      offset &+= 16
    }
    (first, second) = (high, low)
  }

  private var finished: (UInt64, UInt64) {
    var words: (UInt64, UInt64) = (0, 0)
    for (index, byte) in tail.enumerated() {
      if index < 8 {
        words.0 |= UInt64(byte) &<< UInt64(index * 8)
      } else {
        words.1 |= UInt64(byte) &<< UInt64((index - 8) * 8)
      }
    }
    var high = first ^ Self.scramble1(words.0) ^ byteCount
    var low = second ^ Self.scramble2(words.1) ^ byteCount
    high &+= low
    low &+= high
    func finish(_ word: UInt64) -> UInt64 {
      var word = (word ^ word &>> 33) &* 0xff51_afd7_ed55_8ccd
      word = (word ^ word &>> 33) &* 0xc4ce_b9fe_1a85_ec53
      return word ^ word &>> 33
    }
    (high, low) = (finish(high), finish(low))
    high &+= low
    return (high, low &+ high)
  }
}
