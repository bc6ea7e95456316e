import ScrollTraceLayout
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Files that are damaged, cut or made to harm: an error or a counted loss, never a trap.
@Suite struct DamageTests {
  static let sample = ProfileSample(chunks: [
    ProfileTests.chunk(0, "first", at: 100), ProfileTests.chunk(1, "second", at: 200),
    ProfileTests.chunk(2, "third", at: 300),
  ])

  // MARK: - Whole files

  @Test func `anything but a trace is an error`() async {
    await forEachCase(
      of: [[], [1, 2, 3], [UInt8](repeating: 0, count: 4_096)] as [[UInt8]], oneCase)
    @Sendable func oneCase(bytes: [UInt8]) throws {
      #expect(throws: ImportError.self) { try readTrace(bytes) }
      #expect(throws: ImportError.self) { try readTrace([UInt8](repeating: 0xFF, count: 9_000)) }
    }
  }

  @Test func `a big-endian file, and one whose page 0 is lost, are recognized (R1, R2)`() throws {
    let magic: [UInt8] = [0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10]
    let error = #expect(throws: ImportError.self) {
      try read(magic + [UInt8](repeating: 0, count: 64))
    }
    #expect(error?.description.contains("big-endian") == true)
    let page = [UInt8](repeating: 0, count: RecordingLayout.pageSize)
    let torn = try read(page + Self.sample.bytes[RecordingLayout.pageSize...])
    #expect(torn.source.format == "fxt" && torn.source.wasClosed == nil)
    #expect(torn.spanCount == 3)
    #expect(torn.lossCounts == [.damagedBytes: UInt64(RecordingLayout.pageSize)])
  }

  @Test func `two concatenated files are both read`() throws {
    let foreign = FXTWriter.foreignFile { $0.appendSpan() }
    #expect(try readTrace(foreign + foreign).spanCount == 2)
    let twice = try readTrace(Self.sample.bytes + Self.sample.bytes)
    #expect(twice.spanCount == 6)
    #expect(twice.losses.isEmpty)
    #expect(twice.notices.count { if case .source = $0 { true } else { false } } == 1)
  }

  // MARK: - Damage in files of the profile

  @Test func `a damaged provider record does not cost the chunk`() throws {
    var bytes = Self.sample.bytes
    bytes[ProfileSample.offset(1)] = 0
    let trace = try readTrace(bytes)
    #expect(trace.spanCount == 3)
    #expect(trace.lossCounts == [.damagedBytes: 24])
  }

  @Test func `padding that reaches past the end is not damage (R2)`() throws {
    var pad = FXTWriter()
    pad.appendPad(words: FXT.maximumRecordWords)
    for count in [8, 100, 4_096, RecordingLayout.chunkSize, 3] {
      let trace = try readTrace(Self.sample.bytes + pad.bytes.prefix(count))
      #expect(trace.losses.isEmpty, "\(count) bytes of a pad")
    }
  }

  @Test func `chunk numbers can be anything`() throws {
    let sample = ProfileSample(chunks: [
      ProfileTests.chunk(UInt64.max, "a", at: 1), ProfileTests.chunk(0, "b", at: 2),
      ProfileTests.chunk(5, "c", at: 3, threadSequence: UInt64.max, thread: 102),
    ])
    let trace = try readTrace(sample.bytes)
    #expect(trace.spanCount == 3)
    #expect(trace.lossCounts == [.missingChunk: UInt64.max])
  }

  // MARK: - Every prefix, every bit

  @Test func `every prefix is read or rejected, and the truncated part is counted`() throws {
    let bytes = ProfileSample.compact.bytes
    let chunk = ProfileSample.offset(0)
    var silent: [Int] = []
    for count in Array(0..<300) + Array((chunk - 9)..<(chunk + 900)) {
      guard let trace = try? readTrace(Array(bytes.prefix(count))) else { continue }
      let isInPad = count >= 224 && count <= chunk
      if !isInPad, trace.losses.isEmpty, trace.spanCount < 2 { silent.append(count) }
    }
    #expect(silent == [8])
  }

  @Test func `every flipped bit is survived, and noticed if a seal covers it`() throws {
    let bytes = ProfileSample.compact.bytes
    let chunk = ProfileSample.offset(0)
    let seal = try #require(bytes.firstRange(of: Array("scrolltrace.seal".utf8))).lowerBound - 8
    var silent: [Int] = []
    for index in Array(0..<230) + Array(chunk..<(seal + 64)) {
      for bit in ExtraCases.isThorough ? Array(0..<8) : [index % 8, (index + 5) % 8] {
        var copy = bytes
        copy[index] ^= 1 << UInt8(bit)
        guard let trace = try? readTrace(copy) else { continue }
        if index >= chunk, index < seal, trace.losses.isEmpty { silent.append(index) }
      }
    }
    #expect(silent == [])
  }

  @Test func `random words after a valid start are survived`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let bytes = FXTWriter.foreignFile { writer in
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
          let type = UInt64.random(in: 0...15, using: &generator)
          let size = UInt64.random(in: 0...9, using: &generator)
          writer.appendWord(generator.next() << 16 | size << 4 | type)
          for _ in 1..<max(2, size) { writer.appendWord(generator.next() >> 3) }
        }
      }
      _ = try? readTrace(bytes)
    }
  }

  @Test func `small records that refer to long names cost little`() throws {
    let count: UInt64 = ExtraCases.isThorough ? 100_000 : 20_000
    let bytes = FXTWriter.foreignFile { writer in
      writer.appendString(1, "scrolltrace.state")
      writer.appendString(2, "key")
      writer.appendString(3, String(repeating: "x", count: 32_000))
      // Copies of the name for each of them would take 600 megabytes, or six gigabytes.
      for time in 0..<count {
        writer.append(.instant, .index(1), .empty, at: time, [(.index(2), .string(.index(3)))])
      }
    }
    #expect(try readTrace(bytes).states.count == Int(count))
  }
}
