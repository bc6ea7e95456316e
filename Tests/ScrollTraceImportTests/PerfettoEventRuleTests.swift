import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Events in forms that few writers use: older ones, and Android's lines.
@Suite struct PerfettoEventRuleTests {
  private static func legacy(_ phase: Character, at time: Int, _ more: Proto) -> Proto {
    let legacy = Proto.Content.message([2: .number(phase.asciiValue)], more)
    return PerfettoMade.event(0, at: time, [23: "work", 6: legacy])
  }

  private static let writer: Proto = [10: 1, 44: [1: 50, 2: 51]]

  private static func owners(_ trace: Trace) -> [String] {
    trace.marks.map { mark in
      let track = trace.tracks[mark.track.index]
      return "\(trace.processes[track.process.index].systemID) \(track.systemID)"
    }
  }

  @Test func `packets with fields of a later version are still Perfetto's`() throws {
    let later: Proto = [8: 5, 4_096: 7, 9_001: [1: "new"], 5_000: .fixed(3)]
    let mark: Proto = [
      4_096: 7, 9_001: [1: "new"], 5_000: .fixed(3), 10: 1, 8: 10, 11: [9: 3, 23: "go"],
    ]
    for packets in [[mark, mark], [later, later, PerfettoMade.mark("go", at: 10), mark]] {
      let trace = try PerfettoMade.trace(packets)
      #expect(trace.source.format == "perfetto")
      #expect(trace.marks.count == 2 && trace.losses.isEmpty)
    }
  }

  @Test func `a thread named without a process belongs to the writer's process`() throws {
    let trace = try PerfettoMade.trace([
      Self.writer, Self.legacy("i", at: 10, [19: 52]), Self.legacy("i", at: 20, [18: 60, 19: 61]),
    ])
    #expect(Self.owners(trace) == ["50 52", "60 61"])
  }

  @Test func `the thread -1 is not a thread`() throws {
    let trace = try PerfettoMade.trace([
      Self.writer, Self.legacy("B", at: 10, [19: -1]), Self.legacy("E", at: 30, [19: -1]),
    ])
    #expect(trace.processes.map(\.systemID) == [50])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [20])
  }

  @Test func `legacy flows are flows, and unknown phases are counted`() throws {
    let trace = try PerfettoMade.trace(
      zip("stfn?", [10, 20, 30, 40, 50]).map { Self.legacy($0, at: $1, [6: 9]) })
    #expect(trace.flows.map(\.kind) == [.start, .step, .end])
    #expect(trace.flows.map(\.id) == [9, 9, 9])
    #expect(trace.lossCounts == [.unknownRecord: 1])
  }

  @Test func `a counter can be described after its values`() throws {
    let values = [(10, 2), (20, 3)].map { time, value in
      PerfettoMade.event(4, at: time, [11: 7, 30: .number(value)])
    }
    let description: Proto = [10: 1, 60: [1: 7, 2: "rows", 8: [4: 10, 5: 1]]]
    for packets in [[description] + values, values + [description]] {
      let trace = try PerfettoMade.trace(packets)
      #expect(trace.counters.map(\.values) == [[20, 50]])
      #expect(trace.counters.map { trace.name(of: $0.label) } == ["rows"])
    }
  }

  @Test func `a state is named after its track, and has a value until the next one`() throws {
    let values = [(10, "Feed"), (20, "Detail"), (30, nil)].map { time, value in
      PerfettoMade.event(5, at: time, [11: 7, 23: .text(value)])
    }
    let trace = try PerfettoMade.trace(values + [[10: 1, 60: [1: 7, 2: "screen", 18: [:]]]])
    #expect(trace.states.map(\.key) == ["screen", "screen", "screen"])
    #expect(trace.states.map(\.value) == ["Feed", "Detail", nil])
    #expect(trace.states.map(\.time.nanoseconds) == [10, 20, 30])
    #expect(trace.losses.isEmpty)
  }

  @Test func `clock zero is not a clock`() throws {
    let trace = try PerfettoMade.trace([
      [10: 1, 58: 0, 59: [58: 0], 8: 10, 11: [9: 3]], PerfettoMade.mark("b", at: 20),
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
    #expect(trace.lossCounts == [.unknownRecord: 1])
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

  @Test
  func `Android's own measurements are asynchronous work that can be selected by name`() throws {
    let name = "J<NOTIFICATION_SHADE_SCROLL_FLING>"
    let trace = try PerfettoMade.trace([
      PerfettoMade.lines([(100, 5, "S|5|\(name)|117"), (900, 6, "F|5|\(name)|117")])
    ])
    #expect(trace.asyncSpans.map { trace.name(of: $0.label) } == [name])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [800])
    #expect(trace.interactions.isEmpty)
  }

  @Test func `interned name numbers can jump, and a later name counts`() throws {
    let names = [(1, "a"), (70, "b"), (65, "c"), (-1, "d"), (70, "e")].map { id, name -> Proto in
      [10: 1, 13: id == 1 ? 1 : 0, 12: [2: [1: .number(id), 2: .text(name)]]]
    }
    let uses = [1, 65, 70, -1, 2].enumerated().map { index, id in
      PerfettoMade.event(3, at: index, [10: .number(id)])
    }
    let trace = try PerfettoMade.trace(names + uses)
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["a", "c", "e", "d", ""])
    #expect(trace.losses.map(\.reason) == [.undefinedReference])
  }

  @Test func `script calls are named identically in both forms of annotations`() throws {
    let (name, url) = ("up\\date", "file:///a/feed.html?x")
    let forms: [Proto.Content] = [
      [
        10: "data", 11: [10: "functionName", 6: .text(name)], 11: [10: "url", 6: .text(url)],
        11: [10: "lineNumber", 3: 15],
      ],
      [
        10: "data",
        8: [
          2: "functionName", 2: "url", 3: [8: .text(name)], 3: [8: .text(url)], 2: "lineNumber",
          3: [5: 15],
        ],
      ],
      // A library that goes by the numbers of fields writes names behind values.
      [
        10: "data", 11: [6: .text(name), 10: "functionName"], 11: [6: .text(url), 10: "url"],
        11: [3: 15, 10: "lineNumber"],
      ],
    ]
    for form in forms {
      let trace = try PerfettoMade.trace([
        PerfettoMade.event(1, at: 100, [23: "FunctionCall", 4: form]),
        PerfettoMade.event(2, at: 150), PerfettoMade.thread(0, process: 5, 5),
      ])
      let labels = trace.tracks.flatMap(\.spans.labels)
      #expect(labels.map { trace.name(of: $0) } == ["up\\date (feed.html:15)"])
    }
  }

  @Test func `repeated calls are named after what they call each time`() throws {
    let calls = [
      ("update", "a.js", 1), ("render", "a.js", 1), ("update", "b.js", 1), ("update", "a.js", 2),
      ("", "a.js", 1), (String(repeating: "x", count: 300), "a.js", 1),
      ("first function", "a.js", 1), ("first functiom", "a.js", 1), ("upd", "atea.js", 1),
    ]
    var packets: [Proto] = [[60: [4: [1: 5, 2: 5]]]]
    for index in 0..<(calls.count * 3) {
      let (function, url, line) = calls[index % calls.count]
      let data: Proto.Content = [
        10: "data", 11: [10: "functionName", 6: .text(function)], 11: [10: "url", 6: .text(url)],
        11: [10: "lineNumber", 3: .number(line)],
      ]
      packets += [
        PerfettoMade.event(1, at: index * 10, [23: "FunctionCall", 4: data]),
        PerfettoMade.event(2, at: index * 10 + 5),
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
    let trace = try PerfettoMade.trace(
      [(7, 10), (8, 11)].flatMap { track, process -> [Proto] in
        [
          [10: 1, 60: [1: .number(track), 2: "net", 3: [1: .number(process)]]],
          PerfettoMade.event(5, at: track, [11: .number(track), 23: "wifi"]),
        ]
      })
    #expect(trace.states.map(\.key) == ["net (process 10)", "net (process 11)"])
  }
}
