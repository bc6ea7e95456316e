import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The vocabulary (F-4), written by a stranger: no session blob, no chunks.
@Suite struct VocabularyTests {
  static func trace(_ records: (inout FXTWriter) -> Void) throws -> Trace {
    try readTrace(FXTWriter.foreignFile(records))
  }

  @Test func `three records make one frame, with any integer types and in any order`() throws {
    let trace = try Self.trace { writer in
      writer.appendFrame(.instant, at: 17, [("frame", .int32(1)), ("presented", .int64(17_000))])
      writer.appendFrame(
        .instant, at: 1_000,
        [
          ("frame", .uint64(1)), ("begin", .uint32(1_000)), ("deadline", .int32(9_000)),
          ("target", .uint64(17_000)), ("interval", .uint64(8_000_000)),
        ])
      writer.appendFrame(.complete(end: 5_000), at: 2_000, [("frame", .int64(1))])
    }
    // The commit is work of its track, too.
    #expect(
      trace.dump == [
        "frame main 1 begin=1000 commit=2000...5000 deadline=9000 target=17000 presented=17000",
        "span 2 scrolltrace.frame/main 2000...5000 frame=1",
      ])
    let surface = try #require(trace.surfaces.first)
    #expect(surface.basis == .target)
    #expect(surface.frames[0].refreshInterval?.nanoseconds == 8_000_000)
    #expect(surface.frames[0].outcome == .presented)
    #expect(surface.frames[0].track == trace.mainTrack)
  }

  @Test func `frames say the same with words of the table, in any form, as with their own`()
    throws
  {
    let words = [
      "scrolltrace.frame", "main", "frame", "begin", "deadline", "target", "interval", "presented",
      "cpu", "waits", "note", "outcome", "dropped",
    ]
    func trace(isIndexed: Bool) throws -> Trace {
      var random = SeededGenerator(seed: 11)
      func name(_ word: String) -> FXTWriter.Name {
        let index = words.firstIndex(of: word).map { UInt16($0 + 1) }
        return isIndexed ? index.map { .index($0) } ?? .inline(word) : .inline(word)
      }
      func value(_ number: Int64) -> FXTWriter.Value {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .int32(Int32(truncatingIfNeeded: number))
        case 1: .uint32(UInt32(truncatingIfNeeded: number))
        case 2: .int64(number)
        case 3: .int64(-number)
        case 4: .double(Double(number))
        default: .uint64(UInt64(number))
        }
      }
      return try Self.trace { writer in
        for (index, word) in words.enumerated() {
          writer.appendString(UInt16(index + 1), word)
        }
        for number in 1...2_000 as ClosedRange<Int64> {
          let time = number * 16
          var arguments = [(key: name("frame"), value: value(number))]
          for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let key = words[Int.random(in: 3..<11, using: &random)]
            arguments.append((name(key), value(time + Int64.random(in: 0..<40, using: &random))))
          }
          if Int.random(in: 0..<6, using: &random) == 0 {
            arguments.append((name("outcome"), .string(name("dropped"))))
          }
          let isSpan = Bool.random(using: &random)
          writer.append(
            isSpan ? .complete(end: UInt64(time + 8)) : .instant, name("scrolltrace.frame"),
            name("main"), at: UInt64(time), arguments)
        }
      }
    }
    let (own, ofTable) = (try trace(isIndexed: false), try trace(isIndexed: true))
    #expect(own.dump == ofTable.dump)
    #expect(own.lossCounts == ofTable.lossCounts)
    #expect(own.surfaces.map(\.frames.count) == ofTable.surfaces.map(\.frames.count))
  }

  @Test func `a frame's outcome is a string`() async {
    await forEachCase(of: [
      ("presented", FrameOutcome.presented), ("dropped", .dropped),
      ("notRequested", .notRequested),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ word: String, _ outcome: FrameOutcome) throws {
      let trace = try Self.trace {
        $0.appendFrame(
          .instant, at: 1,
          [("frame", .uint32(1)), ("begin", .uint32(1)), ("outcome", .string(.inline(word)))])
      }
      #expect(trace.surfaces.first?.frames[0].outcome == outcome)
    }
  }

  @Test func `a time of the wrong type is counted, and the rest of the frame is kept`() async {
    await forEachCase(
      of: [
        FXTWriter.Value.double(1_000), .string("1000"), .int32(-1), .bool(true), .null,
      ], oneCase)
    @Sendable func oneCase(value: FXTWriter.Value) throws {
      let trace = try Self.trace {
        $0.appendFrame(
          .instant, at: 1,
          [("frame", .uint32(1)), ("begin", .uint32(5)), ("target", value)])
      }
      #expect(trace.surfaces.first?.frames[0].target == nil)
      #expect(trace.surfaces.first?.frames[0].start?.nanoseconds == 5)
      #expect(trace.lossCounts == [.invalidValue: 1])
    }
  }

  @Test func `a frame record without a frame is kept as a plain event and counted`() throws {
    let trace = try Self.trace { writer in
      writer.appendFrame(.instant, at: 1, [("begin", .uint32(5))])
      writer.appendFrame(.complete(end: 9), at: 2, [("frame", .string("one"))])
      writer.appendFrame(.instant, at: 1, [("frame", .uint32(1)), ("outcome", .string("lost"))])
    }
    #expect(trace.marks.count == 1)
    #expect(trace.spanCount == 1)
    #expect(trace.lossCounts == [.invalidValue: 3])
  }

  @Test func `a commit can be recorded as begin and end`() throws {
    let trace = try Self.trace { writer in
      writer.appendFrame(.begin, at: 10, [("frame", .uint32(4))])
      writer.appendFrame(.end, at: 30, [("outcome", .string("dropped"))])
    }
    let frame = try #require(trace.surfaces.first).frames[0]
    #expect(frame.commitStart?.nanoseconds == 10)
    #expect(frame.commitEnd?.nanoseconds == 30)
    #expect(frame.outcome == .dropped)
  }

  @Test func `times in arguments are ticks, like the times of events`() throws {
    let trace = try Self.trace { writer in
      writer.appendInitialization(ticksPerSecond: 1_000)
      writer.appendFrame(
        .instant, at: 3,
        [("frame", .uint32(1)), ("begin", .uint32(3)), ("interval", .uint32(8))])
    }
    let frame = try #require(trace.surfaces.first).frames[0]
    #expect(frame.start?.nanoseconds == 3_000_000)
    #expect(frame.refreshInterval == .milliseconds(8))
  }

  @Test func `a surface states how exact its times are`() throws {
    let trace = try Self.trace { writer in
      writer.append(
        .instant, "scrolltrace.surface", "main", at: 1,
        [("tolerance", .uint64(1_000_000)), ("grid", .bool(true))])
      writer.append(
        .instant, "scrolltrace.surface", "other", at: 1,
        [("tolerance", .int64(-1)), ("grid", .string("yes"))])
    }
    #expect(trace.surfaces.map(\.presentationTolerance) == [.milliseconds(1), .zero])
    #expect(trace.surfaces.map(\.timesLieOnRefreshGrid) == [true, false])
    #expect(trace.lossCounts == [.invalidValue: 2])
  }

  @Test func `interactions pair by kind and id, and one without an end is open`() throws {
    let trace = try Self.trace { writer in
      let category: FXTWriter.Name = "scrolltrace.interaction"
      writer.append(.asyncBegin(id: 1), category, "drag", at: 10)
      writer.append(
        .asyncBegin(id: 1), category, "animation", at: 20,
        [("surface", .string("main"))])
      writer.append(.asyncEnd(id: 1), category, "drag", at: 30)
      writer.append(.asyncEnd(id: 2), category, "drag", at: 40)
    }
    #expect(trace.interactions.map(\.kind) == ["drag", "animation"])
    #expect(trace.interactions.map(\.end?.nanoseconds) == [30, nil])
    #expect(
      trace.interactions.map { $0.surface.map { trace.surfaces[$0.index].name } } == [
        nil, "main",
      ])
    #expect(trace.lossCounts == [.unmatchedEnd: 1])
  }

  @Test func `a span of no length ends even if its end comes first in the file`() throws {
    let trace = try Self.trace { writer in
      let category: FXTWriter.Name = "scrolltrace.interaction"
      writer.append(.asyncEnd(id: 1), category, "drag", at: 10)
      writer.append(.asyncEnd(id: 2), category, "drag", at: 10)
      writer.append(.asyncBegin(id: 1), category, "drag", at: 10)
      writer.append(.asyncBegin(id: 2), category, "drag", at: 11)
    }
    #expect(trace.interactions.map(\.start.nanoseconds) == [10, 11])
    #expect(trace.interactions.map(\.end?.nanoseconds) == [10, nil])
    #expect(trace.lossCounts == [.unmatchedEnd: 1])
  }

  @Test func `a state without a value is cleared`() throws {
    let trace = try Self.trace { writer in
      let category: FXTWriter.Name = "scrolltrace.state"
      writer.append(
        .instant, category, "", at: 1,
        [("key", .string("screen")), ("value", .string("feed"))])
      writer.append(.instant, category, "", at: 2, [("key", .string("screen"))])
      writer.append(.instant, category, "", at: 3, [("value", .string("x"))])
    }
    #expect(trace.states.map(\.key) == ["screen", "screen"])
    #expect(trace.states.map(\.value) == ["feed", nil])
    #expect(trace.lossCounts == [.invalidValue: 1])
  }

  @Test func `each numeric argument of a counter is its own series`() throws {
    let trace = try Self.trace { writer in
      writer.append(
        .counter(id: 5), "scrolltrace.counter", "pool", at: 1,
        [("a", .int32(-3)), ("b", .double(.infinity)), ("c", .string("x"))])
      writer.append(.instant, "scrolltrace.counter", "pool", at: 2, [("a", .uint64(4))])
    }
    #expect(trace.counters.map { trace.strings[$0.series] } == ["a", "a"])
    #expect(trace.counters.map(\.values) == [[-3], [4]])
    #expect(trace.lossCounts == [.invalidValue: 2])
  }

  @Test func `flows and marks keep their positions and values`() throws {
    let trace = try Self.trace { writer in
      writer.append(
        .instant, "scrolltrace.cell", "willDisplay", at: 5,
        [("item", .uint64(UInt64.max)), ("reused", .bool(true)), ("kind", .null)])
      writer.append(.flowBegin(id: 9), "scrolltrace.data", "load", at: 6)
      writer.append(.flowStep(id: 9), "scrolltrace.data", "load", at: 7)
      writer.append(.flowEnd(id: 9), "scrolltrace.data", "load", at: 8)
    }
    #expect(
      trace.marks.map { trace.text(of: $0.arguments) } == [
        ["item=18446744073709551615", "reused=true", "kind"]
      ])
    #expect(trace.flows.map(\.kind) == [.start, .step, .end])
    #expect(trace.flows.map(\.id) == [9, 9, 9])
  }
}

extension FXTWriter {
  fileprivate mutating func appendFrame(
    _ event: Event, at time: UInt64, _ arguments: [(key: Name, value: Value)]
  ) {
    append(event, "scrolltrace.frame", "main", at: time, arguments)
  }
}
