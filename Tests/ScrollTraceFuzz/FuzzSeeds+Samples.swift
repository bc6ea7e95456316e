/// Seeds of sampled stacks.
extension FuzzSeeds {
  /// Profiles of V8 in a trace, and Hermes' samples.
  static let profiles = [
    #"""
    {"traceEvents":[{"ph":"P","name":"Profile","pid":1,"tid":1,"id":"0x1","ts":1,"args":{"data":
    {"startTime":5}}},{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"id":"0x1","ts":9,"args":{"data":
    {"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"f"}},{"id":2,"parent":1,"callFrame":
    {"functionName":"g"}}],"samples":[2,1]},"timeDeltas":[9,-4]}}}]}
    """#,
    #"""
    {"traceEvents":[],"samples":[{"ts":"5","pid":1,"tid":"2","weight":"1","sf":1}],
    "stackFrames":{"1":{"name":"a","parent":2},"2":{"name":"b"}}}
    """#,
  ]

  /// A blob of sampled stacks in a recording (F-9): the packets below.
  static let sampleBlob: [UInt8] = {
    var payload = samplePackets
    let size = UInt64(payload.count)
    while payload.count % 8 != 0 { payload.append(0) }
    let name = Array("scrolltrace.samples\0\0\0\0\0".utf8)
    let words = UInt64(1 + (name.count + payload.count) / 8)
    // The magic record, then one of type 5 with an inline name of 19 bytes and content of type 3.
    let header = 5 | words << 4 | (0x8000 | 19) << 16 | size << 32 | 3 << 48 as UInt64
    return [0x0016_5446_7F04_7F10 as UInt64, header].flatMap { word in
      withUnsafeBytes(of: word.littleEndian) { Array($0) }
    } + name + payload
  }()

  /// A small ELF file for 64 bits: notes with a build ID, a table of functions, and three symbols.
  static let symbolFile: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 64 + 2 * 56)
    func append(_ word: UInt64, _ size: Int) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
    }
    func store(_ word: UInt64, _ size: Int, at place: Int) {
      for index in 0..<size {
        bytes[place + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
      }
    }
    let notes = UInt64(bytes.count)
    for word in [4, 4, 3] as [UInt64] { append(word, 4) }
    bytes += Array("GNU\0".utf8) + [0x12, 0x34, 0x56, 0x78]
    let frames = UInt64(bytes.count)
    bytes += [1, 27, 3, 59, 9, 9, 9, 9]
    let texts = UInt64(bytes.count)
    bytes += Array("\0void f<int>(int)\0App.f(Swift.Int) -> ()\0".utf8)
    while bytes.count % 4 != 0 { bytes.append(0) }
    let symbols = UInt64(bytes.count)
    for (name, start, size) in [(1, 0x1000, 0x100), (18, 0x1040, 0x10)]
      as [(UInt64, UInt64, UInt64)]
    {
      append(name | 0x12 << 32 | 1 << 48, 8)
      append(start, 8)
      append(size, 8)
    }
    let sections = UInt64(bytes.count)
    bytes += [UInt8](repeating: 0, count: 64)
    for (kind, offset, end, link, entry) in [
      (3, texts, symbols, 0, 0), (2, symbols, sections, 1, 24),
    ] as [(UInt64, UInt64, UInt64, UInt64, UInt64)] {
      for word in [kind << 32, 0, 0, offset, end - offset, link, 0, entry] { append(word, 8) }
    }
    bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    for (word, size, place) in [
      (64, 8, 32), (sections, 8, 40), (56, 2, 54), (2, 2, 56), (64, 2, 58), (3, 2, 60),
      (4, 4, 64), (notes, 8, 72), (frames - notes, 8, 96),
      (0x6474_E550, 4, 120), (frames, 8, 128), (texts - frames, 8, 152),
    ] as [(UInt64, Int, Int)] { store(word, size, at: place) }
    return bytes
  }()

  /// Packets of Perfetto with an interned stack and a sample of it.
  static let samplePackets: [UInt8] = [
    0x0A, 0x22, 0x50, 0x02, 0x68, 0x01, 0x62, 0x1C, 0x2A, 0x05, 0x08, 0x01, 0x12, 0x01, 0x66, 0x32,
    0x06, 0x08, 0x01, 0x10, 0x01, 0x18, 0x01, 0x3A, 0x04, 0x08, 0x01, 0x10, 0x01, 0x9A, 0x01, 0x02,
    0x08, 0x01, 0x40, 0x05, 0x0A, 0x0F, 0x50, 0x02, 0x40, 0x07, 0x92, 0x04, 0x08, 0x10, 0x01, 0x18,
    0x01, 0x20, 0x01, 0x30, 0x09,
  ]
}
