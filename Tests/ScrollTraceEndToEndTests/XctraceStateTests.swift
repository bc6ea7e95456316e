import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import Testing

/// What the states of threads change in a report on an export of Instruments.
@Suite struct XctraceStateTests {
  private static let ms = 1_000_000

  private static func table(_ name: String, _ number: Int, _ types: [String], _ rows: String)
    -> String
  {
    let columns = types.map { type in
      let mnemonic =
        switch type {
        case "start-time": "start"
        case "thread-state": "state"
        default: type
        }
      return
        "<col><mnemonic>\(mnemonic)</mnemonic><engineering-type>\(type)</engineering-type></col>"
    }
    return "<node xpath='//trace-toc[1]/run[1]/data[1]/table[\(number)]'>"
      + "<schema name=\"\(name)\">\(columns.joined())</schema>\(rows)</node>"
  }

  /// A hitch of 100 ms at 1 s in a hang of 150 ms, with or without what its thread did.
  private static func export(withStates: Bool) -> String {
    let process = #"<process id="1" fmt="Feed (42)"><pid id="2">42</pid></process>"#
    let thread =
      #"<thread id="3" fmt="Main Thread (0x1b) (Feed, pid: 42)"><tid id="4">27</tid>\#(process)</thread>"#
    let time = { (start: Int, length: Int) in
      "<start-time>\(start * ms)</start-time><duration>\(length * ms)</duration>"
    }
    let states = [("Running", 900, 100), ("Blocked", 1000, 60), ("Runnable", 1060, 10)].enumerated()
      .map { index, state in
        "<row>\(time(state.1, state.2))\(index == 0 ? thread : "<thread ref=\"3\"/>")"
          + "<thread-state>\(state.0)</thread-state></row>"
      }
    var tables = [
      table(
        "hitches", 1, ["start-time", "duration", "process"],
        "<row>\(time(1000, 100))\(process)</row>"),
      table(
        "potential-hangs", 2, ["start-time", "duration", "thread"],
        "<row>\(time(950, 150))\(thread)</row>"),
    ]
    if withStates {
      tables.append(
        table(
          "thread-state", 3, ["start-time", "duration", "thread", "thread-state"], states.joined()))
    }
    return """
      <trace-toc><run number="1"><info><target><process name="Feed" pid="42"/></target>
      <summary><duration>2.0</duration></summary></info></run></trace-toc>
      <trace-query-result>\(tables.joined())</trace-query-result>
      """
  }

  @Test(arguments: [true, false])
  func `time that a hung thread waited or had no core is not its work`(withStates: Bool) throws {
    let trace = try TraceFile.read(
      MemoryByteSource(Array(Self.export(withStates: withStates).utf8)))
    #expect(trace.losses.isEmpty, "\(trace.losses)")
    let surface = try #require(TraceAnalyzer().analyze(trace).surfaces.first)
    let attribution = try #require(surface.hitches.first?.attribution)
    #expect(attribution.notScheduled.nanoseconds == Int64(withStates ? 10 * Self.ms : 0))
    #expect(attribution.blocked.nanoseconds == Int64(withStates ? 60 * Self.ms : 0))
    let work = attribution.causes.first { $0.category == "hang" }
    #expect(work?.selfTime.nanoseconds == Int64((withStates ? 30 : 100) * Self.ms))
  }
}
