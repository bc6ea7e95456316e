import ScrollTraceLayout
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What the profile adds to FXT: session, chunks, seals, stacks.
@Suite struct ProfileTests {
  typealias Chunk = ProfileSample.Chunk

  /// A chunk with one span `name` at `begin`.
  static func chunk(
    _ sequence: UInt64, _ name: String, at start: UInt64, threadSequence: UInt64? = nil,
    thread: UInt64 = 101, isSealed: Bool = false
  ) -> Chunk {
    Chunk(
      sequence: sequence, threadSequence: threadSequence ?? sequence, thread: thread,
      isSealed: isSealed
    ) { writer in
      writer.appendString(1, "app")
      writer.appendString(2, name)
      writer.append(.complete(end: start + 10), .index(1), .index(2), at: start)
    }
  }

  @Test func `a finished recording is read without loss`() throws {
    let trace = try readTrace(ProfileSample.compact.bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.source.wasClosed == true)
    #expect(trace.isComplete)
    #expect(trace.processes.map(\.isHost) == [true])
    #expect(trace.mainTrack != nil)
    #expect(trace.track(101)?.name == "main")
    #expect(trace.spanNames(101) == ["scrolltrace.frame/main", "app/layout"])
    #expect(trace.interactions.map(\.kind) == ["drag"])
    #expect(trace.counters.map(\.values) == [[3], [0.5]])
  }

  @Test func `a recording that was never finished is reported as such, and lost nothing`() throws {
    var sample = ProfileSample.compact
    sample.state = 0
    let trace = try readTrace(sample.bytes)
    #expect(trace.source.wasClosed == false)
    #expect(trace.notices.contains(.notClosed))
    #expect(trace.losses.isEmpty)
  }

  @Test func `a newer format is rejected with the advice to update (F-7)`() async {
    await forEachCase(of: [(2, 0), (1, 1), (1, 1 << 63)] as [(UInt16, UInt64)]) {
      try oneCase($0, $1)
    }
    @Sendable func oneCase(_ major: UInt16, _ flags: UInt64) throws {
      var sample = ProfileSample.compact
      sample.major = major
      sample.incompatibleFlags = flags
      let error = #expect(throws: ImportError.self) { try readTrace(sample.bytes) }
      #expect(error?.advice.contains("update") == true)
    }
  }

  @Test func `the recorder's own counters become losses (W7)`() throws {
    var sample = ProfileSample.compact
    sample.droppedNoChunk = 3
    sample.droppedTooBig = 4
    sample.droppedAfterClose = 5
    let trace = try readTrace(sample.bytes)
    #expect(
      trace.lossCounts == [
        .recorderOutOfSpace: 3, .recordTooLarge: 4, .recordedAfterFinish: 5,
      ])
  }

  @Test
  func `spans that begin in one chunk and end in another are paired in any order (R9)`() throws {
    func half(_ sequence: UInt64, _ event: FXTWriter.Event, at time: UInt64) -> Chunk {
      Chunk(sequence: sequence, threadSequence: sequence) {
        $0.append(event, "app", "work", at: time)
      }
    }
    let sample = ProfileSample(chunks: [half(1, .end, at: 300), half(0, .begin, at: 100)])
    let trace = try readTrace(sample.bytes)
    #expect(trace.spanNames(101) == ["app/work"])
    #expect(trace.losses.isEmpty)
  }

  @Test func `of two chunks with one number the sealed one counts (R10)`() throws {
    let sealed = Self.chunk(0, "sealed", at: 100, isSealed: true)
    let other = Self.chunk(0, "other", at: 200)
    for chunks in [[sealed, other], [other, sealed]] {
      let trace = try readTrace(ProfileSample(chunks: chunks).bytes)
      #expect(trace.spanNames(101) == ["app/sealed"])
      #expect(trace.lossCounts == [.duplicateChunk: 1])
    }
  }

  @Test func `if the source cannot seek back, the first of two chunks counts (R10)`() throws {
    final class Pipe: ByteSource {
      let inner: MemoryByteSource
      init(_ bytes: [UInt8]) { inner = MemoryByteSource(bytes) }
      var byteCount: UInt64? { nil }
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
        // Pipes give little at a time.
        try inner.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(1_001)))
      }
    }
    let sample = ProfileSample(chunks: [
      Self.chunk(0, "first", at: 100), Self.chunk(0, "sealed", at: 200, isSealed: true),
    ])
    var builder = TraceBuilder(format: "fxt")
    try FXTImporter.importTrace(
      Pipe(sample.bytes), options: ImportOptions(), into: &builder)
    let trace = builder.finish()
    #expect(trace.spanNames(101) == ["app/first"])
    #expect(trace.lossCounts == [.duplicateChunk: 1])
  }

  @Test func `names and threads do not outlive their chunk`() throws {
    let user = Chunk(sequence: 1, threadSequence: 1) {
      $0.append(.complete(end: 210), .index(1), .index(2), at: 200)
    }
    let sample = ProfileSample(chunks: [Self.chunk(0, "a", at: 100), user])
    let trace = try readTrace(sample.bytes)
    #expect(
      trace.spanNames(101) == ["app/a", "(undefined string 1)/(undefined string 2)"])
    #expect(trace.lossCounts == [.undefinedReference: 1])
  }

  // MARK: - Stacks

  /// A stack chunk with one thread that has `entries` open.
  static func stacks(
    _ entries: [(start: UInt64, category: UInt16, name: UInt16, item: UInt64?)]
  ) -> Chunk {
    typealias Slot = RecordingLayout.Slot
    typealias Entry = RecordingLayout.Entry
    var payload = [UInt8](repeating: 0, count: RecordingLayout.Stacks.size)
    payload.store(UInt32(1), at: RecordingLayout.Stacks.layout)
    payload.store(
      UInt32(RecordingLayout.Stacks.slotCount), at: RecordingLayout.Stacks.slots)
    payload.store(
      UInt32(RecordingLayout.Stacks.entryCount), at: RecordingLayout.Stacks.depth)
    payload.store(UInt32(Slot.size), at: RecordingLayout.Stacks.slotSize)
    let slot = RecordingLayout.Stacks.headerSize + Slot.size
    payload.store(UInt64(101), at: slot + Slot.thread)
    payload.store(UInt32(entries.count), at: slot + Slot.depth)
    for (index, entry) in entries.prefix(32).enumerated() {
      let at = slot + Slot.entries + index * Entry.size
      payload.store(entry.start, at: at + Entry.begin)
      payload.store(entry.category, at: at + Entry.category)
      payload.store(entry.name, at: at + Entry.name)
      payload.store(entry.item ?? 0, at: at + Entry.item)
      payload.store(entry.item == nil ? 0 : Entry.hasItem, at: at + Entry.flags)
    }
    return Chunk(
      sequence: 9, thread: 0, flags: RecordingLayout.ChunkFlag.stacks
    ) { [payload] in $0.appendBlob("scrolltrace.stacks", payload) }
  }

  @Test func `spans open when the host died are reported with their start (F-5)`() throws {
    var sample = ProfileSample(chunks: [
      Self.stacks([(50, 1, 2, nil), (100, 1, 2, 7), (0, 1, 2, nil), (120, 1, 2, 8)]),
      Self.chunk(0, "layout", at: 100),
    ])
    sample.state = 0
    let trace = try readTrace(sample.bytes)
    // The span of 100 is in the file as an event, the one of 0 was ended by another thread.
    #expect(trace.openSpans.map(\.since.nanoseconds) == [50, 120])
    #expect(trace.openSpans.map(\.item) == [nil, .unsigned(8)])
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["layout", "layout"])
    #expect(trace.losses.isEmpty)
  }

  @Test
  func `what was open when the host died lasted until the recorder was last alive (W10)`() throws {
    func end(
      _ alive: UInt64, check: UInt64? = nil, state: UInt64 = 0, isOpen: Bool = true
    ) throws -> Int64 {
      var sample = ProfileSample(chunks: [Self.chunk(0, "layout", at: 100)])
      if isOpen { sample.chunks.append(Self.stacks([(50, 1, 2, nil)])) }
      sample.state = state
      var bytes = sample.bytes
      let place =
        RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.closeAnchor
      bytes.store(alive, at: place + RecordingLayout.Anchor.clock)
      bytes.store(check ?? ~alive, at: place + RecordingLayout.Anchor.uncertainty)
      return try readTrace(bytes).range.end.nanoseconds
    }
    let last = try end(0, check: 0)
    #expect(last < 1000)
    #expect(try end(5_000_000_000) == 5_000_000_000)
    #expect(try end(20) == last)
    #expect(try end(5_000_000_000, check: ~5_000_000_001) == last)
    #expect(try end(1 << 63) == last)
    #expect(try end(5_000_000_000, state: 1) == last)
    #expect(try end(5_000_000_000, isOpen: false) == last)
  }

  @Test func `a span that started long after the last event is open if the recorder lived (W10)`()
    throws
  {
    var sample = ProfileSample(chunks: [
      Self.chunk(0, "layout", at: 100), Self.stacks([(5_000_000_000, 1, 2, nil)]),
    ])
    sample.state = 0
    var bytes = sample.bytes
    let trace = try readTrace(bytes)
    #expect(trace.openSpans.isEmpty)
    #expect(trace.lossCounts == [.timeOutOfRange: 1])
    let alive: UInt64 = 6_000_000_000
    let anchor = RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.closeAnchor
    bytes.store(alive, at: anchor + RecordingLayout.Anchor.clock)
    bytes.store(~alive, at: anchor + RecordingLayout.Anchor.uncertainty)
    let hung = try readTrace(bytes)
    #expect(hung.openSpans.map(\.since.nanoseconds) == [5_000_000_000])
    #expect(hung.losses.isEmpty)
  }

  @Test func `an open span whose name no chunk defines keeps its time (R5)`() throws {
    let sample = ProfileSample(chunks: [Self.stacks([(50, 0, 17, nil)])])
    let trace = try readTrace(sample.bytes)
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["(undefined string 17)"])
    #expect(trace.lossCounts == [.undefinedReference: 1])
  }

  @Test func `spans deeper than the stack keeps are reported (F-5)`() throws {
    let entries = (0..<40).map { (UInt64($0 + 1), UInt16(0), UInt16(0), UInt64?.none) }
    let trace = try readTrace(ProfileSample(chunks: [Self.stacks(entries)]).bytes)
    #expect(trace.openSpans.count == 32)
    #expect(
      trace.notices.contains(
        .source("8 spans were nested deeper than the recorder keeps")))
    var fewer = entries
    fewer.removeLast(7)
    let one = try readTrace(ProfileSample(chunks: [Self.stacks(fewer)]).bytes)
    #expect(one.notices.contains(.source("1 span was nested deeper than the recorder keeps")))
  }
}
