import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Events in forms that few writers use: older ones, and Android's lines.
@Suite struct PerfettoEventRuleTests {
  private static func legacy(
    _ phase: Character, at time: UInt64, _ more: @escaping PerfettoMade.Packet
  ) -> PerfettoMade.Packet {
    PerfettoMade.event(0, at: time) {
      $0.text(23, "work")
      $0.message(6) { legacy in
        legacy.number(2, UInt64(phase.asciiValue ?? 0))
        more(&legacy)
      }
    }
  }

  private static func writer(process: UInt64, thread: UInt64) -> PerfettoMade.Packet {
    { packet in
      packet.number(10, UInt64(1))
      packet.message(44) {
        $0.number(1, process)
        $0.number(2, thread)
      }
    }
  }

  private static func owners(_ trace: Trace) -> [String] {
    trace.marks.map { mark in
      let track = trace.tracks[mark.track.index]
      return "\(trace.processes[track.process.index].systemID) \(track.systemID)"
    }
  }

  @Test func `packets with fields of a later version are still Perfetto's`() throws {
    func later(_ packet: @escaping PerfettoMade.Packet) -> PerfettoMade.Packet {
      { writer in
        writer.number(4_096, UInt64(7))
        writer.message(9_001) { $0.text(1, "new") }
        writer.fixed(5_000, 3)
        packet(&writer)
      }
    }
    let mark = PerfettoMade.mark("go", at: 10)
    for packets in [[later(mark), later(mark)], [later { _ in }, mark, mark]] {
      let trace = try PerfettoMade.trace(packets)
      #expect(trace.source.format == "perfetto")
      #expect(trace.marks.count == 2)
    }
  }

  @Test func `a thread named without a process belongs to the writer's process`() throws {
    let trace = try PerfettoMade.trace([
      Self.writer(process: 50, thread: 51), Self.legacy("i", at: 10) { $0.number(19, UInt64(52)) },
      Self.legacy("i", at: 20) {
        $0.number(18, UInt64(60))
        $0.number(19, UInt64(61))
      },
    ])
    #expect(Self.owners(trace) == ["50 52", "60 61"])
  }

  @Test func `the thread -1 is not a thread`() throws {
    let trace = try PerfettoMade.trace([
      Self.writer(process: 50, thread: 51), Self.legacy("B", at: 10) { $0.number(19, Int64(-1)) },
      Self.legacy("E", at: 30) { $0.number(19, Int64(-1)) },
    ])
    #expect(trace.processes.map(\.systemID) == [50])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [20])
  }

  @Test func `legacy flows are flows, and unknown phases are counted`() throws {
    let id: PerfettoMade.Packet = { $0.number(6, UInt64(9)) }
    let trace = try PerfettoMade.trace([
      Self.legacy("s", at: 10, id), Self.legacy("t", at: 20, id), Self.legacy("f", at: 30, id),
      Self.legacy("n", at: 40, id), Self.legacy("?", at: 50, id),
    ])
    #expect(trace.flows.map(\.kind) == [.start, .step, .end])
    #expect(trace.flows.map(\.id) == [9, 9, 9])
    #expect(trace.losses.map(\.reason) == [.unknownRecord])
    #expect(trace.losses.map(\.count) == [1])
  }

  @Test func `a counter can be described after its values`() throws {
    let values = [(UInt64(10), Int64(2)), (20, 3)].map { time, value in
      PerfettoMade.event(4, at: time) {
        $0.number(11, UInt64(7))
        $0.number(30, value)
      }
    }
    let description: PerfettoMade.Packet = { packet in
      packet.number(10, UInt64(1))
      packet.message(60) {
        $0.number(1, UInt64(7))
        $0.text(2, "rows")
        $0.message(8) {
          $0.number(4, UInt64(10))
          $0.number(5, UInt64(1))
        }
      }
    }
    let early = try PerfettoMade.trace([description] + values)
    let late = try PerfettoMade.trace(values + [description])
    for trace in [early, late] {
      #expect(trace.counters.map(\.values) == [[20, 50]])
      #expect(trace.counters.map { trace.name(of: $0.label) } == ["rows"])
    }
  }

  @Test func `a state is named after its track, and has a value until the next one`() throws {
    let values = [(UInt64(10), "Feed"), (20, "Detail"), (30, "")].map { time, value in
      PerfettoMade.event(5, at: time) {
        $0.number(11, UInt64(7))
        if !value.isEmpty { $0.text(23, value) }
      }
    }
    let description: PerfettoMade.Packet = { packet in
      packet.number(10, UInt64(1))
      packet.message(60) {
        $0.number(1, UInt64(7))
        $0.text(2, "screen")
        $0.message(18) { _ in }
      }
    }
    let trace = try PerfettoMade.trace(values + [description])
    #expect(trace.states.map(\.key) == ["screen", "screen", "screen"])
    #expect(trace.states.map(\.value) == ["Feed", "Detail", nil])
    #expect(trace.states.map(\.time.nanoseconds) == [10, 20, 30])
    #expect(trace.losses.isEmpty)
  }

  @Test func `clock zero is not a clock`() throws {
    let trace = try PerfettoMade.trace([
      {
        $0.number(10, UInt64(1))
        $0.number(58, UInt64(0))
        $0.message(59) { $0.number(58, UInt64(0)) }
        $0.number(8, UInt64(10))
        $0.message(11) { $0.number(9, UInt64(3)) }
      }, PerfettoMade.mark("b", at: 20),
    ])
    #expect(trace.losses.isEmpty)
    #expect(trace.marks.map(\.time.nanoseconds) == [10, 20])
  }

  @Test func `a clock identified late does not mix two clocks`() throws {
    let trace = try PerfettoMade.trace([
      PerfettoMade.snapshot([(6, 1000), (3, 400)], primary: nil),
      PerfettoMade.mark("a", at: 1010),
      PerfettoMade.snapshot([(6, 1100), (3, 500)], primary: 3),
      PerfettoMade.mark("b", at: 1120),
    ])
    #expect(trace.marks.map(\.time.nanoseconds) == [1010, 1120])
  }

  @Test func `lines of tracks are asynchronous work and marks`() throws {
    let trace = try PerfettoMade.trace([
      PerfettoMade.lines([
        (100, 5, "G|5|jank|scroll|1"), (110, 5, "G|5|jank|fling|2"), (120, 6, "H|5|jank|1"),
        (150, 6, "H|5|jank|fling|2"), (160, 5, "N|5|jank|a|b"), (170, 5, "C|5|queue|3|view"),
        (180, 5, "Z|5|odd"),
      ])
    ])
    #expect(trace.asyncSpans.map { trace.name(of: $0.label) } == ["scroll", "fling"])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [20, 40])
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["a|b"])
    #expect(trace.counters.map(\.values) == [[3]])
    #expect(trace.losses.map(\.reason) == [.unknownRecord])
    #expect(trace.losses.map(\.count) == [1])
  }

  @Test func `Android's own names lose the number of the frame, other names do not`() async {
    await forEachCase(of: [
      ("Choreographer#doFrame 117", "Choreographer#doFrame"),
      ("Choreographer#doFrame - resynced to 118 in 0.5ms", "Choreographer#doFrame - resynced"),
      ("DrawFrames 4711", "DrawFrames"),
      ("waiting for GPU completion 9", "waiting for GPU completion"),
      ("DrawFrames", "DrawFrames"), ("DrawFrames 47a", "DrawFrames 47a"),
      ("bind row 7", "bind row 7"),
      ("MyDrawFrames 7", "MyDrawFrames 7"), ("7", "7"), (" 7", " 7"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ line: String, _ name: String) throws {
      let trace = try PerfettoMade.trace([
        PerfettoMade.lines([(100, 5, "B|5|" + line), (150, 5, "E|5")])
      ])
      #expect(trace.name(of: trace.tracks[0].spans.labels[0]) == name)
    }
  }

  @Test func `Android's own measurements are asynchronous work that can be selected by name`()
    throws
  {
    let name = "J<NOTIFICATION_SHADE_SCROLL_FLING>"
    let trace = try PerfettoMade.trace([
      PerfettoMade.lines([(100, 5, "S|5|\(name)|117"), (900, 6, "F|5|\(name)|117")])
    ])
    #expect(trace.asyncSpans.map { trace.name(of: $0.label) } == [name])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [800])
    #expect(trace.interactions.isEmpty)
  }

  @Test func `interned name numbers can jump, and a later name counts`() throws {
    func give(_ id: UInt64, _ name: String) -> PerfettoMade.Packet {
      { packet in
        packet.number(10, UInt64(1))
        packet.number(13, UInt64(id == 1 ? 1 : 0))
        packet.message(12) { data in
          data.message(2) {
            $0.number(1, id)
            $0.text(2, name)
          }
        }
      }
    }
    let far = UInt64.max
    let uses = [UInt64(1), 65, 70, far, 2].enumerated().map { index, id in
      PerfettoMade.event(3, at: UInt64(index)) { $0.number(10, id) }
    }
    let trace = try PerfettoMade.trace(
      [give(1, "a"), give(70, "b"), give(65, "c"), give(far, "d"), give(70, "e")] + uses)
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["a", "c", "e", "d", ""])
    #expect(trace.losses.map(\.reason) == [.undefinedReference])
  }

  @Test func `script calls are named identically in both forms of annotations`() throws {
    let values: [(String, String)] = [
      ("functionName", "up\\date"), ("url", "file:///a/feed.html?x"),
    ]
    func members(isNameFirst: Bool) -> PerfettoMade.Packet {
      { event in
        event.message(4) { data in
          data.text(10, "data")
          for (key, value) in values + [("lineNumber", "")] {
            data.message(11) {
              if isNameFirst { $0.text(10, key) }
              if value.isEmpty { $0.number(3, UInt64(15)) } else { $0.text(6, value) }
              if !isNameFirst { $0.text(10, key) }
            }
          }
        }
      }
    }
    let nested: PerfettoMade.Packet = { event in
      event.message(4) { data in
        data.text(10, "data")
        data.message(8) { nested in
          for (key, _) in values { nested.text(2, key) }
          for (_, value) in values { nested.message(3) { $0.text(8, value) } }
          nested.text(2, "lineNumber")
          nested.message(3) { $0.number(5, UInt64(15)) }
        }
      }
    }
    // A library that goes by the numbers of fields writes names behind values.
    let forms: [(UInt64, PerfettoMade.Packet)] = [
      (100, members(isNameFirst: true)), (200, nested), (300, members(isNameFirst: false)),
    ]
    for (time, form) in forms {
      let trace = try PerfettoMade.trace([
        PerfettoMade.event(1, at: time) {
          $0.text(23, "FunctionCall")
          form(&$0)
        }, PerfettoMade.event(2, at: time + 50),
        { packet in
          packet.message(60) { track in
            track.number(1, UInt64(0))
            track.message(4) {
              $0.number(1, UInt64(5))
              $0.number(2, UInt64(5))
            }
          }
        },
      ])
      let labels = trace.tracks.flatMap(\.spans.labels)
      #expect(labels.map { trace.name(of: $0) } == ["up\\date (feed.html:15)"])
    }
  }

  @Test func `repeated calls are named after what they call each time`() throws {
    let calls: [(String, String, UInt64)] = [
      ("update", "a.js", 1), ("render", "a.js", 1), ("update", "b.js", 1), ("update", "a.js", 2),
      ("", "a.js", 1), (String(repeating: "x", count: 300), "a.js", 1),
      ("first function", "a.js", 1), ("first functiom", "a.js", 1), ("upd", "atea.js", 1),
    ]
    var packets: [PerfettoMade.Packet] = [
      { packet in
        packet.message(60) { track in
          track.message(4) {
            $0.number(1, UInt64(5))
            $0.number(2, UInt64(5))
          }
        }
      }
    ]
    for index in 0..<(calls.count * 3) {
      let (function, url, line) = calls[index % calls.count]
      packets += [
        PerfettoMade.event(1, at: UInt64(index) * 10) { event in
          event.text(23, "FunctionCall")
          event.message(4) { data in
            data.text(10, "data")
            for (key, value) in [("functionName", function), ("url", url)] {
              data.message(11) {
                $0.text(10, key)
                $0.text(6, value)
              }
            }
            data.message(11) {
              $0.text(10, "lineNumber")
              $0.number(3, line)
            }
          }
        }, PerfettoMade.event(2, at: UInt64(index) * 10 + 5),
      ]
    }
    let trace = try PerfettoMade.trace(packets)
    let names = calls.map { function, url, line in
      "\(function.isEmpty ? "(anonymous)" : function) (\(url):\(line))"
    }
    #expect(
      trace.tracks[0].spans.labels.map { trace.name(of: $0) } == names + names + names)
  }

  @Test func `states with one name are distinguished by their owner`() throws {
    func state(_ uuid: UInt64, process: UInt64) -> [PerfettoMade.Packet] {
      [
        { packet in
          packet.number(10, UInt64(1))
          packet.message(60) {
            $0.number(1, uuid)
            $0.text(2, "net")
            $0.message(3) { $0.number(1, process) }
          }
        },
        PerfettoMade.event(5, at: uuid) {
          $0.number(11, uuid)
          $0.text(23, "wifi")
        },
      ]
    }
    let trace = try PerfettoMade.trace(state(7, process: 10) + state(8, process: 11))
    #expect(trace.states.map(\.key) == ["net (process 10)", "net (process 11)"])
  }
}
