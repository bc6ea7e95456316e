import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Records that contradict themselves, refer to nothing or are not known; each costs itself only.
@Suite struct RecordTests {
  /// A file with a whole span, then `records`, then another whole span.
  static func trace(_ records: (inout FXTWriter) -> Void) throws -> Trace {
    try readTrace(
      FXTWriter.foreignFile { writer in
        writer.appendSpan(at: 10)
        records(&writer)
        writer.appendSpan(at: 30, end: 40)
      })
  }

  /// The header of an event of `words` words with inline names of no bytes and thread 1.
  static func header(_ type: UInt64, words: UInt64, arguments: UInt64 = 0, thread: UInt64 = 1)
    -> UInt64
  {
    4 | words << 4 | type << 16 | arguments << 20 | thread << 24
  }

  @Test func `an event without its time is dropped alone (R4)`() throws {
    let trace = try Self.trace { $0.appendWord(Self.header(0, words: 1)) }
    #expect(trace.spanCount == 2)
    #expect(trace.lossCounts == [.malformedRecord: 1])
    #expect(trace.losses.first?.offset == 8 + 24 + 40)
  }

  @Test func `arguments that do not fit cost only their record (R4)`() throws {
    let trace = try Self.trace { writer in
      // 15 arguments in a record of two words
      writer.appendWord(Self.header(0, words: 2, arguments: 15))
      writer.appendWord(5)
      // an argument of no words
      writer.appendWord(Self.header(0, words: 3, arguments: 1))
      writer.appendWord(5)
      writer.appendWord(2)
      // an argument of nine words
      writer.appendWord(Self.header(0, words: 3, arguments: 1))
      writer.appendWord(5)
      writer.appendWord(2 | 9 << 4)
      // an argument of 64 bits in one word
      writer.appendWord(Self.header(0, words: 3, arguments: 1))
      writer.appendWord(5)
      writer.appendWord(4 | 1 << 4)
    }
    #expect(trace.spanCount == 2)
    #expect(trace.marks.isEmpty)
    #expect(trace.lossCounts == [.malformedRecord: 4])
  }

  @Test func `inline names and threads longer than their record cost only it (R7)`() throws {
    let trace = try Self.trace { writer in
      writer.appendWord(Self.header(0, words: 2) | (0x8000 | 0x7fff) << 32)
      writer.appendWord(5)
      writer.appendWord(Self.header(0, words: 3, thread: 0))
      writer.appendWord(5)
      writer.appendWord(1)
      // a string record whose text is longer than it
      writer.appendWord(2 | 1 << 4 | 1 << 16 | 200 << 32)
      // a thread record without numbers
      writer.appendWord(3 | 1 << 4 | 1 << 16)
    }
    #expect(trace.spanCount == 2)
    #expect(trace.lossCounts == [.malformedRecord: 4])
  }

  @Test func `undefined names and threads get placeholders, once per record (R5)`() throws {
    let trace = try Self.trace {
      $0.appendEvent(
        .complete(end: 25), thread: .index(9), category: .index(17), name: .index(18), at: 20,
        arguments: [(.index(19), .string(.index(20)))])
    }
    #expect(trace.spanNames(9) == ["(undefined string 17)/(undefined string 18)"])
    #expect(trace.track(9)?.name == "(undefined thread 9)")
    #expect(
      trace.text(of: trace.track(9)?.spans.arguments(at: 0) ?? .none) == [
        "(undefined string 19)=(undefined string 20)"
      ])
    #expect(trace.lossCounts == [.undefinedReference: 1])
  }

  @Test func `records, events and blobs of later versions are skipped with a notice (R23)`() throws
  {
    let trace = try Self.trace { writer in
      for type in UInt64(10)...14 { writer.appendWord(type | 1 << 4) }
      writer.appendWord(Self.header(11, words: 2))
      writer.appendWord(5)
      writer.appendWord(Self.header(0, words: 3, arguments: 1))
      writer.appendWord(5)
      writer.appendWord(12 | 1 << 4)
      writer.appendBlob("x", [1, 2, 3], type: 2)
      writer.appendBlob("x", [1, 2, 3], type: 3)
      writer.appendWord(0 | 1 << 4 | 9 << 16)
    }
    #expect(trace.spanCount == 2)
    #expect(trace.marks.count == 1)
    // Only an argument that cannot be read is a part of an event that is lost.
    #expect(trace.lossCounts == [.unknownRecord: 1])
    let said = trace.notices.map { "\($0)" }.filter { $0.contains("not read") }
    #expect(said.count == 1)
    #expect(said.first?.contains("blobs of Perfetto without samples (1)") == true)
    #expect(said.first?.contains("last branch records (1)") == true)
    #expect(said.first?.contains("records of the unknown type 11 (1)") == true)
  }

  @Test func `large records are skipped by their own size, even past the window`() throws {
    for words in [3, 5_000, 200_000] as [UInt64] {
      let trace = try Self.trace { writer in
        writer.appendWord(15 | words << 4)
        for _ in 1..<words { writer.appendWord(0) }
      }
      #expect(trace.spanCount == 2)
      #expect(trace.losses.isEmpty)
      #expect(trace.says("large records (1)"))
    }
    let cut = try Self.trace { $0.appendWord(15 | 0xffff_ffff << 4) }
    #expect(cut.spanCount == 1)
    #expect(cut.lossCounts == [.cutAtEnd: 1])
  }

  @Test func `a record of size zero ends a foreign file, and the rest is counted (R2)`() throws {
    let trace = try Self.trace { $0.appendWord(0x10004) }
    #expect(trace.spanCount == 1)
    #expect(trace.lossCounts == [.damagedBytes: 48])
    #expect(trace.losses.first?.offset == 8 + 24 + 40)
  }

  @Test func `zeros end where the next provider starts`() throws {
    let trace = try Self.trace { writer in
      for _ in 0..<5 { writer.appendWord(0) }
      writer.appendProvider(1, name: "second")
      writer.appendThread(1, process: 1, systemID: 2)
    }
    #expect(trace.spanCount == 2)
    #expect(trace.lossCounts == [.damagedBytes: 40])
  }

  @Test func `a begin after its end, and times out of range, are counted (R6)`() throws {
    let trace = try Self.trace { writer in
      writer.appendSpan(at: 20, end: 19)
      writer.appendSpan(at: 1 << 63, end: UInt64.max)
      writer.appendSpan(at: 20, end: UInt64.max)
    }
    #expect(trace.spanCount == 2)
    #expect(trace.lossCounts == [.endBeforeBegin: 1, .timeOutOfRange: 2])
  }

  @Test func `ticks per second can be anything but 0 (R6)`() throws {
    let zero = try Self.trace { $0.appendInitialization(ticksPerSecond: 0) }
    #expect(zero.lossCounts == [.invalidValue: 1])
    #expect(zero.track(2)?.spans.times.map(\.start) == [10, 30])
    let one = try Self.trace { $0.appendInitialization(ticksPerSecond: 1) }
    #expect(one.track(2)?.spans.times.map(\.start) == [10, 30_000_000_000])
    let maximum = try Self.trace { writer in
      writer.appendInitialization(ticksPerSecond: 1 << 63)
      writer.appendSpan(at: 1 << 62, end: 1 << 63)
    }
    #expect(maximum.track(2)?.spans.times.map(\.start) == [0, 10, 500_000_000])
    let overflow = try Self.trace { writer in
      writer.appendInitialization(ticksPerSecond: 1)
      writer.appendSpan(at: 1, end: 1 << 62)
    }
    #expect(overflow.lossCounts == [.timeOutOfRange: 1])
  }

  @Test func `providers have their own names, threads and clocks`() throws {
    let trace = try readTrace(
      FXTWriter.foreignFile { writer in
        for (provider, word) in [(UInt32(1), "one"), (2, "two")] {
          writer.appendProvider(provider)
          writer.appendInitialization(ticksPerSecond: UInt64(provider) * 1_000_000_000)
          writer.appendThread(1, process: 1, systemID: UInt64(10 + provider))
          writer.appendString(7, word)
        }
        for provider in [1, 2, 1, 2, 3] as [UInt32] {
          writer.appendProviderSection(provider)
          writer.append(.complete(end: 200), .empty, .index(7), at: 100)
        }
      })
    #expect(trace.spanNames(11) == ["/one", "/one"])
    #expect(trace.spanNames(12) == ["/two", "/two"])
    #expect(trace.track(12)?.spans.times.map(\.start) == [50, 50])
    // Provider 3 was never introduced: its event is kept.
    #expect(trace.spanNames(1) == ["/(undefined string 7)"])
    #expect(trace.lossCounts == [.undefinedReference: 1])
  }

  @Test func `a redefined name or thread replaces the previous one`() throws {
    let trace = try readTrace(
      FXTWriter.foreignFile { writer in
        for (word, thread) in [("one", UInt64(5)), ("two", 6), ("two", 6)] {
          writer.appendString(7, word)
          writer.appendThread(1, process: 1, systemID: thread)
          writer.append(.complete(end: 200), .empty, .index(7), at: 100)
        }
      })
    #expect(trace.spanNames(5) == ["/one"])
    #expect(trace.spanNames(6) == ["/two", "/two"])
  }

  @Test func `ends close the span they name, and spans above it have lost their end`() throws {
    func append(
      _ writer: inout FXTWriter, _ event: FXTWriter.Event, _ name: FXTWriter.Name,
      at time: UInt64
    ) {
      writer.append(event, .empty, name, at: time)
    }
    let trace = try readTrace(
      FXTWriter.foreignFile { writer in
        append(&writer, .end, "stray", at: 1)
        append(&writer, .begin, "outer", at: 10)
        append(&writer, .begin, "inner", at: 20)
        append(&writer, .end, .empty, at: 30)
        append(&writer, .begin, "lost", at: 40)
        append(&writer, .end, "outer", at: 50)
        append(&writer, .begin, "open", at: 60)
      })
    #expect(trace.spanNames(2) == ["/outer", "/inner"])
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["lost", "open"])
    #expect(trace.lossCounts == [.unmatchedEnd: 1])
  }

  @Test func `arguments of a begin and of its end are merged`() throws {
    let trace = try readTrace(
      FXTWriter.foreignFile { writer in
        writer.append(.begin, "a", "b", at: 1, [("item", .uint32(1))])
        writer.append(.end, "a", "b", at: 2, [("size", .double(1.5))])
      })
    #expect(
      trace.text(of: trace.track(2)?.spans.arguments(at: 0) ?? .none) == [
        "item=1", "size=1.5",
      ])
  }

  @Test
  func `processes and threads get the names of their kernel objects, before or after`() throws {
    let trace = try Self.trace { writer in
      writer.appendProcessName("app", process: 1)
      writer.appendThreadName("main", systemID: 2, process: 1)
      writer.appendThreadName("other", systemID: 2, process: 77)
    }
    #expect(trace.processes.map(\.name) == ["app"])
    #expect(trace.tracks.map(\.name) == ["main"])
  }

  @Test func `dropped records reported by the provider are a loss`() throws {
    let trace = try Self.trace { $0.appendProviderEvent(1) }
    #expect(trace.lossCounts == [.sourceDroppedRecords: 1])
  }
}
