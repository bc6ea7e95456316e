internal import CChecksum

/// The checksum of sealed chunks: CRC-32C (Castagnoli), as in iSCSI, RFC 3720.
public struct CRC32C: Sendable {
  /// Eight tables of 256 entries: table k advances a byte that is followed by k more.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1 }
      tables[byte] = value
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = (before >> 8) ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of no bytes.
  public init() {}

  /// The checksum of the bytes so far.
  public var value: UInt32 { ~state }

  /// Takes `bytes` in, by the machine's own instruction where it has one.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, Self.hasInstruction else {
      return updateWithTables(bytes)
    }
    let words = bytes.count / 8
    state = scrolltrace_crc32c(state, start, words)
    updateWithTables(UnsafeRawBufferPointer(rebasing: bytes[(words * 8)...]))
  }

  private static let hasInstruction = scrolltrace_has_crc32c()

  /// Takes `bytes` in, eight at a time, on every machine.
  mutating func updateWithTables(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    var offset = 0
    Self.tables.withUnsafeBufferPointer { tables in
      while offset + 8 <= bytes.count {
        let word =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          ^ UInt64(state)
        var next: UInt32 = 0
        for position in 0..<8 {
          let byte = Int((word >> UInt64(8 * position)) & 0xFF)
          next ^= tables[(7 - position) * 256 + byte]
        }
        state = next
        offset += 8
      }
      while offset < bytes.count {
        state = (state >> 8) ^ tables[Int((state ^ UInt32(bytes[offset])) & 0xFF)]
        offset += 1
      }
    }
    self.state = state
  }

  /// The checksum of `bytes`.
  public static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(bytes)
    return checksum.value
  }
}
