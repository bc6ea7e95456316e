import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// What sources mean by what they write, where reading the words alone gave wrong figures.
@Suite struct SourceTruthTests {
  private static func event(_ members: String) -> String { #"{"pid":1,"tid":1,\#(members)}"# }

  private static func reporter(
    _ id: Int, from start: Int, to end: Int, state: String, sequence: Int
  ) -> String {
    """
    \(event(#""ph":"b","cat":"cc","name":"PipelineReporter","id2":{"local":"\#(id)"},"ts":\#(start),"args":{"frame_reporter":{"state":"STATE_\#(state)","frame_sequence":\#(sequence)}}"#)),
    \(event(#""ph":"e","cat":"cc","name":"PipelineReporter","id2":{"local":"\#(id)"},"ts":\#(end)"#))
    """
  }

  // MARK: - Chrome

  @Test func `a BeginFrame that Chrome dropped and never presented is a dropped frame`() throws {
    let trace = try read(
      """
      [\(Self.reporter(1, from: 100, to: 116, state: "PRESENTED_ALL", sequence: 1)),
      \(Self.reporter(2, from: 117, to: 150, state: "DROPPED", sequence: 2)),
      \(Self.reporter(3, from: 117, to: 133, state: "PRESENTED_PARTIAL", sequence: 2)),
      \(Self.reporter(4, from: 134, to: 150, state: "DROPPED", sequence: 3)),
      \(Self.reporter(5, from: 151, to: 167, state: "NO_UPDATE_DESIRED", sequence: 4))]
      """)
    let display = try #require(trace.surfaces.first { $0.name == "Display" })
    #expect(display.isDisplayStream)
    let frames = display.frames
    #expect(frames.map(\.outcome) == [.presented, .presented, .dropped])
    #expect(
      frames.map { $0.sourceLabel.map { trace.strings[$0] } } == [
        "PRESENTED_ALL", "PRESENTED_PARTIAL", "DROPPED",
      ])
    #expect(frames[2].start?.nanoseconds == 134_000)
  }

  @Test
  func `a refresh interval that no BeginFrame announces is estimated, and one that is, is not`()
    throws
  {
    for isAnnounced in [false, true] {
      var lines = [Self.event(#""ph":"M","ts":0,"name":"process_name","args":{"name":"Renderer"}"#)]
      for index in 0..<9 {
        let time = 1_000_000 + index * 33_333
        lines.append(Self.event(#""ph":"I","s":"t","ts":\#(time),"name":"BeginFrame""#))
        lines.append(Self.event(#""ph":"I","s":"t","ts":\#(time + 9),"name":"DrawFrame""#))
        guard isAnnounced else { continue }
        lines.append(
          Self.event(
            #""ph":"X","dur":1,"ts":\#(time + 1),"name":"Scheduler::BeginFrame","args":{"args":{"frame_time_us":\#(time),"interval_us":16667}}"#
          ))
      }
      let trace = try read("[" + lines.joined(separator: ",\n") + "]")
      let display = try #require(trace.surfaces.first { $0.name == "Display" })
      #expect(display.derivesRefreshInterval == !isAnnounced)
      #expect(
        display.frames[0].refreshInterval?.nanoseconds == (isAnnounced ? 16_667_000 : 33_333_000))
    }
  }

  @Test func `the refresh interval of a page of few frames is that of the browser's`() throws {
    var lines = [Self.event(#""ph":"M","ts":0,"name":"process_name","args":{"name":"Renderer"}"#)]
    for index in 0..<12 {
      let begin = #""ph":"I","s":"t","ts":\#(1_000_000 + index * 16_667),"name":"BeginFrame""#
      lines.append("{\"pid\":77,\"tid\":77,\(begin)}")
      guard index % 6 == 0 else { continue }
      lines.append(Self.event(begin))
      lines.append(
        Self.event(#""ph":"I","s":"t","ts":\#(1_000_009 + index * 16_667),"name":"DrawFrame""#))
    }
    let trace = try read("[" + lines.joined(separator: ",\n") + "]")
    let display = try #require(trace.surfaces.first { $0.name == "Display" })
    #expect(display.frames[0].refreshInterval?.nanoseconds == 16_667_000)
  }

  @Test func `without frames, the page is the process whose main thread has spans`() throws {
    func main(named name: String?, thread: String = "CrRendererMain") throws -> String? {
      var lines: [String] = []
      func add(_ process: Int, _ text: String) {
        lines.append("{\"pid\":\(process),\"tid\":1,\(text)}")
      }
      for process in [1, 2] {
        if let name {
          add(process, #""ph":"M","ts":0,"name":"process_name","args":{"name":"\#(name)"}"#)
        }
        add(process, #""ph":"M","ts":0,"name":"thread_name","args":{"name":"\#(thread)"}"#)
      }
      add(2, #""ph":"X","ts":10,"dur":36,"name":"Layout""#)
      let trace = try read("[" + lines.joined(separator: ",\n") + "]")
      return trace.mainTrack.map {
        "\(trace.processes[trace.tracks[$0.index].process.index].systemID)"
      }
    }
    #expect(try main(named: "Renderer") == "2")
    #expect(try main(named: "org.chromium.chrome:sandboxed_process0:Service0:15") == "2")
    #expect(try main(named: nil) == "2")
    #expect(try main(named: "Browser", thread: "Chrome_InProcRendererThread") == "2")
  }

  @Test func `E-37: a measure without an end had no length`() throws {
    let trace = try read(
      """
      [\(Self.event(#""ph":"X","ts":10,"dur":36,"name":"FunctionCall""#)),
      \(Self.event(#""ph":"b","ts":20,"id":1,"cat":"blink.user_timing","name":"scrollHandler""#)),
      \(Self.event(#""ph":"X","ts":25900,"dur":5,"name":"RunTask""#))]
      """)
    #expect(trace.openSpans.isEmpty)
    #expect(trace.asyncSpans.map(\.range.length) == [.zero])
  }

  @Test
  func `a start without an end fills nothing after its track's next event or its parent`() throws {
    let trace = try read(
      """
      [\(Self.event(#""ph":"X","ts":10,"dur":36,"name":"outer""#)),
      \(Self.event(#""ph":"B","ts":20,"name":"inner""#)),
      \(Self.event(#""ph":"X","ts":100,"dur":5,"name":"later""#)),
      \(Self.event(#""ph":"B","ts":200,"name":"last""#))]
      """)
    #expect(trace.openSpans.map(\.until?.nanoseconds) == [46_000, nil])
  }

  @Test func `E-39: ends at the head of their tracks are not losses`() throws {
    let trace = try read(
      """
      [\(Self.event(#""ph":"E","ts":1,"name":"before""#)),
      \(Self.event(#""ph":"e","ts":2,"id":1,"cat":"c","name":"request""#)),
      \(Self.event(#""ph":"X","ts":5,"dur":5,"name":"work""#))]
      """)
    #expect(trace.losses.isEmpty)
    #expect(trace.notices.count { "\($0)".contains("only the end is known: 2") } == 1)
  }

  @Test func `unsupported kinds of events are named once, with their counts`() throws {
    let trace = try read(
      """
      [\(Self.event(#""ph":"P","ts":1,"name":"p""#)),\(Self.event(#""ph":"P","ts":2,"name":"p""#)),
      \(Self.event(#""ph":"O","ts":2,"name":"o""#))]
      """)
    let said = trace.notices.filter { "\($0)".contains("unsupported events") }.map { "\($0)" }
    #expect(said.count == 1)
    #expect(said[0].contains("samples of other profilers (2), object snapshots (1)"))
  }

  @Test func `an event without a thread belongs to its process's first thread`() throws {
    let trace = try read(#"[{"ph":"X","pid":7,"ts":1,"dur":2,"name":"a"}]"#)
    #expect(trace.tracks.map(\.systemID) == [7])
  }

  @Test func `a raw line feed in a string is accepted`() throws {
    let trace = try read(
      "[\(Self.event("\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\nb\""))]")
    #expect(trace.losses.isEmpty)
    #expect(trace.name(of: trace.tracks[0].spans[0].label) == "a\nb")
  }

  @Test func `waits of a source keep their category and are recognized by name`() async {
    await forEachCase(
      of: [
        "WaitableEvent::Wait", "monitor contention with owner main (7)", "dequeueBuffer",
        "glFinish",
        "vkAcquireNextImageKHR",
      ], oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try read(
        "[\(Self.event(#""ph":"X","ts":1,"dur":2,"cat":"toplevel","name":"\#(name)""#))]")
      #expect(trace.category(of: trace.tracks[0].spans[0].label) == "toplevel")
      #expect(trace.name(of: trace.tracks[0].spans[0].label) == name)
      #expect(WaitingNames.contains(name))
    }
  }

  @Test func `calls that hand a picture over are work`() {
    for name in ["queueBuffer", "eglSwapBuffers", "vkQueuePresentKHR", "glFlush"] {
      #expect(!WaitingNames.contains(name), "\(name)")
    }
  }

  // MARK: - Lengths

  @Test func `one stray event does not stretch a trace of seconds to days`() throws {
    let events = (1...40).map {
      Self.event(#""ph":"X","ts":\#(1_000_000 + $0 * 60_000),"dur":5000,"name":"work""#)
    }
    let stray = Self.event(#""ph":"X","ts":1123200000000,"dur":5,"name":"stray""#)
    let trace = try read("[\((events + [stray]).joined(separator: ","))]")
    #expect(trace.range.length.nanoseconds < 2_500_000_000)
    #expect(trace.tracks[0].spans.count == 40)
    #expect(trace.notices.count { "\($0)".contains("set apart") } == 1)
    let long = try read(
      "[\((0..<100).map { Self.event(#""ph":"X","ts":\#($0 * 60_000_000),"dur":9,"name":"a""#) }.joined(separator: ","))]"
    )
    #expect(long.tracks[0].spans.count == 100)
  }

  @Test func `a list of hangs does not estimate the recorded time`() throws {
    let trace = try read(
      """
      <?xml version="1.0"?>
      <trace-query-result>
      <node xpath='//trace-toc[1]/run[1]/data[1]/table[1]'><schema name="potential-hangs">
      <col><mnemonic>start</mnemonic><name>Start</name><engineering-type>start-time</engineering-type></col>
      <col><mnemonic>duration</mnemonic><name>Duration</name><engineering-type>duration</engineering-type></col>
      </schema>
      <row><start-time id="1" fmt="1">1000000000</start-time><duration id="2" fmt="1">300000000</duration></row>
      </node></trace-query-result>
      """)
    #expect(!trace.source.hasKnownLength)
  }

  // MARK: - Lines

  @Test func `lines of JSON can contain start and refreshInterval`() throws {
    let trace = try read(
      """
      {"frame":1,"start":1000,"presented":2000,"refreshInterval":16666667}
      {"span":"work","start":1000,"end":1500}

      """)
    #expect(trace.losses.isEmpty)
    #expect(trace.surfaces[0].frames[0].start?.nanoseconds == 1000)
    #expect(trace.surfaces[0].frames[0].refreshInterval?.nanoseconds == 16_666_667)
    #expect(trace.tracks[0].spans.count == 1)
  }

  // MARK: - Formats that are not read

  @Test func `an unsupported format is rejected with what to export instead`() async {
    await forEachCase(of: [
      (
        #"{"meta":{"preprocessedProfileVersion":48,"processType":0},"libs":[],"threads":[]}"#,
        "Firefox"
      ),
      (#"{"version":1,"recording":{"instrumentTypes":["timeline-record-type-layout"]}}"#, "Safari"),
      (
        "<!DOCTYPE html>\n<html><head><title>Android System Trace</title><script class=\"trace-data\">",
        "systrace"
      ),
      ("PK\u{3}\u{4}....", "zip"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ text: String, _ name: String) throws {
      let error = #expect(throws: ImportError.self) { try read(text) }
      #expect(error?.reason.contains(name) == true)
      #expect(error?.advice.isEmpty == false)
    }
  }

  // MARK: - Perfetto

  @Test
  func `an older event without a track belongs to the thread that writes the sequence`() throws {
    let trace = try PerfettoMade.trace([
      [10: 1, 13: 1, 44: [1: 7, 2: 8]],
      PerfettoMade.event(
        0, at: 1000, [11: 0, 23: "old", 6: [2: .number(UInt8(ascii: "X")), 3: 2]]),
    ])
    #expect(trace.tracks.map(\.systemID) == [8])
    #expect(trace.tracks.map(\.spans.count) == [1])
  }

  @Test func `additional counter values in an event are read`() throws {
    let trace = try PerfettoMade.trace([
      [60: [1: 5, 2: "heap", 8: [:]]], [60: [1: 6, 2: "thread time", 8: [1: 1]]],
      [60: [1: 7, 2: "load", 8: [:]]],
      PerfettoMade.event(
        3, at: 1000,
        [23: "mark", 31: 5, 31: 6, 12: 42, 12: 9, 45: 7, 46: .fixed(0.5.bitPattern)]),
    ])
    let counters = trace.counters.map { "\(trace.name(of: $0.label)) \($0.values)" }
    #expect(counters == ["heap [42.0]", "load [0.5]"])
  }

  @Test func `packets of graphics frame events are reported with their count`() throws {
    let event: Proto = [8: 5, 57: [1: [1: 3]]]
    let trace = try PerfettoMade.trace([event, event, PerfettoMade.mark("a", at: 1000)])
    #expect(trace.notices.count { "\($0)".contains("graphics frame events (2)") } == 1)
  }
}
