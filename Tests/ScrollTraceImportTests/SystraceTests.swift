import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The kernel's trace as text: what its lines become, and what they do not.
@Suite struct SystraceTests {
  private static func trace(_ lines: [String]) throws -> Trace {
    try read(lines.joined(separator: "\n") + "\n")
  }

  private static let header = "# tracer: nop"

  private static func change(
    _ time: String, core: Int = 0, _ out: String, _ state: String = "S", _ next: String
  ) -> String {
    "  a-1 [00\(core)] d..3 \(time): sched_switch: prev_comm=a prev_pid=\(out) prev_prio=120"
      + " prev_state=\(state) ==> next_comm=b next_pid=\(next) next_prio=120"
  }

  private static func wakeup(_ time: String, of thread: String, by waker: Int = 7) -> String {
    "  a-\(waker) (   7) [001] d..3 \(time): sched_waking: comm=a pid=\(thread) prio=120 target_cpu=000"
  }

  @Test func `the sample says what its threads did`() throws {
    let trace = try Self.trace([String(SystraceSample.text.dropLast())])
    #expect(trace.source.format == "systrace")
    #expect(trace.losses.isEmpty)
    let main = try #require(trace.tracks.first { $0.systemID == 4242 })
    #expect(main.name == "om.example.feed")
    #expect(main.spans.count == 24)
    let states = trace.states(of: 4242)
    #expect(states.contains("ready 100085333000-100105333000"))
    #expect(states.contains("blocked 100152000000-100167000000"))
    #expect(states.contains("ready 100167000000-100167030000 by 4250"))
    let database = try #require(trace.tracks.first { $0.name == "db" })
    #expect(trace.processes[database.process.index].systemID == 4242)
    #expect(database.spans.count == 1)
    #expect(trace.tracks.contains { $0.name == "dex2oat64" })
  }

  @Test func `switches and wakings become the same as in a trace of Perfetto (M-25)`() throws {
    let trace = try Self.trace([
      Self.header, Self.change("0.000000100", "0", "R", "10"),
      Self.change("0.000000120", core: 1, "0", "R", "11"),
      Self.change("0.000000140", "10", "D|K", "0"), Self.wakeup("0.000000150", of: "10", by: 11),
      Self.change("0.000000160", "0", "R", "10"),
      Self.change("0.000000190", core: 1, "11", "R+", "500"),
      Self.change("0.000000200", "10", "R", "0"),
    ])
    #expect(
      trace.states(of: 10) == [
        "running 100-140 on 0", "blocked 140-150", "ready 150-160 by 11", "running 160-200 on 0",
      ])
    #expect(trace.states(of: 11) == ["running 120-190 on 1", "ready 190-200"])
    let states = try #require(trace.tracks.first { $0.systemID == 10 }).threadStates
    #expect((0..<4).map { states.isUninterruptible(at: $0) } == [false, true, false, false])
    #expect(trace.states(of: 500) == ["running 190-200 on 1"])
    #expect(trace.states(of: 0).isEmpty)
  }

  @Test func `names with blanks, brackets and dashes are names`() throws {
    let trace = try Self.trace([
      "    a b-[0] (x)-7   (    5) [001] ....    1.000000: tracing_mark_write: B|5|one | two",
      "    a b-[0] (x)-7   (    5) [001] ....    1.000005: tracing_mark_write: E",
      "  kworker/u16:1-77 [004] 1.000010: 0: B|77|short",
      "  kworker/u16:1-77 (-------) [004] d.h2. 1.000011: print: E|77",
      "  <...>-9 (    5) [000] ..... 1.000012: tracing_mark_write: C|5|depth|3",
      "  <...>-9 (    5) [000] ..... 1.000013: tracing_mark_write: S|5|fetch|12",
      "  <...>-9 (    5) [000] ..... 1.000019: tracing_mark_write: F|5|fetch|12",
      "  <...>-9 (    5) [000] ..... 1.000019: cpu_frequency: state=5 cpu_id=1",
    ])
    #expect(trace.losses.isEmpty)
    #expect(Set(trace.tracks.map(\.name)).isSuperset(of: ["a b-[0] (x)", "kworker/u16:1"]))
    #expect(trace.tracks.first { $0.systemID == 7 }?.spans.count == 1)
    #expect(trace.tracks.first { $0.systemID == 77 }?.spans.count == 1)
    #expect(
      trace.range
        == TimeRange(start: .init(clamping: 1_000_000_000), end: .init(clamping: 1_000_019_000)))
  }

  @Test func `what a new thread says of its process holds`() throws {
    let trace = try Self.trace([
      "  a-7 (    7) [001] d..3 1.000001: task_newtask: pid=8 comm=a clone_flags=3d0f00 oom_score_adj=0",
      "  a-7 (    7) [001] d..3 1.000002: task_rename: pid=8 oldcomm=a newcomm=new name oom_score_adj=0",
      Self.change("1.000003", core: 1, "7", "S", "8"),
    ])
    let new = try #require(trace.tracks.first { $0.systemID == 8 })
    #expect(trace.processes[new.process.index].systemID == 7)
    #expect(new.name == "new name")
    #expect(trace.states(of: 8) == ["ready 1000001000-1000003000 by 7"])
  }

  @Test func `without frames, the app is the process whose sections of frames take longest`() throws
  {
    func work(
      _ task: String, _ thread: Int, of process: Int, _ from: Int, _ to: Int, _ name: String
    ) -> [String] {
      [(from, "B|\(process)|\(name)"), (to, "E|\(process)")].map {
        "  \(task)-\(thread) (\(process)) [000] ...1 1.\($0): tracing_mark_write: \($1)"
      }
    }
    var lines = [Self.header]
    for time in 100...140 {
      lines += work("sf", 500, of: 500, time * 1000, time * 1000 + 500, "a")
    }
    lines += work("system_server", 900, of: 900, 200_000, 200_001, "binder")
    lines += work("android.anim", 901, of: 900, 201_000, 301_000, "Choreographer#doFrame 7")
    lines += work("home", 600, of: 600, 302_000, 303_000, "Choreographer#doFrame")
    lines += work("feed", 700, of: 700, 304_000, 324_000, "Choreographer#doFrame")
    lines += work("RenderThread", 701, of: 700, 325_000, 365_000, "DrawFrame")
    let trace = try Self.trace(lines)
    #expect(trace.processes.filter(\.isHost).map(\.systemID) == [700])
    #expect(trace.tracks.filter(\.isMain).map(\.systemID) == [700])
  }

  // MARK: - In a web page

  /// A page as systrace writes it: its viewer, a list of processes, the trace and what systrace did itself.
  private static func page(_ trace: [String], end: String = "  </script>\n") -> String {
    let script = #"  <script class="trace-data" type="application/text">"#
    let head = [
      "<!DOCTYPE html>", "<html>", "<head><title>Android System Trace</title>", "<script>",
      #"if(/^# tracer:/.test(events)){r.find(/^  var linuxPerfData = "\\$/);}"#,
      String(repeating: "/* viewer */ ", count: 8_000), "</script></head><body>",
      script, "PROCESS DUMP", "root 1 2 [0] init", "  </script>", script,
    ]
    return (head + trace).joined(separator: "\n") + "\n" + end
  }

  private static let lines = [
    header, "#", wakeup("1.000010", of: "7", by: 9), change("1.000020", "0", "R", "7"),
    change("1.000060", "7", "S", "0"),
  ]

  @Test
  func `a page of systrace is read as the trace in it, and of several traces the first`() throws {
    let more =
      "  <script class=\"trace-data\">\n\(Self.header)\n\(Self.change("1.000070", "0", "R", "8"))"
    for rest in ["", "</body>\n</html>\n", "</body></html>", more, "<\u{0}"] {
      let trace = try read(Self.page(Self.lines, end: "  </script>\n" + rest))
      #expect(trace.source.format == "systrace")
      #expect(trace.losses.isEmpty)
      #expect(trace.states(of: 7).last == "running 1000020000-1000060000 on 0")
      #expect(trace.states(of: 8).isEmpty)
    }
    // The oldest pages have the trace in a string.
    let string = "<html>\n  var linuxPerfData = \"\\\n" + Self.lines.joined(separator: "\\n\\\n")
    let old = try read(string + "\\n\\\n  \\n\";\n  </script>\n</html>")
    #expect(old.losses.isEmpty)
    #expect(old.states(of: 7).last == "running 1000020000-1000060000 on 0")
  }

  @Test func `a page that ends inside its trace keeps what came before, and says so`() throws {
    for end in ["", "  <idle>-0 [000] d..3 1.0000", "  \u{0}"] {
      let trace = try read(Self.page(Self.lines, end: end))
      #expect(trace.losses.map(\.reason) == [.cutAtEnd])
      #expect(trace.states(of: 7).last == "running 1000020000-1000060000 on 0")
    }
    let error = #expect(throws: ImportError.self) { try read(Self.page([])) }
    #expect(error?.reason.contains("systrace") == true)
    #expect(throws: ImportError.self) { try read(Self.page([Self.header])) }
  }

  // MARK: - Bad input

  @Test func `a switch from a thread that was never switched to has no running time`() throws {
    let trace = try Self.trace([
      Self.header, Self.change("1.000001", "10", "S", "11"), Self.wakeup("1.000002", of: "10"),
      Self.change("1.000003", "12", "S", "10"), Self.change("1.000004", "10", "S", "0"),
    ])
    #expect(
      trace.states(of: 10) == [
        "blocked 1000001000-1000002000", "ready 1000002000-1000003000 by 7",
        "running 1000003000-1000004000 on 0",
      ])
    #expect(trace.states(of: 11).isEmpty)
    #expect(trace.states(of: 12) == ["blocked 1000003000-1000004000"])
  }

  @Test func `numbers beyond any thread or core are counted and left out`() throws {
    let trace = try Self.trace([
      Self.header, Self.change("1.000001", "0", "R", "99999999999999999999999"),
      Self.change("1.000002", "2147483648", "R", "0"),
      "  a-1 [99999] d..3 1.000003: sched_waking: comm=a pid=5 prio=1 target_cpu=0",
      "  a-4294967295 [000] d..3 1.000004: sched_waking: comm=a pid=5 prio=1 target_cpu=0",
      Self.change("9223372036854775807.000005", "0", "R", "5"),
      Self.change("1.000006", "x", "R", "5"), Self.change("1.000007", "5", "", "6"),
    ])
    #expect(trace.losses.first { $0.reason == .invalidValue }?.count == 4)
    #expect(trace.losses.first { $0.reason == .timeOutOfRange }?.count == 1)
    #expect(trace.losses.first { $0.reason == .malformedRecord }?.count == 2)
    #expect(trace.tracks.allSatisfy { trace.states(of: $0.systemID).isEmpty })
  }

  @Test func `a clock that goes back leaves unknown what ran until then`() throws {
    let trace = try Self.trace([
      Self.header, Self.wakeup("1.000000", of: "99"), Self.change("1.000010", "0", "R", "10"),
      Self.change("1.000002", "0", "R", "11"), Self.change("1.000020", "11", "S", "0"),
    ])
    #expect(trace.states(of: 10).isEmpty)
    #expect(trace.says("earlier than the one before them on their core: 1"))
  }

  @Test func `lost events leave the thread of their core unknown, and are counted`() throws {
    let trace = try Self.trace([
      Self.header, "# entries-in-buffer/entries-written: 4/1004   #P:1",
      Self.wakeup("1.000000", of: "99"), Self.change("1.000010", "0", "R", "10"),
      "CPU:0 [LOST 12 EVENTS]", Self.change("1.000020", "11", "S", "0"),
    ])
    #expect(trace.losses.map { "\($0.reason) \($0.count)" } == ["sourceDroppedRecords 12"])
    #expect(trace.states(of: 10).isEmpty)
    #expect(trace.says("overwritten entries: 1000"))
  }

  @Test func `lines that nothing ends or that say nothing of time are errors`() {
    #expect(throws: ImportError.self) { try Self.trace([Self.header]) }
    #expect(throws: ImportError.self) {
      try Self.trace([Self.header, "  a-1 [000] d..3 17: sched_waking: comm=a pid=5"])
    }
    #expect(throws: ImportError.self) { try read("TRACE:\n\u{78}~~~") }
  }

  // MARK: - Inside of Chrome's JSON

  private static func chrome(_ lines: [String], before: Bool = false) throws -> Trace {
    let text = lines.joined(separator: "\\n")
    let events =
      #""traceEvents":[{"name":"work","ph":"B","pid":5,"tid":7,"ts":1000000},"#
      + #"{"ph":"E","pid":5,"tid":7,"ts":1000100}]"#
    let system = "\"systemTraceEvents\":\"\(text)\""
    return try read("{\(before ? system : events),\(before ? events : system)}")
  }

  @Test func `the kernel's lines in a trace of Chrome are of its threads`() throws {
    for before in [false, true] {
      let trace = try Self.chrome(
        [
          Self.header, Self.change("1.000020", "0", "R", "7"), Self.wakeup("1.000025", of: "8"),
          #"  \"a\"-7 [000] ...1 1.000030: tracing_mark_write: B|5|ink"#,
          "  a-7 [000] ...1 1.000040: tracing_mark_write: E|5",
          Self.change("1.000060", "7", "S", "0"),
        ], before: before)
      #expect(trace.losses.isEmpty)
      let track = try #require(trace.tracks.first { $0.systemID == 7 })
      #expect(trace.processes[track.process.index].systemID == 5)
      #expect(trace.states(of: 7) == ["running 1000020000-1000060000 on 0"])
      #expect(track.spans.count == 2)
    }
  }

  @Test func `a mark with the time of the trace moves the lines`() throws {
    let trace = try Self.chrome([
      Self.header,
      "  a-9 [001] ...1 5.000010: tracing_mark_write: trace_event_clock_sync: parent_ts=1.000015",
      Self.change("5.000020", "0", "R", "7"), Self.change("5.000060", "7", "S", "0"),
    ])
    #expect(trace.states(of: 7) == ["running 1000025000-1000065000 on 0"])
  }

  @Test func `lines of another clock are left out, and a note says so`() throws {
    for mark in [
      [], ["  a-9 [001] ...1 5.000070: tracing_mark_write: trace_event_clock_sync: parent_ts=1.5"],
    ] {
      let trace = try Self.chrome(
        [
          Self.header, Self.change("5.000020", "0", "R", "7"),
          Self.change("5.000060", "7", "S", "0"),
        ] + mark)
      #expect(trace.states(of: 7).isEmpty)
      #expect(trace.says("another clock"))
      #expect(trace.range.end.nanoseconds == 1_000_100_000)
    }
  }

  @Test func `a text of the kernel that is cut keeps what came before`() throws {
    let text =
      #"{"traceEvents":[{"name":"work","ph":"X","pid":5,"tid":7,"ts":1000000,"dur":9}],"#
      + ##""systemTraceEvents":"# tracer: nop\n"## + Self.change("1.000000", "0", "R", "7") + #"\n"#
      + Self.change("1.000006", "7", "S", "0") + #"\n  a-1 [0"#
    let trace = try read(text)
    #expect(trace.states(of: 7) == ["running 1000000000-1000006000 on 0"])
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
  }
}
