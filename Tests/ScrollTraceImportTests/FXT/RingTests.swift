import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Files of flight recorders, and what is at their edges (W8, R18).
struct RingTests {
  private typealias Chunk = ProfileSample.Chunk

  /// A ring of which everything before `since` is overwritten.
  private static func sample(_ chunks: [Chunk], since: UInt64 = 1_000) -> ProfileSample {
    var sample = ProfileSample(chunks: chunks)
    sample.ringChunks = 4
    sample.chunksOverwritten = 8
    sample.keptSince = since
    return sample
  }

  private static func marks(_ sequence: UInt64, _ names: [String]) -> Chunk {
    Chunk(sequence: sequence, threadSequence: sequence) { writer in
      for name in names {
        writer.append(.instant, "app", .inline(name), at: 2_000)
      }
    }
  }

  @Test func `chunks are read in the order of their numbers, not of the file (R9)`() throws {
    let chunks = [
      Self.marks(9, ["e", "f"]), Self.marks(7, ["a", "b"]), Self.marks(8, ["c", "d"]),
    ]
    let trace = try readTrace(Self.sample(chunks).bytes)
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["a", "b", "c", "d", "e", "f"])
    #expect(trace.losses.isEmpty)
  }

  @Test func `one state that found no room in the durable part is singular (W8)`() throws {
    var bytes = Self.sample([Self.marks(7, ["a"])]).bytes
    let field = RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.notDurable
    for (count, records) in [
      (UInt64(1), "1 state or interaction"), (2, "2 states and interactions"),
    ] {
      bytes.store(count, at: field)
      let text =
        "\(records) did not fit in the part that is never overwritten; those older than the"
        + " recording are unknown"
      #expect(try readTrace(bytes).notices.contains(.source(text)))
    }
  }

  @Test func `of two chunks with one number one counts, in a ring too (R10)`() throws {
    let other = Self.marks(7, ["other"])
    var sealed = Self.marks(7, ["sealed"])
    sealed.isSealed = true
    for chunks in [[other, Self.marks(8, []), sealed], [sealed, other]] {
      let trace = try readTrace(Self.sample(chunks).bytes)
      #expect(trace.marks.map { trace.name(of: $0.label) } == ["sealed"])
      #expect(trace.lossCounts == [.duplicateChunk: 1])
    }
  }

  @Test func `a chunk that is being rebuilt is skipped (R2, W8)`() throws {
    var bytes = Self.sample([Self.marks(7, ["old"]), Self.marks(8, ["new"])]).bytes
    // The pad comes first, then whatever the writer had time for.
    let pad: UInt64 = 0x0001_7FF0_0000_FFF5
    bytes.store(pad, at: ProfileSample.offset(0))
    for offset in [8, 64, 200] {
      bytes.store(UInt64.max, at: ProfileSample.offset(0) + offset)
      let trace = try readTrace(bytes)
      #expect(trace.marks.map { trace.name(of: $0.label) } == ["new"])
      #expect(trace.losses.isEmpty)
    }
  }

  @Test func `events of a durable chunk identify their own thread (W8)`() throws {
    var lasting = Chunk(sequence: 0, thread: 0, flags: RecordingLayout.ChunkFlag.durable) {
      writer in
      writer.appendString(9, "run loop")
      writer.appendEvent(
        .asyncBegin(id: 7), thread: .inline(process: ProfileSample.process, thread: 101),
        category: "scrolltrace.interaction", name: "drag", at: 10)
      writer.appendEvent(
        .asyncEnd(id: 7), thread: .inline(process: ProfileSample.process, thread: 102),
        category: "scrolltrace.interaction", name: "drag", at: 3_000)
    }
    lasting.isSealed = true
    let trace = try readTrace(Self.sample([Self.marks(7, ["a"]), lasting]).bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.interactions.map(\.start.nanoseconds) == [1_000])
    #expect(trace.interactions.map(\.end?.nanoseconds) == [3_000])
    #expect(trace.tracks.allSatisfy { $0.systemID != 0 })
  }

  @Test func `an end whose begin is overwritten is not a loss (R18)`() throws {
    let chunk = Chunk(sequence: 8, threadSequence: 8) { writer in
      for category in ["scrolltrace.interaction", "app"] {
        for (id, time) in [(1, 900), (2, 2_000)] as [(UInt64, UInt64)] {
          writer.append(.asyncEnd(id: id), .inline(category), "late", at: time)
        }
      }
    }
    let trace = try readTrace(Self.sample([chunk]).bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.interactions.map(\.start.nanoseconds) == [1_000])
    #expect(trace.tracks[0].spans.count == 0)
    // Where nothing is overwritten, it is one.
    var whole = ProfileSample(chunks: [chunk])
    whole.ringChunks = 4
    #expect(try readTrace(whole.bytes).lossCounts[.unmatchedEnd] == 4)
  }

  @Test func `a start after all records is counted, and every record is kept (R18)`() throws {
    let trace = try readTrace(Self.sample([Self.marks(7, ["a"])], since: 5_000).bytes)
    #expect(trace.marks.count == 1)
    #expect(trace.lossCounts == [.invalidValue: 1])
    #expect(trace.source.ring?.start == nil)
    let huge = try readTrace(Self.sample([Self.marks(7, ["a"])], since: .max).bytes)
    #expect(huge.marks.count == 1)
    #expect(huge.lossCounts == [.invalidValue: 1])
  }

  @Test func `counters and flows before the start are omitted (R18)`() throws {
    let chunk = Chunk(sequence: 8, threadSequence: 8) { writer in
      for time in [500, 1_500] as [UInt64] {
        writer.append(
          .counter(id: 0), "scrolltrace.counter", "pool", at: time, [("size", .uint64(time))])
        writer.append(.flowBegin(id: time), "app", "flow", at: time)
      }
    }
    let trace = try readTrace(Self.sample([chunk]).bytes)
    #expect(trace.counters.map(\.values) == [[1_500]])
    #expect(trace.flows.map(\.id) == [1_500])
    #expect(trace.range.start.nanoseconds == 1_000)
  }
}
