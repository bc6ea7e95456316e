import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// What the kernel's scheduler and counters of threads say in Perfetto's traces.
struct PerfettoScheduleTests {
  /// A bundle of a core's buffer.
  private static func bundle(
    core: UInt64, lost: Bool = false, _ events: @escaping PerfettoMade.Packet
  ) -> PerfettoMade.Packet {
    { packet in
      packet.message(1) { bundle in
        bundle.number(1, core)
        if lost { bundle.number(3, UInt64(1)) }
        events(&bundle)
      }
    }
  }

  private static func add(
    _ bundle: inout ProtoWriter, switchAt time: UInt64, from out: Int64, state: Int64 = 1,
    to next: Int64, _ name: String = ""
  ) {
    bundle.message(2) { event in
      event.number(1, time)
      event.number(2, UInt64(bitPattern: out))
      event.message(4) { content in
        content.number(2, out)
        content.number(4, state)
        content.text(5, name)
        content.number(6, next)
      }
    }
  }

  private static func add(
    _ bundle: inout ProtoWriter, wakingAt time: UInt64, of thread: Int64, by waker: UInt64,
    flags: UInt64 = 0, kind: UInt64 = 20
  ) {
    bundle.message(2) { event in
      event.number(1, time)
      event.number(2, waker)
      if flags > 0 { event.number(5, flags) }
      event.message(kind) { $0.number(2, thread) }
    }
  }

  private static func appendTree(to packet: inout ProtoWriter) {
    packet.message(2) { tree in
      tree.message(1) {
        $0.number(1, UInt64(10))
        $0.text(3, "app")
      }
      tree.message(2) {
        $0.number(1, UInt64(11))
        $0.text(2, "worker")
        $0.number(3, UInt64(10))
      }
    }
  }

  @Test func `switches and wakeups of all cores become thread states (M-25)`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(core: 1) { bundle in
        Self.add(&bundle, switchAt: 120, from: 0, to: 11)
        Self.add(&bundle, wakingAt: 150, of: 10, by: 11)
        Self.add(&bundle, switchAt: 190, from: 11, state: 256, to: 500, "other")
      },
      Self.bundle(core: 0) { bundle in
        Self.add(&bundle, switchAt: 100, from: 0, to: 10, "main")
        Self.add(&bundle, switchAt: 140, from: 10, to: 0)
        Self.add(&bundle, switchAt: 160, from: 0, to: 10)
        Self.add(&bundle, switchAt: 200, from: 10, state: 0, to: 0)
      }, { Self.appendTree(to: &$0) },
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
      Self.bundle(core: 1) { bundle in
        bundle.message(4) { columns in
          columns.text(5, "worker")
          columns.text(5, "main")
          // 120: idle -> 11, 190: 11 -> idle; 150: waking of 10
          columns.run(1, [120, 70])
          columns.run(2, [0, 0])
          columns.run(3, [11, 0])
          columns.run(6, [0, 1])
          columns.run(7, [0x96, 0x01])
          columns.run(8, [10])
          columns.run(11, [1])
        }
      },
      Self.bundle(core: 0) { bundle in
        bundle.message(4) { columns in
          columns.run(1, [100, 40, 20, 40])
          columns.run(2, [1, 1, 0, 0])
          columns.run(3, [10, 0, 10, 0])
        }
      },
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
      Self.bundle(core: 0) { bundle in
        Self.add(&bundle, switchAt: 90, from: 0, to: 7)
        Self.add(&bundle, wakingAt: 100, of: 10, by: 7, flags: 0x08)
        Self.add(&bundle, wakingAt: 105, of: 10, by: 7, kind: 17)
        Self.add(&bundle, switchAt: 110, from: 7, state: 0, to: 10)
      }
    ])
    #expect(trace.states(of: 10) == ["ready 100-110"])
    #expect(trace.states(of: 7) == ["running 90-110 on 0"])
  }

  @Test func `a new thread is ready and an ended thread is gone`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(core: 0) { bundle in
        Self.add(&bundle, switchAt: 90, from: 0, to: 10)
        bundle.message(2) { event in
          event.number(1, UInt64(100))
          event.number(2, UInt64(10))
          event.message(235) {
            $0.number(1, UInt64(12))
            $0.text(2, "app")
            $0.number(3, UInt64(0x1_0000))
          }
        }
        bundle.message(2) { event in
          event.number(1, UInt64(105))
          event.number(2, UInt64(12))
          event.message(236) {
            $0.number(1, UInt64(12))
            $0.text(3, "decoder")
          }
        }
        Self.add(&bundle, switchAt: 110, from: 10, state: 0, to: 12)
        Self.add(&bundle, switchAt: 130, from: 12, state: 16, to: 10)
        Self.add(&bundle, switchAt: 140, from: 10, to: 0)
      }
    ])
    #expect(trace.states(of: 12) == ["ready 100-110 by 10", "running 110-130 on 0"])
    let decoder = trace.tracks.first { $0.systemID == 12 }
    #expect(decoder?.name == "decoder")
    #expect(decoder.map { trace.processes[$0.process.index].systemID } == 10)
  }

  @Test func `a thread that migrates leaves one core when it gets another`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(core: 0) { Self.add(&$0, switchAt: 100, from: 3, to: 1) },
      Self.bundle(core: 1) { bundle in
        Self.add(&bundle, switchAt: 200, from: 2, to: 1)
        Self.add(&bundle, wakingAt: 250, of: 3, by: 1)
      },
      // The first core goes on with something else.
      Self.bundle(core: 0) { Self.add(&$0, switchAt: 300, from: 0, to: 3) },
    ])
    #expect(trace.states(of: 1) == ["running 100-200 on 0", "running 200-300 on 1"])
    #expect(trace.states(of: 3) == ["blocked 100-250", "ready 250-300 by 1"])
    #expect(trace.states(of: 2) == ["blocked 200-300"])
  }

  @Test func `time lost from a core's buffer is unknown`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(core: 0) { bundle in
        Self.add(&bundle, switchAt: 100, from: 0, to: 10)
        Self.add(&bundle, wakingAt: 120, of: 11, by: 10)
      },
      Self.bundle(core: 0, lost: true) { bundle in
        Self.add(&bundle, switchAt: 200, from: 10, to: 11)
        Self.add(&bundle, switchAt: 220, from: 11, to: 0)
      },
    ])
    #expect(trace.states(of: 10).first == "running 100-120 on 0")
    #expect(trace.states(of: 11).first == "ready 120-200 by 10")
    #expect(trace.losses.map(\.reason) == [.sourceDroppedRecords])
  }

  @Test func `impossible thread numbers are omitted`() throws {
    let trace = try PerfettoMade.trace([
      Self.bundle(core: 0) { bundle in
        Self.add(&bundle, switchAt: 100, from: 0, to: 10)
        Self.add(&bundle, switchAt: 110, from: 10, to: -1)
        Self.add(&bundle, wakingAt: 112, of: -1, by: 10)
        Self.add(&bundle, switchAt: UInt64.max, from: 10, to: 0)
        bundle.message(4) { $0.run(1, [100, 40]) }
      },
      Self.bundle(core: .max) { bundle in
        Self.add(&bundle, switchAt: 100, from: 0, to: 10)
      },
      PerfettoMade.mark("end", at: 200),
    ])
    #expect(trace.states(of: 10).isEmpty)
    let losses = Dictionary(uniqueKeysWithValues: trace.losses.map { ($0.reason, $0.count) })
    #expect(losses == [.invalidValue: 3, .timeOutOfRange: 1, .malformedRecord: 1])
    #expect(trace.marks.count == 1)
  }

  @Test func `counters of a thread's time are samples of it`() throws {
    func descriptor(_ uuid: UInt64, _ more: @escaping PerfettoMade.Packet) -> PerfettoMade.Packet {
      { packet in
        packet.message(60) {
          $0.number(1, uuid)
          more(&$0)
        }
      }
    }
    func event(_ kind: UInt64, at time: UInt64, cpu: UInt64) -> PerfettoMade.Packet {
      PerfettoMade.event(kind, at: time) {
        $0.number(11, UInt64(1))
        $0.number(31, UInt64(2))
        $0.number(12, cpu)
        if kind == 1 { $0.text(23, "work") }
      }
    }
    let trace = try PerfettoMade.trace([
      descriptor(1) { track in
        track.message(4) {
          $0.number(1, UInt64(10))
          $0.number(2, UInt64(11))
        }
      },
      descriptor(2) { track in
        track.number(5, UInt64(1))
        track.message(8) {
          $0.number(1, UInt64(1))
          $0.number(4, UInt64(1_000))
          $0.number(5, UInt64(1))
        }
      },
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
