import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// What the kernel's scheduler and counters of threads say in Perfetto's traces.
struct PerfettoScheduleTests {
  /// A bundle of a core's buffer.
  private static func bundle(
    core: Int, lost: Bool = false, _ events: Proto.Content..., columns: Proto = [:]
  ) -> Proto {
    let content: Proto = [1: .number(core), 3: .number(lost ? 1 : nil), 2: .repeated(events)]
    return [1: .message(content, columns)]
  }

  private static func change(
    _ time: Int, from out: Int, state: Int = 1, to next: Int, _ name: String = ""
  ) -> Proto.Content {
    let threads: Proto.Content = [
      2: .number(out), 4: .number(state), 5: .text(name), 6: .number(next),
    ]
    return [1: .number(time), 2: .number(out), 4: threads]
  }

  private static func waking(
    _ time: Int, of thread: Int, by waker: Int, flags: Int? = nil, kind: Int = 20
  ) -> Proto.Content {
    [1: .number(time), 2: .number(waker), 5: .number(flags), kind: [2: .number(thread)]]
  }

  private static let tree: Proto = [2: [1: [1: 10, 3: "app"], 2: [1: 11, 2: "worker", 3: 10]]]

  @Test func `switches and wakeups of all cores become thread states (M-25)`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(
        core: 1,
        Self.change(120, from: 0, to: 11),
        Self.waking(150, of: 10, by: 11),
        Self.change(190, from: 11, state: 256, to: 500, "other")),
      Self.bundle(
        core: 0,
        Self.change(100, from: 0, to: 10, "main"),
        Self.change(140, from: 10, to: 0),
        Self.change(160, from: 0, to: 10),
        Self.change(200, from: 10, state: 0, to: 0)), Self.tree,
    ])
    #expect(
      trace.states(of: 10) == [
        "running 100-140 on 0", "blocked 140-150", "ready 150-160 by 11", "running 160-200 on 0",
      ])
    #expect(trace.states(of: 11) == ["running 120-190 on 1", "ready 190-200"])
    #expect(trace.states(of: 500) == ["running 190-200 on 1"])
    #expect(trace.states(of: 0).isEmpty)
    #expect(Set(trace.tracks.map(\.name)) == ["main", "worker", "other"])
    #expect(trace.processes.first { $0.systemID == 10 }?.name == "app")
    let worker = trace.tracks.first { $0.name == "worker" }
    #expect(worker.map { trace.processes[$0.process.index].systemID } == 10)
    #expect(trace.losses.isEmpty)
  }

  @Test func `the compact form gives the same states`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(
        core: 1,
        // 120: idle -> 11, 190: 11 -> idle; 150: waking of 10
        columns: [
          4: [
            5: "worker", 5: "main", 1: [120, 70], 2: [0, 0], 3: [11, 0], 6: [0, 1],
            7: [0x96, 0x01],
            8: [10], 11: [1],
          ]
        ]),
      Self.bundle(
        core: 0,
        columns: [4: [1: [100, 40, 20, 40], 2: [1, 1, 0, 0], 3: [10, 0, 10, 0]]]),
    ])
    #expect(
      trace.states(of: 10) == [
        "running 100-140 on 0", "blocked 140-150", "ready 150-160 by 11", "running 160-200 on 0",
      ])
    #expect(trace.states(of: 11) == ["running 120-190 on 1", "ready 190-200"])
    #expect(Set(trace.tracks.map(\.name)) == ["main", "worker"])
  }

  @Test func `an interrupt is not a thread that wakes another one`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(
        core: 0,
        Self.change(90, from: 0, to: 7),
        Self.waking(100, of: 10, by: 7, flags: 0x08),
        Self.waking(105, of: 10, by: 7, kind: 17),
        Self.change(110, from: 7, state: 0, to: 10))
    ])
    #expect(trace.states(of: 10) == ["ready 100-110"])
    #expect(trace.states(of: 7) == ["running 90-110 on 0"])
  }

  @Test func `a new thread is ready and an ended thread is gone`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(
        core: 0,
        Self.change(90, from: 0, to: 10),
        [1: 100, 2: 10, 235: [1: 12, 2: "app", 3: 0x1_0000]],
        [1: 105, 2: 12, 236: [1: 12, 3: "decoder"]],
        Self.change(110, from: 10, state: 0, to: 12),
        Self.change(130, from: 12, state: 16, to: 10),
        Self.change(140, from: 10, to: 0))
    ])
    #expect(trace.states(of: 12) == ["ready 100-110 by 10", "running 110-130 on 0"])
    let decoder = trace.tracks.first { $0.systemID == 12 }
    #expect(decoder?.name == "decoder")
    #expect(decoder.map { trace.processes[$0.process.index].systemID } == 10)
  }

  @Test func `a thread that migrates leaves one core when it gets another`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(core: 0, Self.change(100, from: 3, to: 1)),
      Self.bundle(
        core: 1,
        Self.change(200, from: 2, to: 1),
        Self.waking(250, of: 3, by: 1)),
      // The first core goes on with something else.
      Self.bundle(core: 0, Self.change(300, from: 0, to: 3)),
    ])
    #expect(trace.states(of: 1) == ["running 100-200 on 0", "running 200-300 on 1"])
    #expect(trace.states(of: 3) == ["blocked 100-250", "ready 250-300 by 1"])
    #expect(trace.states(of: 2) == ["blocked 200-300"])
  }

  @Test func `time lost from a core's buffer is unknown`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(
        core: 0,
        Self.change(100, from: 0, to: 10),
        Self.waking(120, of: 11, by: 10)),
      Self.bundle(
        core: 0, lost: true,
        Self.change(200, from: 10, to: 11),
        Self.change(220, from: 11, to: 0)),
    ])
    #expect(trace.states(of: 10).first == "running 100-120 on 0")
    #expect(trace.states(of: 11).first == "ready 120-200 by 10")
    #expect(trace.losses.map(\.reason) == [.sourceDroppedRecords])
  }

  @Test func `impossible thread numbers are omitted`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(
        core: 0,
        Self.change(100, from: 0, to: 10),
        Self.change(110, from: 10, to: -1),
        Self.waking(112, of: -1, by: 10),
        Self.change(-1, from: 10, to: 0),
        columns: [4: [1: [100, 40]]]),
      Self.bundle(
        core: -1,
        Self.change(100, from: 0, to: 10)),
      PerfettoMade.mark("end", at: 200),
    ])
    #expect(trace.states(of: 10).isEmpty)
    #expect(trace.lossCounts == [.invalidValue: 3, .timeOutOfRange: 1, .malformedRecord: 1])
    #expect(trace.marks.count == 1)
  }

  @Test func `counters of a thread's time are samples of it`() throws {
    func event(_ kind: Int, at time: Int, cpu: Int) -> Proto {
      PerfettoMade.event(
        kind, at: time, [11: 1, 31: 2, 12: .number(cpu), 23: .text(kind == 1 ? "work" : nil)])
    }
    let trace = try PerfettoMade.trace([
      PerfettoMade.thread(1, process: 10, 11), [60: [1: 2, 5: 1, 8: [1: 1, 4: 1_000, 5: 1]]],
      event(1, at: 1_000_000, cpu: 500), event(2, at: 2_000_000, cpu: 700),
      // Within a tenth of a millisecond the last two say enough.
      event(1, at: 5_000_000, cpu: 1), event(2, at: 5_010_000, cpu: 9),
      event(1, at: 5_020_000, cpu: 1), event(2, at: 5_030_000, cpu: 9),
      // Told after the fact: its time is not that of the count.
      event(1, at: 3_000_000, cpu: 3), event(1, at: 9_000_000, cpu: 7),
    ])
    #expect(
      trace.cpuTimes(of: 11) == [
        "1000000: 500000", "2000000: 1200000", "5000000: 1201000", "5030000: 1220000",
        "9000000: 1230000",
      ])
    #expect(trace.counters.isEmpty)
  }
}
