import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct ChromeJSONImporterTests {
  private func event(_ fields: String) -> String {
    "{\"pid\":1,\"tid\":1,\(fields)}"
  }

  @Test func `the object and the array form contain the same events`() throws {
    let one = #"{"ph":"X","ts":1.5,"dur":"2","pid":"7","tid":8.0,"name":"a\u0062","cat":"c"}"#
    for text in ["{\"traceEvents\":[\(one)],\"x\":{}}", "[\(one)]", "\u{FEFF} [\r\n\(one)\r\n]\n"] {
      let trace = try read(text)
      let span = try #require(trace.tracks.first?.spans[0])
      #expect(span.range.start.nanoseconds == 1500)
      #expect(span.range.end.nanoseconds == 3500)
      #expect(trace.name(of: span.label) == "ab")
      #expect(trace.category(of: span.label) == "c")
      #expect(trace.processes.map(\.systemID) == [7])
      #expect(trace.losses.isEmpty)
      #expect(trace.source.wasClosed == true)
      #expect(trace.source.format == "chrome-json")
    }
  }

  @Test func `an event of any size is read, and those after it`() async {
    let sizes = [900_000, 1_030_000, 1_080_000, 1_260_000, 3_000_000]
    await forEachCase(of: ExtraCases.some(3, of: sizes), oneCase)
    @Sendable func oneCase(size: Int) throws {
      let numbers = String(repeating: "0,1,2,", count: size / 6)
      let small = event(#""ph":"X","ts":1,"dur":1,"name":"a""#)
      let large = event(#""ph":"I","ts":3,"name":"b","args":{"a":[\#(numbers)3]}"#)
      let trace = try read("{\"traceEvents\":[\(small),\(large),\(small)]}")
      #expect(trace.tracks.map(\.spans.count) == [2] && trace.marks.count == 1)
      #expect(trace.losses.isEmpty)
    }
  }

  @Test func `a place that was not scanned has no token`() {
    let text = Array("[1,2]".utf8) + [UInt8](repeating: 0, count: 64)
    text.withUnsafeBytes { bytes in
      var tokens = JSONTokens()
      tokens.find(in: UnsafeRawBufferPointer(rebasing: bytes[..<5]), from: 0, count: 5)
      let isThere = tokens.pass(to: 1)
      #expect(isThere)
      for place in [5, 6, 5_000_000] {
        let isBeyond = tokens.pass(to: place)
        #expect(!isBeyond)
      }
    }
  }

  @Test func `an array without its bracket comes from a killed writer and loses nothing`() throws {
    let one = event(#""ph":"X","ts":1,"dur":1,"name":"a""#)
    for text in ["[\(one)", "[\(one),\n", "[\(one),\(one)\n"] {
      let trace = try read(text)
      #expect(trace.losses.isEmpty)
      #expect(trace.source.wasClosed == false)
      #expect(trace.notices.contains(.notClosed))
    }
    let cut = try read("{\"traceEvents\":[\(one)")
    #expect(cut.lossCounts == [.cutAtEnd: 1])
    #expect(cut.tracks[0].spans.count == 1)
  }

  @Test func `data after damage is lost, data before it is kept`() throws {
    let one = event(#""ph":"X","ts":1,"dur":1,"name":"a""#)
    for tail in [
      ",]", ",{\"ph\":}]", "] garbage", " \(one)]", ",{\"ph\":\"X\",}]", "][]", ",\u{1}]",
    ] {
      let trace = try read("[\(one)\(tail)")
      #expect(trace.tracks[0].spans.count == 1)
      #expect(trace.lossCounts == [.damagedBytes: 1], "\(tail)")
      #expect(trace.losses.first?.offset.map { $0 >= one.utf8.count } == true)
    }
    #expect(throws: ImportError.self) { try read("{\"traceEvents\":[{\"ph\" 1}]}") }
  }

  @Test
  func `begins and ends are paired in order of time, whatever their order in the file`() throws {
    let trace = try read(
      """
      [\(event(#""ph":"E","ts":9,"name":"outer""#)),\(event(#""ph":"B","ts":2,"name":"inner""#)),
      \(event(#""ph":"B","ts":1,"name":"outer""#)),\(event(#""ph":"E","ts":3"#)),
      \(event(#""ph":"B","ts":10,"name":"open""#))]
      """)
    let spans = trace.tracks[0].spans
    #expect(spans.labels.map { trace.name(of: $0) } == ["outer", "inner"])
    #expect(spans.times.map(\.end) == [9000, 3000])
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["open"])
    #expect(trace.range.end.nanoseconds == 10_000)
    #expect(trace.losses.isEmpty)
  }

  @Test
  func `an end without an open span is counted, and a lost inner end keeps the outer one`() throws {
    let trace = try read(
      """
      [\(event(#""ph":"B","ts":2,"name":"outer""#)),\(event(#""ph":"E","ts":2,"name":"other""#)),
      \(event(#""ph":"B","ts":3,"name":"inner""#)),\(event(#""ph":"E","ts":4,"name":"outer""#))]
      """)
    #expect(trace.lossCounts == [.unmatchedEnd: 1])
    #expect(trace.tracks[0].spans.count == 1)
    #expect(trace.openSpans.count == 1)
  }

  @Test func `an animation frame of a BeginFrame from before the recording is no loss`() throws {
    func frame(_ number: Int, at time: Int) -> String {
      let id = ##""ts":\##(time),"name":"AnimationFrame","id2":{"local":"0x\##(number)"}"##
      let info = ##""begin_frame_id":{"sequence_number":\##(number)}"##
      return event(
        "\"ph\":\"b\",\(id),\"args\":{\"animation_frame_timing_info\":{\(info)}}")
    }
    let begin = #""ph":"I","ts":20,"name":"BeginFrame","args":{"frameSeqId":5}"#
    let trace = try read("[\(frame(3, at: 10)),\(event(begin)),\(frame(5, at: 21))]")
    #expect(trace.losses.isEmpty)
    let surface = trace.surfaces.first { $0.name == "Main thread updates" }
    #expect(surface?.frames.map(\.id) == [5])
    // A later one is missing.
    let later = try read(
      "[\(frame(5, at: 21)),\(event(begin)),\(frame(9, at: 30))]")
    #expect(later.lossCounts == [.undefinedReference: 1])
  }

  @Test func `asynchronous work is paired by id, scope and name`() throws {
    let trace = try read(
      """
      [\(event(#""ph":"b","ts":1,"id2":{"local":"0x1"},"name":"a""#)),
      {"pid":2,"tid":1,"ph":"e","ts":2,"id2":{"local":"0x1"},"name":"a"},
      \(event(#""ph":"e","ts":3,"id2":{"local":"0x1"},"name":"a""#)),
      \(event(#""ph":"S","ts":4,"id":"x","name":"g""#)),
      {"pid":2,"tid":1,"ph":"F","ts":6,"id":"x","name":"g"},
      \(event(#""ph":"b","ts":7,"name":"no id""#))]
      """)
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [2000, 2000])
    // What process 2 ended had begun before the recording.
    #expect(trace.lossCounts == [.invalidValue: 1])
  }

  @Test func `hostile numbers are counted and omitted`() throws {
    let trace = try read(
      """
      [\(event(#""ph":"X","ts":-5,"dur":1"#)),\(event(#""ph":"X","ts":9e18,"dur":1"#)),
      \(event(#""ph":"X","ts":1e999,"dur":1"#)),\(event(#""ph":"X","ts":1,"dur":-1"#)),
      \(event(#""ph":"X","ts":9223372036854775,"dur":9223372036854775"#)),
      \(event(#""ph":"X","ts":null,"dur":1"#)),\(event(#""ph":"X","ts":"100a","dur":1"#)),
      \(event(#""ph":"X","ts":1,"dur":"1a""#)),\(event(#""ph":"?","ts":1"#)),
      \(event(#""ph":7,"ts":1"#)),\(event(#""ph":"X","ts":5"#)),{},null,
      {"ph":"X","ts":7,"dur":1,"pid":-1,"tid":{},"ts":8}]
      """)
    #expect(
      trace.lossCounts == [
        .timeOutOfRange: 4, .endBeforeBegin: 1, .invalidValue: 4, .unknownRecord: 2,
      ])
    #expect(trace.spanCount == 1)
    #expect(trace.openSpans.count == 1)
    // Of a repeated member the last one counts.
    #expect(trace.tracks.last?.spans.times.map(\.start) == [8000])
  }

  @Test func `counters, flows and names are kept`() throws {
    let trace = try read(
      """
      [\(event(#""ph":"C","ts":1,"name":"memory","args":{"js":5,"dom":"2.5","x":"y"}"#)),
      \(event(#""ph":"s","ts":1,"id":"0x10","name":"f""#)),
      \(event(#""ph":"f","ts":2,"id":16,"name":"f""#)),
      \(event(#""ph":"M","name":"thread_name","args":{"name":"main \"one\""}"#)),
      \(event(#""ph":"M","name":"process_name","ts":null,"args":{"name":"app"}"#))]
      """)
    #expect(trace.counters.map { trace.strings[$0.series] } == ["js", "dom"])
    #expect(trace.counters.map(\.values) == [[5], [2.5]])
    #expect(trace.flows.map(\.id) == [16, 16])
    #expect(trace.tracks.map(\.name) == ["main \"one\""])
    #expect(trace.processes.map(\.name) == ["app"])
    #expect(trace.lossCounts == [.invalidValue: 1])
  }

  @Test func `losses reported by the tracing system are losses`() throws {
    let trace = try read(
      """
      {"traceEvents":[],"metadata":{"trace_processor_stats":{"traced_buf":[
      {"chunks_overwritten":0,"bytes_read":5},{"chunks_overwritten":3}],
      "packet_skipped_seq_needs_incremental_state_invalid":4,"clock_sync_cache_miss":9}}}
      """)
    #expect(trace.lossCounts == [.sourceDroppedRecords: 7])
    #expect(!trace.isComplete)
    // Data of an earlier recording that came after its end.
    let second =
      #"{"traceEvents":[],"metadata":{"trace_processor_stats":{"traced_chunks_discarded":24}}}"#
    #expect(try read(second).losses.isEmpty)
  }

  @Test func `scroll input less than half a second apart is one interaction`() throws {
    func wheel(_ time: Int) -> String {
      event(
        #""ph":"b","id2":{"local":"\#(time)"},"name":"EventLatency","ts":\#(time),"#
          + #""args":{"event_latency":{"event_type":"MOUSE_WHEEL"}}"#)
    }
    let events = [0, 400_000, 899_999, 1_400_000, 1_500_000].map(wheel).joined(separator: ",")
    let trace = try read("[\(events)]")
    #expect(trace.interactions.map(\.start.nanoseconds) == [0, 1_400_000_000])
    #expect(trace.interactions.map { $0.end?.nanoseconds } == [899_999_000, 1_500_000_000])
  }

  /// The events of a refresh of a page, at which Chrome showed a picture (P), or wanted no update at rest (-) or while
  /// it scrolled: without an update of the page's thread (=), after a short one (u) or a long one (U). The page's thread animated something (M), or the compositor did, with an update (C), without
  /// the late one (c) or without any (s), or nothing was shown of what the thread animates (D).
  private func refresh(_ kind: Character, _ index: Int) -> [String] {
    let states: [Character: String] = [
      "-": "NO_UPDATE_DESIRED", "=": "NO_UPDATE_DESIRED", "u": "NO_UPDATE_DESIRED",
      "U": "NO_UPDATE_DESIRED", "c": "PRESENTED_PARTIAL", "D": "DROPPED",
    ]
    let state = states[kind] ?? "PRESENTED_ALL"
    let scroll = "=uU".contains(kind) ? "SCROLL_COMPOSITOR_THREAD" : "SCROLL_NONE"
    let report =
      #""state":"STATE_\#(state)","scroll_state":"\#(scroll)","#
      + #""has_main_animation":\#("MCD".contains(kind)),"#
      + #""has_compositor_animation":\#("Ccs".contains(kind))"#
    func part(_ phase: String, _ name: String, _ time: Int, _ more: String = "") -> String {
      event(
        #""ph":"\#(phase)","cat":"cc","name":"\#(name)","id2":{"local":"\#(index)"},"#
          + #""ts":\#(index * 10_000 + time)\#(more)"#)
    }
    var parts = [part("b", "PipelineReporter", 0, #","args":{"frame_reporter":{\#(report)}}"#)]
    if "MCuU".contains(kind) {
      parts.append(part("b", "SendBeginMainFrameToCommit", 1000))
      parts.append(part("e", "SendBeginMainFrameToCommit", kind == "U" ? 11_000 : 2000))
    }
    return parts + [part("e", "PipelineReporter", 12_000)]
  }

  /// A page of input events by time in milliseconds and name, the times at which it was told of a scroll, and its
  /// refreshes.
  private func page(
    _ inputs: [(Int, String)] = [], told: [Int] = [], _ refreshes: String
  ) throws -> Trace {
    var events = inputs.enumerated().map { index, input in
      event(
        #""ph":"b","id2":{"local":"i\#(index)"},"name":"InputLatency::\#(input.1)","ts":\#(input.0 * 1000)"#
      )
    }
    events += told.map {
      event(
        #""ph":"X","cat":"devtools.timeline","name":"EventDispatch","ts":\#($0 * 1000),"dur":5,"#
          + #""args":{"data":{"type":"scroll"}}"#)
    }
    for (index, kind) in refreshes.enumerated() { events += refresh(kind, index) }
    return try read("[\(events.joined(separator: ","))]")
  }

  /// The interactions of a page, in milliseconds.
  private func interactions(
    _ inputs: [(Int, String)] = [], told: [Int] = [], _ refreshes: String
  ) throws -> [[Int64]] {
    try page(inputs, told: told, refreshes).interactions.map {
      [$0.start.nanoseconds / 1_000_000, ($0.end?.nanoseconds ?? -1) / 1_000_000]
    }
  }

  @Test func `where a finger rests on a scrolled page, no picture is requested`() throws {
    func rests(_ refreshes: String, _ inputs: [(Int, String)] = []) throws -> [[Int64]] {
      try page(inputs, refreshes).surfaces.map { surface in
        surface.frames.filter { $0.outcome == .notRequested }.compactMap {
          $0.start.map { $0.nanoseconds / 10_000_000 }
        }
      }
    }
    #expect(try rests("PPCC====-CCPP") == [[4, 5, 6, 7, 8], [4, 5, 6, 7, 8]])
    #expect(try rests("PPCC=CC--CCPP") == [[], []])
    #expect(try rests("PPCCuuuu-CCPP") == [[4, 5, 6, 7, 8], [8]])
    #expect(try rests("PPCCUUUU=CCPP") == [[], []])
    let moves = (1..<13).map { ($0 * 10 + 5, "TouchMove") }
    #expect(try rests("PPCC====-CCPP", moves) == [[], []])
    let late = [(25, "TouchMove"), (65, "TouchMove")]
    #expect(try rests("PPCC======CC", late) == [[4, 5, 6, 7], [4, 5, 6, 7]])
  }

  @Test func `scrolls that ended are apart, however soon the next one begins`() throws {
    let inputs = [
      (10, "GestureScrollBegin"), (10, "GestureScrollUpdate"), (150, "GestureScrollUpdate"),
      (152, "GestureScrollEnd"), (200, "GestureScrollBegin"), (330, "GestureScrollUpdate"),
      (340, "MouseWheel"), (345, "GestureScrollEnd"),
    ]
    #expect(
      try interactions(inputs, String(repeating: "P", count: 40)) == [[10, 150], [200, 340]])
  }

  @Test
  func `a notch of the wheel lasts until its picture, and what rests afterwards is none of it`()
    throws
  {
    let notch = [
      (13, "MouseWheel"), (13, "GestureScrollBegin"), (13, "GestureScrollUpdate"),
      (15, "GestureScrollEnd"),
    ]
    #expect(try interactions(notch, "PP------------P") == [[13, 22]])
    #expect(try interactions(notch, "--------------P") == [[13, 13]])
  }

  @Test
  func `touches that move nothing are no scroll, and those of a script that draws are`() throws {
    let touches = (1..<30).map { ($0 * 10, "TouchMove") }
    #expect(try interactions(touches, String(repeating: "-", count: 30)) == [])
    #expect(try interactions(touches, String(repeating: "P", count: 30)) == [[10, 290]])
  }

  @Test func `a scroll that reached the end of its page lasts until the last picture`() throws {
    let updates = [(5, "GestureScrollBegin")] + (1..<40).map { ($0 * 10, "GestureScrollUpdate") }
    #expect(try interactions(updates, "PPPPPPPPPP==============================") == [[5, 102]])
  }

  @Test func `without input, a scroll is an animation of the compositor that the page was told of`()
    throws
  {
    let keys = "-CCCC" + String(repeating: "-", count: 20) + "CCCC----"
    #expect(try interactions(told: [11, 21, 31, 251, 261], keys) == [[10, 52], [250, 292]])
    #expect(try interactions(told: [], keys) == [])
    let spinner = String(repeating: "s", count: 20)
    #expect(try interactions(told: [201, 211], spinner + "CCCC" + spinner) == [[200, 242]])
  }

  @Test func `an update that comes late does not make the compositor's scroll longer`() throws {
    let late = "-cccc" + String(repeating: "D", count: 30)
    #expect(try interactions(told: [11, 240], late) == [[10, 52]])
  }

  @Test func `without input, a run of scroll events is a scroll, and a jump is none`() throws {
    #expect(try interactions(told: [11, 21, 31, 41], "-MMMM----") == [[10, 52]])
    #expect(try interactions(told: [11], "-MMMM----") == [])
    #expect(try interactions([(11, "KeyDown")], told: [11, 21], "-PPPP----") == [[10, 32]])
    #expect(try interactions([(500, "MouseWheel")], told: [11, 21], "-PPPP----") == [])
  }

  @Test func `a freeze is inside a scroll that a script goes on with, and a rest is not`() throws {
    let events = [11, 21, 331, 341]
    for (between, expected) in [
      ("D", [[10, 352]]), ("-", [[10, 32], [330, 352]]), ("M", [[10, 32], [330, 352]]),
    ] as [(String, [[Int64]])] {
      let refreshes = "-MM" + String(repeating: between, count: 30) + "MM--"
      #expect(try interactions(told: events, refreshes) == expected, "\(between)")
    }
  }

  @Test func `a measure keeps the item that its detail names`() throws {
    let trace = try read(
      """
      [\(event(#""ph":"b","id":1,"cat":"blink.user_timing","ts":2,"name":"row","args":{"detail":"{\"i\":12}"}"#)),
      \(event(#""ph":"e","id":1,"cat":"blink.user_timing","ts":3,"name":"row""#))]
      """)
    let list = try #require(trace.asyncSpans.first?.arguments)
    #expect(trace.arguments[list].map(\.value) == [.integer(12)])
  }

  @Test func `an unknown format is rejected with the command that lists the known ones`() {
    for text in ["hello", "{}", "[]", "{\"a\":[1]}", "\u{0}\u{0}", "1f8b"] {
      #expect(refusal(of: text) == "unrecognized format; run `scrolltrace formats`")
    }
    #expect(throws: ImportError.self) { try read("") }
  }
}
