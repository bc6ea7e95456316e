import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What schedulers and hosts say of the time of threads.
struct SchedulingTests {
  /// A record that says that `core` goes from one thread to another.
  private static func appendSwitch(
    _ writer: inout FXTWriter, at time: UInt64, core: UInt64 = 0, state: UInt64, from out: UInt64,
    to next: UInt64
  ) {
    writer.appendWord(8 | 4 << 4 | core << 20 | state << 36 | 1 << 60)
    for word in [time, out, next] { writer.appendWord(word) }
  }

  private static func appendWakeup(
    _ writer: inout FXTWriter, at time: UInt64, core: UInt64, of thread: UInt64
  ) {
    writer.appendWord(8 | 3 << 4 | core << 20 | 2 << 60)
    writer.appendWord(time)
    writer.appendWord(thread)
  }

  private static func trace(_ records: (inout FXTWriter) -> Void) throws -> Trace {
    try read(FXTWriter.foreignFile(records))
  }

  private static func appendSchedule(_ writer: inout FXTWriter) {
    appendSwitch(&writer, at: 100, state: 3, from: 0, to: 2)
    appendSwitch(&writer, at: 150, state: 1, from: 2, to: 3)
    appendSwitch(&writer, at: 180, state: 3, from: 3, to: 2)
    appendSwitch(&writer, at: 200, state: 3, from: 2, to: 0)
    appendSwitch(&writer, at: 210, core: 1, state: 3, from: 0, to: 3)
    appendWakeup(&writer, at: 240, core: 1, of: 2)
    appendSwitch(&writer, at: 250, state: 3, from: 0, to: 2)
    appendSwitch(&writer, at: 270, state: 5, from: 2, to: 0)
  }

  @Test func `switches and wakeups become thread states (M-25)`() throws {
    let trace = try Self.trace { writer in
      writer.appendThreadName("loader", systemID: 3, process: 1, processKey: "process")
      Self.appendSchedule(&writer)
    }
    #expect(
      trace.states(of: 2) == [
        "running 100-150 on 0", "ready 150-180", "running 180-200 on 0", "blocked 200-240",
        "ready 240-250 by 3", "running 250-270 on 0",
      ])
    #expect(
      trace.states(of: 3) == ["running 150-180 on 0", "blocked 180-210", "running 210-270 on 1"])
    #expect(trace.tracks.map(\.name) == ["", "loader"])
    #expect(trace.processes.map(\.systemID) == [1])
    #expect(trace.losses.isEmpty)
    #expect(trace.sourceNotices.isEmpty)
  }

  @Test func `the order of records does not matter`() throws {
    var writer = FXTWriter()
    Self.appendSchedule(&writer)
    let bytes = writer.bytes
    let trace = try Self.trace { writer in
      // The last two are of 32 bytes each.
      writer.append(Array(bytes.suffix(64)))
      writer.append(Array(bytes.dropLast(64)))
    }
    #expect(trace.states(of: 2).count == 6)
    #expect(trace.states(of: 3).count == 3)
  }

  @Test func `records of older writers refer to threads by index`() throws {
    let trace = try Self.trace { writer in
      writer.appendThread(2, process: 1, systemID: 3)
      // A thread of the kernel with the lowest priority, then the thread with index 1.
      writer.appendWord(8 | 4 << 4 | 5 << 16 | 3 << 24 | 0 << 28 | 1 << 36 | 0 << 44 | 9 << 52)
      for word in [100, 0, 77] as [UInt64] { writer.appendWord(word) }
      writer.appendWord(8 | 2 << 4 | 5 << 16 | 1 << 24 | 1 << 28 | 2 << 36 | 9 << 44 | 9 << 52)
      writer.appendWord(130)
    }
    #expect(trace.states(of: 2) == ["running 100-130 on 5"])
    #expect(trace.states(of: 77).isEmpty)
    #expect(trace.losses.isEmpty)
  }

  @Test func `the idle thread of a core is not a thread`() throws {
    let trace = try Self.trace { writer in
      writer.appendString(1, "incoming_weight")
      writer.appendWord(8 | 5 << 4 | 1 << 16 | 3 << 36 | 1 << 60)
      for word in [100, 2, 99] as [UInt64] { writer.appendWord(word) }
      writer.appendWord(1 | 1 << 4 | 1 << 16 | UInt64(UInt32(bitPattern: .min)) << 32)
      Self.appendWakeup(&writer, at: 120, core: 0, of: 2)
      Self.appendSwitch(&writer, at: 130, state: 3, from: 0, to: 2)
    }
    #expect(trace.states(of: 2) == ["blocked 100-120", "ready 120-130"])
    #expect(trace.tracks.count == 1)
  }

  @Test func `times without records are unknown`() throws {
    let trace = try Self.trace { writer in
      // It had run since nobody knows when.
      Self.appendSwitch(&writer, at: 100, state: 1, from: 2, to: 3)
      // The switch away from 3 is missing.
      Self.appendSwitch(&writer, at: 200, state: 3, from: 4, to: 2)
      Self.appendWakeup(&writer, at: 210, core: 1, of: 4)
      Self.appendSwitch(&writer, at: 220, state: 3, from: 2, to: 0)
    }
    #expect(trace.states(of: 2) == ["ready 100-200", "running 200-220 on 0"])
    #expect(trace.states(of: 3).isEmpty)
    #expect(trace.states(of: 4) == ["blocked 200-210", "ready 210-220"])
  }

  @Test func `without wakeups the time a thread waited for a core is unknown`() throws {
    let trace = try Self.trace { writer in
      Self.appendSwitch(&writer, at: 100, state: 3, from: 0, to: 2)
      Self.appendSwitch(&writer, at: 120, state: 3, from: 2, to: 0)
      Self.appendSwitch(&writer, at: 150, state: 3, from: 0, to: 2)
      Self.appendSwitch(&writer, at: 160, state: 1, from: 2, to: 3)
    }
    #expect(
      trace.states(of: 2) == ["running 100-120 on 0", "running 150-160 on 0"])
    #expect(trace.sourceNotices.count == 1)
  }

  @Test func `contradictory records cost only themselves (R4)`() throws {
    let trace = try Self.trace { writer in
      Self.appendSwitch(&writer, at: 100, state: 3, from: 0, to: 2)
      Self.appendSwitch(&writer, at: 110, core: 0xFFFF, state: 3, from: 0, to: 2)
      Self.appendSwitch(&writer, at: 120, state: 9, from: 2, to: .max)
      Self.appendSwitch(&writer, at: .max, state: 1, from: 2, to: 3)
      writer.appendWord(8 | 2 << 4 | 1 << 60)
      writer.appendWord(5)
      writer.appendWord(8 | 1 << 4 | 2 << 60)
      writer.appendWord(8 | 1 << 4)
      writer.appendWord(8 | 1 << 4 | 7 << 60)
      writer.appendSpan()
    }
    #expect(trace.spanCount == 1)
    #expect(trace.states(of: 2) == ["running 100-120 on 0"])
    #expect(
      trace.lossCounts == [
        .invalidValue: 2, .timeOutOfRange: 1, .malformedRecord: 3,
      ])
  }

  @Test func `threads beyond the maximum have no schedule`() throws {
    let trace = try Self.trace { writer in
      for thread in 1...140_000 as ClosedRange<UInt64> {
        Self.appendWakeup(&writer, at: thread, core: 0, of: thread)
      }
    }
    #expect(trace.tracks.count == 1)
    #expect(trace.tracks.allSatisfy { $0.threadStates.isEmpty })
    #expect(
      trace.notices.contains(.tooManyThreadStates(limit: TraceBuilder.threadStateLimit)))
  }

  // MARK: - What hosts say

  @Test func `a frame holds its thread's counts at its start and at its commit's end`() throws {
    let trace = try Self.trace { writer in
      let thread = FXTWriter.Thread.index(1)
      writer.appendEvent(
        .instant, thread: thread, category: "scrolltrace.frame", name: "feed", at: 100,
        arguments: [("frame", .uint64(1)), ("cpu", .uint64(40)), ("ready", .uint64(3))])
      writer.appendEvent(
        .complete(end: 190), thread: thread, category: "scrolltrace.frame", name: "feed", at: 110,
        arguments: [("frame", .uint64(1)), ("cpu", .uint64(90)), ("diskFaults", .uint32(2))])
      writer.appendEvent(
        .begin, thread: thread, category: "scrolltrace.frame", name: "feed", at: 200,
        arguments: [("frame", .uint64(2))])
      writer.appendEvent(
        .end, thread: thread, category: "scrolltrace.frame", name: "feed", at: 230,
        arguments: [("cpu", .uint64(115))])
    }
    #expect(trace.cpuTimes(of: 2) == ["100: 40", "190: 90", "230: 115"])
    let times = trace.tracks[0].threadTimes
    #expect(times[0].ready == 3)
    #expect(times[1].diskFaults == 2)
    #expect(times[1].ready == nil)
    #expect(trace.surfaces[0].frames.count == 2)
    #expect(trace.losses.isEmpty)
  }

  @Test func `a host can record its threads' states itself`() throws {
    let trace = try Self.trace { writer in
      func add(
        _ name: FXTWriter.Name, at time: UInt64,
        _ arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)]
      ) {
        writer.append(.instant, "scrolltrace.thread", name, at: time, arguments)
      }
      add("time", at: 10, [("cpu", .uint64(5)), ("waits", .uint64(1))])
      add("running", at: 20, [("end", .uint64(30)), ("core", .uint32(1))])
      add("blocked", at: 30, [("end", .uint64(40))])
      add("ready", at: 40, [("end", .uint64(50)), ("waker", .uint64(3))])
      add("ready", at: 60, [("end", .uint64(55))])
      add("running", at: 70, [])
      add("time", at: 80, [("cpu", .int64(-1))])
      add("dreaming", at: 90, [])
      writer.appendThread(2, process: 1, systemID: 3)
      writer.appendEvent(.instant, thread: .index(2), category: "app", name: "wake", at: 40)
    }
    #expect(
      trace.states(of: 2) == ["running 20-30 on 1", "blocked 30-40", "ready 40-50 by 3"])
    #expect(trace.cpuTimes(of: 2) == ["10: 5"])
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["wake", "dreaming"])
    #expect(trace.lossCounts == [.endBeforeBegin: 1, .invalidValue: 2])
    // Slices and samples do not make a trace longer.
    #expect(trace.range.start.nanoseconds == 40)
  }
}
