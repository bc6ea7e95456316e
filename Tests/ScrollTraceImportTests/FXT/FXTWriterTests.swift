import ScrollTraceLayout
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The writer against the bytes of an independent one.
@Suite struct FXTWriterTests {
  /// What another writer makes of the same records.
  static let words: [UInt64] = [
    0x0016547846040010, 0x0000000000000021, 0x000000003b9aca00, 0x0040000000710020,
    0x000000006f6d6564, 0x0000000000720010, 0x0000000000730010, 0x0000000300010022,
    0x0000000000707061, 0x0000000b00020032, 0x702074756f79616c, 0x0000000000737361,
    0x0000000700030022, 0x00737365636f7270, 0x0000000000010033, 0x0000000000000064,
    0x0000000000000065, 0x0000008004010037, 0x0000000000000064, 0x0000000064656566,
    0x0000018004020057, 0x0000000000000065, 0x000000006e69616d, 0x0000000000030028,
    0x0000000000000064, 0x0002000101040034, 0x00000000000003e8, 0x0000000000001388,
    0x00020001017400e4, 0x00000000000003e8, 0x0000000700010012, 0x0000000000020023,
    0xfffffffffffffffd, 0x0000000000030024, 0xffffffffffffffff, 0x0000000000010025,
    0x3ff8000000000000, 0x0000000300020016, 0x0000000000030028, 0x0000000000000009,
    0x0000000100010019, 0x0000000000001388, 0x0002000101020024, 0x000000000000000a,
    0x0002000101030024, 0x0000000000000014, 0x0002000101000024, 0x000000000000001e,
    0x0002000101110044, 0x0000000000000028, 0x0000000500010012, 0x0000000000000009,
    0x0002000101050034, 0x0000000000000032, 0x0000000000000003, 0x0002000101070034,
    0x000000000000003c, 0x0000000000000003, 0x0001000a00010035, 0x3736353433323130,
    0x0000000000003938, 0x0001001800000045, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000100050039, 0x0000000000000046, 0x0000006f6c6c6568,
  ]

  @Test func `the writer agrees with an independent one, byte for byte`() {
    var writer = FXTWriter()
    writer.appendMagic()
    writer.appendInitialization()
    writer.appendProvider(7, name: "demo")
    writer.appendProviderSection(7)
    writer.appendProviderEvent(7)
    writer.appendString(1, "app")
    writer.appendString(2, "layout pass")
    writer.appendString(3, "process")
    writer.appendThread(1, process: 100, systemID: 101)
    writer.appendProcessName("feed", process: 100)
    writer.appendThreadName("main", systemID: 101, process: 100, processKey: .index(3))
    let app = FXTWriter.Name.index(1)
    let layout = FXTWriter.Name.index(2)
    func append(
      _ event: FXTWriter.Event, at time: UInt64,
      _ arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)] = []
    ) {
      writer.appendEvent(
        event, thread: .index(1), category: app, name: layout, at: time, arguments: arguments)
    }
    append(.complete(end: 5_000), at: 1_000)
    append(
      .complete(end: 5_000), at: 1_000,
      [
        (app, .uint32(7)), (layout, .int64(-3)), (.index(3), .uint64(UInt64.max)),
        (app, .double(1.5)), (layout, .string(.index(3))), (.index(3), .koid(9)),
        (app, .bool(true)),
      ])
    append(.begin, at: 10)
    append(.end, at: 20)
    append(.instant, at: 30)
    append(.counter(id: 9), at: 40, [(app, .uint32(5))])
    append(.asyncBegin(id: 3), at: 50)
    append(.asyncEnd(id: 3), at: 60)
    writer.appendBlob(app, Array("0123456789".utf8))
    writer.appendPad(words: 4)
    writer.appendLog("hello", thread: 1, at: 70)
    #expect(
      writer.bytes
        == Self.words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        })
    #expect(writer.tooLargeCount == 0)
  }

  @Test func `a record larger than the maximum is omitted and counted`() {
    var writer = FXTWriter()
    let long = String(repeating: "x", count: 20_000)
    writer.appendEvent(
      .instant, thread: .index(1), category: .inline(long), name: .inline(long), at: 1)
    writer.appendEvent(
      .instant, thread: .index(1), category: .empty, name: .empty, at: 1,
      arguments: Array(repeating: (.empty, .null), count: 16))
    #expect(writer.bytes.isEmpty)
    #expect(writer.tooLargeCount == 2)
  }

  @Test func `names are truncated between characters`() throws {
    let bytes = FXTWriter.foreignFile { writer in
      writer.appendString(1, String(repeating: "é", count: 20_000) + "x")
      writer.appendString(2, "x" + String(repeating: "é", count: 20_000))
      for index in [1, 2] as [UInt16] {
        writer.appendEvent(
          .instant, thread: .index(1), category: .empty, name: .index(index), at: 1)
      }
    }
    let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    let lengths = words.filter { $0 & 0x8000_000f == 2 && $0 >> 4 & 0xfff > 3000 }.map { $0 >> 32 }
    #expect(lengths == [32_000, 31_999])
    let trace = try readTrace(bytes)
    #expect(trace.marks.map { trace.name(of: $0.label).utf8.count } == [4_096, 4_095])
    #expect(trace.marks.allSatisfy { !trace.name(of: $0.label).contains("\u{fffd}") })
  }
}
