import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The vocabulary (F-4), written by a stranger: no session blob, no chunks.
@Suite struct VocabularyTests {
  typealias Arguments = [(key: FXTWriter.Name, value: FXTWriter.Value)]

  static func trace(_ records: (inout FXTWriter) -> Void) throws -> Trace {
    try readTrace(FXTWriter.foreignFile(records))
  }

  static func append(
    _ writer: inout FXTWriter, _ event: FXTWriter.Event, _ category: String,
    _ name: String, at time: UInt64, _ arguments: Arguments = []
  ) {
    writer.appendEvent(
      event, thread: .index(1), category: .inline(category), name: .inline(name), at: time,
      arguments: arguments)
  }

  static func frame(
    _ writer: inout FXTWriter, _ event: FXTWriter.Event, at time: UInt64,
    _ arguments: Arguments
  ) {
    append(&writer, event, "scrolltrace.frame", "main", at: time, arguments)
  }

  @Test func `three records make one frame, with any integer types and in any order`() throws {
    let trace = try Self.trace { writer in
      Self.frame(
        &writer, .instant, at: 17, [("frame", .int32(1)), ("presented", .int64(17_000))])
      Self.frame(
        &writer, .instant, at: 1_000,
        [
          ("frame", .uint64(1)), ("begin", .uint32(1_000)), ("deadline", .int32(9_000)),
          ("target", .uint64(17_000)), ("interval", .uint64(8_000_000)),
        ])
      Self.frame(&writer, .complete(end: 5_000), at: 2_000, [("frame", .int64(1))])
    }
    let surface = try #require(trace.surfaces.first)
    #expect(surface.name == "main")
    #expect(surface.basis == .target)
    #expect(surface.frames.count == 1)
    let frame = surface.frames[0]
    #expect(frame.id == 1)
    #expect(frame.start?.nanoseconds == 1_000)
    #expect(frame.commitStart?.nanoseconds == 2_000)
    #expect(frame.commitEnd?.nanoseconds == 5_000)
    #expect(frame.deadline?.nanoseconds == 9_000)
    #expect(frame.target?.nanoseconds == 17_000)
    #expect(frame.presented?.nanoseconds == 17_000)
    #expect(frame.refreshInterval?.nanoseconds == 8_000_000)
    #expect(frame.outcome == .presented)
    #expect(frame.track == trace.mainTrack)
    // The commit is work of its track, too.
    #expect(trace.spanNames(2) == ["scrolltrace.frame/main"])
    #expect(trace.marks.isEmpty)
    #expect(trace.losses.isEmpty)
  }

  @Test func `a frame's outcome is a string`() async {
    await forEachCase(of: [
      ("presented", FrameOutcome.presented), ("dropped", .dropped),
      ("notRequested", .notRequested),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ word: String, _ outcome: FrameOutcome) throws {
      let trace = try Self.trace {
        Self.frame(
          &$0, .instant, at: 1,
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
        Self.frame(
          &$0, .instant, at: 1,
          [("frame", .uint32(1)), ("begin", .uint32(5)), ("target", value)])
      }
      #expect(trace.surfaces.first?.frames[0].target == nil)
      #expect(trace.surfaces.first?.frames[0].start?.nanoseconds == 5)
      #expect(trace.lossCounts == [.invalidValue: 1])
    }
  }

  @Test func `a frame record without a frame is kept as a plain event and counted`() throws {
    let trace = try Self.trace { writer in
      Self.frame(&writer, .instant, at: 1, [("begin", .uint32(5))])
      Self.frame(&writer, .complete(end: 9), at: 2, [("frame", .string("one"))])
      Self.frame(
        &writer, .instant, at: 1, [("frame", .uint32(1)), ("outcome", .string("lost"))])
    }
    #expect(trace.marks.count == 1)
    #expect(trace.spanCount == 1)
    #expect(trace.lossCounts == [.invalidValue: 3])
  }

  @Test func `a commit can be recorded as begin and end`() throws {
    let trace = try Self.trace { writer in
      Self.frame(&writer, .begin, at: 10, [("frame", .uint32(4))])
      Self.frame(&writer, .end, at: 30, [("outcome", .string("dropped"))])
    }
    let frame = try #require(trace.surfaces.first).frames[0]
    #expect(frame.commitStart?.nanoseconds == 10)
    #expect(frame.commitEnd?.nanoseconds == 30)
    #expect(frame.outcome == .dropped)
  }

  @Test func `times in arguments are ticks, like the times of events`() throws {
    let trace = try Self.trace { writer in
      writer.appendInitialization(ticksPerSecond: 1_000)
      Self.frame(
        &writer, .instant, at: 3,
        [("frame", .uint32(1)), ("begin", .uint32(3)), ("interval", .uint32(8))])
    }
    let frame = try #require(trace.surfaces.first).frames[0]
    #expect(frame.start?.nanoseconds == 3_000_000)
    #expect(frame.refreshInterval == .milliseconds(8))
  }

  @Test func `a surface states how exact its times are`() throws {
    let trace = try Self.trace { writer in
      Self.append(
        &writer, .instant, "scrolltrace.surface", "main", at: 1,
        [("tolerance", .uint64(1_000_000)), ("grid", .bool(true))])
      Self.append(
        &writer, .instant, "scrolltrace.surface", "other", at: 1,
        [("tolerance", .int64(-1)), ("grid", .string("yes"))])
    }
    #expect(trace.surfaces.map(\.presentationTolerance) == [.milliseconds(1), .zero])
    #expect(trace.surfaces.map(\.timesLieOnRefreshGrid) == [true, false])
    #expect(trace.lossCounts == [.invalidValue: 2])
  }

  @Test func `interactions pair by kind and id, and one without an end is open`() throws {
    let trace = try Self.trace { writer in
      let category = "scrolltrace.interaction"
      Self.append(&writer, .asyncBegin(id: 1), category, "drag", at: 10)
      Self.append(
        &writer, .asyncBegin(id: 1), category, "animation", at: 20,
        [("surface", .string("main"))])
      Self.append(&writer, .asyncEnd(id: 1), category, "drag", at: 30)
      Self.append(&writer, .asyncEnd(id: 2), category, "drag", at: 40)
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
      let category = "scrolltrace.interaction"
      Self.append(&writer, .asyncEnd(id: 1), category, "drag", at: 10)
      Self.append(&writer, .asyncEnd(id: 2), category, "drag", at: 10)
      Self.append(&writer, .asyncBegin(id: 1), category, "drag", at: 10)
      Self.append(&writer, .asyncBegin(id: 2), category, "drag", at: 11)
    }
    #expect(trace.interactions.map(\.start.nanoseconds) == [10, 11])
    #expect(trace.interactions.map(\.end?.nanoseconds) == [10, nil])
    #expect(trace.lossCounts == [.unmatchedEnd: 1])
  }

  @Test func `a state without a value is cleared`() throws {
    let trace = try Self.trace { writer in
      let category = "scrolltrace.state"
      Self.append(
        &writer, .instant, category, "", at: 1,
        [("key", .string("screen")), ("value", .string("feed"))])
      Self.append(&writer, .instant, category, "", at: 2, [("key", .string("screen"))])
      Self.append(&writer, .instant, category, "", at: 3, [("value", .string("x"))])
    }
    #expect(trace.states.map(\.key) == ["screen", "screen"])
    #expect(trace.states.map(\.value) == ["feed", nil])
    #expect(trace.lossCounts == [.invalidValue: 1])
  }

  @Test func `each numeric argument of a counter is its own series`() throws {
    let trace = try Self.trace { writer in
      Self.append(
        &writer, .counter(id: 5), "scrolltrace.counter", "pool", at: 1,
        [("a", .int32(-3)), ("b", .double(.infinity)), ("c", .string("x"))])
      Self.append(
        &writer, .instant, "scrolltrace.counter", "pool", at: 2, [("a", .uint64(4))])
    }
    #expect(trace.counters.map { trace.strings[$0.series] } == ["a", "a"])
    #expect(trace.counters.map(\.values) == [[-3], [4]])
    #expect(trace.lossCounts == [.invalidValue: 2])
  }

  @Test func `flows and marks keep their positions and values`() throws {
    let trace = try Self.trace { writer in
      Self.append(
        &writer, .instant, "scrolltrace.cell", "willDisplay", at: 5,
        [("item", .uint64(UInt64.max)), ("reused", .bool(true)), ("kind", .null)])
      Self.append(&writer, .flowBegin(id: 9), "scrolltrace.data", "load", at: 6)
      Self.append(&writer, .flowStep(id: 9), "scrolltrace.data", "load", at: 7)
      Self.append(&writer, .flowEnd(id: 9), "scrolltrace.data", "load", at: 8)
    }
    #expect(
      trace.marks.map { trace.text(of: $0.arguments) } == [
        ["item=18446744073709551615", "reused=true", "kind"]
      ])
    #expect(trace.flows.map(\.kind) == [.start, .step, .end])
    #expect(trace.flows.map(\.id) == [9, 9, 9])
  }
}
