/// An ELF file without symbols.
package enum StrippedProgram {
  /// The build ID in hexadecimal digits.
  package static let buildID = "12345678"

  /// The bytes of the file: the build ID, and the call frame information of functions at 0x1000, which is 0x40
  /// long, and at 0x1100, which is 0x80 long.
  package static var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 + 3 * 56)
    func append(_ words: [UInt32]) {
      for word in words { bytes += withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    }
    func store(_ word: UInt64, _ size: Int, at place: Int) {
      bytes.replaceSubrange(
        place..<(place + size),
        with: withUnsafeBytes(of: word.littleEndian) { Array($0.prefix(size)) })
    }
    append([4, 4, 3])
    bytes += Array("GNU\0".utf8) + [0x12, 0x34, 0x56, 0x78]
    let (table, common) = (UInt32(bytes.count), UInt32(bytes.count + 28))
    bytes += [1, 0x1B, 3, 0x3B]
    append([0, 2, 0x1000 - table, common + 20 - table, 0x1100 - table, common + 40 - table])
    append([16, 0])
    bytes += [1] + Array("zR\0".utf8) + [1, 0x78, 16, 1, 0x1B, 0, 0, 0]
    append([16, 24, 0, 0x40, 0, 16, 44, 0, 0x80, 0])
    bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    for (word, size, place) in [(64, 8, 32), (56, 2, 54), (3, 2, 56)] as [(UInt64, Int, Int)] {
      store(word, size, at: place)
    }
    let headers = [(1, 0, bytes.count), (4, 232, 20), (0x6474_E550, Int(table), 28)]
    for (index, header) in headers.enumerated() {
      let place = 64 + index * 56
      store(UInt64(header.0), 4, at: place)
      store(UInt64(header.1), 8, at: place + 8)
      store(UInt64(header.1), 8, at: place + 16)
      store(UInt64(header.2), 8, at: place + 32)
    }
    return bytes
  }
}
