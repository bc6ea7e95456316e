internal import CRecorderShims

/// The checksum of sealed chunks: CRC-32C (Castagnoli), as in iSCSI, RFC 3720.
package struct CRC32C: Sendable {
  /// Eight tables of 256 entries. Table k advances a byte that is followed by k others.
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

  /// Creates the checksum of no bytes.
  package init() {}

  /// The checksum of the bytes so far.
  package var value: UInt32 { ~state }

  /// Adds bytes, with the processor's own instruction if it has one.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, Self.hasInstruction else {
      return updateWithTables(bytes)
    }
    var offset = 0
    while bytes.count - offset >= 3 * Self.laneSize {
      var states = (state, UInt32(0), UInt32(0))
      withUnsafeMutableBytes(of: &states) {
        scrolltrace_crc32c_three(
          $0.assumingMemoryBound(to: UInt32.self).baseAddress, start + offset, Self.laneSize / 8)
      }
      state = Self.overLane(Self.overLane(states.0) ^ states.1) ^ states.2
      offset += 3 * Self.laneSize
    }
    let words = (bytes.count - offset) / 8
    state = scrolltrace_crc32c(state, start + offset, words)
    updateWithTables(UnsafeRawBufferPointer(rebasing: bytes[(offset + words * 8)...]))
  }

  /// The number of bytes in each of three lanes that are processed in parallel.
  private static let laneSize = 2048

  /// The state after a lane of zeros, for each value of each of its four bytes.
  ///
  /// The checksum is linear: that of two parts is the first's, advanced over as many zeros as the
  /// second has bytes, xor the second's alone.
  private static let laneTables: [UInt32] = {
    let zeros = [UInt8](repeating: 0, count: laneSize)
    var tables = [UInt32](repeating: 0, count: 4 * 256)
    for position in 0..<4 {
      for bit in 0..<8 {
        var checksum = CRC32C()
        checksum.state = 1 << UInt32(position * 8 + bit)
        zeros.withUnsafeBytes { checksum.updateWithTables($0) }
        for byte in 0..<256 where byte >> bit & 1 == 1 {
          tables[position * 256 + byte] ^= checksum.state
        }
      }
    }
    return tables
  }()

  /// The state after a lane of zeros.
  private static func overLane(_ state: UInt32) -> UInt32 {
    laneTables.withUnsafeBufferPointer { tables in
      tables[Int(state & 0xFF)] ^ tables[256 + Int(state >> 8 & 0xFF)]
        ^ tables[512 + Int(state >> 16 & 0xFF)] ^ tables[768 + Int(state >> 24)]
    }
  }

  private static let hasInstruction = scrolltrace_has_crc32c()

  /// Adds bytes, eight at a time, on every machine.
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

  package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(bytes)
    return checksum.value
  }
}
