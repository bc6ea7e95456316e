import Testing

@testable import ScrollTraceLayout

/// The checksum of sealed chunks (W9).
@Suite struct CRC32CTests {
  @Test func `the checksum is that of RFC 3720`() {
    // The examples of its appendix B.4.
    let ascending = (0..<32).map { UInt8($0) }
    let examples: [([UInt8], UInt32)] = [
      (Array(repeating: 0, count: 32), 0x8A91_36AA),
      (Array(repeating: 0xFF, count: 32), 0x62A8_AB43),
      (ascending, 0x46DD_794E), (ascending.reversed(), 0x113F_DB5C),
      (Array("123456789".utf8), 0xE306_9283), ([], 0),
    ]
    for (bytes, checksum) in examples {
      #expect(bytes.withUnsafeBytes { CRC32C.checksum(of: $0) } == checksum)
    }
  }

  @Test func `the hardware instruction and the tables agree, whatever the block sizes`() {
    var generator = SeededGenerator(seed: 3)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      bytes.withUnsafeBytes { bytes in
        var tables = CRC32C()
        tables.updateWithTables(bytes)
        var parts = CRC32C()
        let middle = count / 3
        parts.update(UnsafeRawBufferPointer(rebasing: bytes[..<middle]))
        parts.update(UnsafeRawBufferPointer(rebasing: bytes[middle...]))
        #expect(parts.value == tables.value)
      }
    }
  }
}
