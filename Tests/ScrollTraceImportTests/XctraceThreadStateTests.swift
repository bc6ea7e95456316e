import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// The table `thread-state`: which columns it has, and what its rows become.
@Suite struct XctraceThreadStateTests {
  /// The columns of Xcode 27, with their types.
  private static let columns =
    "start:start-time thread:thread state:thread-state duration:duration process:process core:core "
    + "cputime:duration-on-core waittime:duration-waiting priority:sched-priority note:narrative "
    + "summary:narrative made-runnable-by-thread:thread preempted-by-thread:thread "
    + "yielded-to-thread:thread rebalanced-from-cpu:core thermal-throttled:boolean"

  private static func trace(_ rows: String) throws -> Trace {
    try read(
      XctraceImporterTests.export(XctraceImporterTests.table("thread-state", columns, rows)))
  }

  private static let sentinels = String(repeating: "<sentinel/>", count: 4)

  /// A main thread that runs, waits, is made ready by another process and runs again. Both processes
  /// and threads are defined where they stand first, one of them in the text of a note.
  private static let rows = """
    <row><start-time id="1" fmt="00:00.001.000">1000000</start-time>
    <thread id="2" fmt="Main Thread (0x1b) (Feed, pid: 42)"><tid id="3" fmt="0x1b">27</tid>
    <process id="4" fmt="Feed (42)"><pid id="5" fmt="42">42</pid>
    <device-session id="6" fmt="1">1</device-session></process></thread>
    <thread-state id="7" fmt="Running">Running</thread-state>
    <duration id="8" fmt="2.00 ms">2000000</duration><process ref="4"/>
    <core id="9" fmt="CPU 4 (P Core)">4</core><duration ref="8"/><sentinel/>
    <sched-priority id="10" fmt="47">47</sched-priority>
    <narrative id="11" fmt="on CPU 4 (P Core)">on CPU 4 (P Core)<core ref="9"/></narrative>
    <narrative id="12" fmt="Running at priority 47">Running at priority 47</narrative>
    <sentinel/><sentinel/><sentinel/><sentinel/><sentinel/></row>
    <row><start-time id="13">3000000</start-time><thread ref="2"/>
    <thread-state id="14" fmt="Blocked">Blocked</thread-state><duration id="15">5000000</duration>
    <process ref="4"/><sentinel/><sentinel/><duration-waiting id="16">5000000</duration-waiting>
    <sched-priority ref="10"/><sentinel/><sentinel/>\(sentinels)<sentinel/></row>
    <row><start-time id="17">8000000</start-time><thread ref="2"/>
    <thread-state id="18" fmt="Runnable">Runnable</thread-state><duration id="19">1000000</duration>
    <process ref="4"/><sentinel/><sentinel/><sentinel/><sched-priority ref="10"/>
    <narrative id="20" fmt="made runnable by decoder (0x1c) (mediad, pid: 7)"><thread id="21"
    fmt="decoder (0x1c) (mediad, pid: 7)"><tid id="22" fmt="0x1c">28</tid><process id="23"
    fmt="mediad (7)"><pid id="24" fmt="7">7</pid></process></thread></narrative><sentinel/>
    <thread ref="21"/>\(sentinels)</row>
    <row><start-time id="25">9000000</start-time><thread ref="2"/><thread-state ref="7"/>
    <duration ref="8"/><process ref="4"/><sentinel/><sentinel/><sentinel/><sentinel/><sentinel/>
    <sentinel/><sentinel/>\(sentinels)</row>
    """

  @Test func `states, cores and who woke a thread are read`() throws {
    let trace = try Self.trace(Self.rows)
    #expect(trace.losses.isEmpty, "\(trace.losses)")
    let main = try #require(trace.tracks.first { $0.name == "Main Thread" })
    let states = main.threadStates
    #expect(states.states == [.running, .blocked, .ready, .running])
    #expect(states.starts == [1_000_000, 3_000_000, 8_000_000, 9_000_000])
    #expect(states.ends == [3_000_000, 8_000_000, 9_000_000, 11_000_000])
    #expect(states.cores == [4, -1, -1, -1])
    let waker = try #require(states.waker(at: 2))
    #expect(trace.tracks[waker.index].name == "decoder")
    #expect(states.waker(at: 1) == nil)
    #expect(main.isMain)
    #expect(!trace.says("unused rows"), "\(trace.notices)")
  }

  /// A row of the main thread with a state at a time of its own.
  private static func row(_ state: String, at time: Int) -> String {
    """
    <row><start-time>\(time)</start-time><thread ref="2"/><thread-state>\(state)</thread-state>
    <duration ref="8"/><process ref="4"/>\(sentinels)\(sentinels)<sentinel/><sentinel/><sentinel/></row>
    """
  }

  @Test
  func `a thread that lost its core is ready, and states that say nothing are counted`() throws {
    let more = [
      "Preempted", "Interrupted", "Idle", "Terminated", "Throttled", "Unknown", "Napping",
    ]
    .enumerated().map { Self.row($0.element, at: 20_000_000 + 2_000_000 * $0.offset) }
    let idle = """
      <row><start-time>1</start-time><sentinel/><thread-state>Running</thread-state>
      <duration ref="8"/><sentinel/><core ref="9"/>\(Self.sentinels)\(Self.sentinels)<sentinel/>
      <sentinel/></row>
      """
    let trace = try Self.trace(Self.rows + more.joined() + idle)
    #expect(trace.losses.isEmpty, "\(trace.losses)")
    let main = try #require(trace.tracks.first { $0.name == "Main Thread" })
    #expect(main.threadStates.states.dropFirst(4) == [.ready, .ready])
    #expect(trace.notices.contains(.source("unused rows: thread-state (6)")))
  }

  @Test func `a row whose used values are of other types is malformed`() throws {
    for row in [
      Self.row("Blocked", at: 1).replacing("<duration ref=\"8\"/>", with: "<core ref=\"9\"/>"),
      Self.row("Blocked", at: 1).replacing("thread-state>", with: "narrative>"),
    ] {
      let trace = try Self.trace(Self.rows + row)
      #expect(trace.losses.map(\.reason) == [.malformedRecord])
      #expect(trace.tracks.first { $0.isMain }?.threadStates.count == 4)
    }
  }
}
