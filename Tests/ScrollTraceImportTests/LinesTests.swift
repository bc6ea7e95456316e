import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Lines of JSON and comma-separated values.
struct LinesTests {
  private static func path(_ name: String) -> String {
    PackageFiles.sample("Foreign/\(name)")
  }

  @Test func `the NDJSON sample holds what its host printed`() throws {
    let trace = try TraceFile.open(Self.path("lines.ndjson"))
    #expect(trace.source.format == "ndjson")
    #expect(trace.losses.isEmpty && trace.notices.isEmpty)
    #expect(trace.surfaces.map(\.name) == ["display"])
    let frame = trace.surfaces[0].frames[13]
    #expect(frame.id == 14)
    #expect(frame.commitEnd?.nanoseconds == 243_671_000)
    #expect(frame.refreshInterval?.nanoseconds == 16_667_000)
    #expect(trace.tracks.map(\.name) == ["main", "loader"])
    #expect(trace.tracks.map(\.isMain) == [true, false])
    // The layout and the commit around it.
    #expect(trace.tracks[0].spans.count == 120)
    #expect(trace.tracks[1].spans.count == 60)
    let layout = trace.tracks[0].spans[1]
    #expect(layout.range.length.nanoseconds == 8_800_500)
    #expect(trace.interactions.map(\.kind) == ["drag"])
  }

  @Test func `a first line of a later version or with another unit is an error`() {
    for (header, reason) in [
      (#"{"scrolltrace": "ndjson/9"}"#, "only scrolltrace ndjson/1 is supported"),
      (#"{"scrolltrace": "ndjson/1", "unit": "msec"}"#, "the unit must be ns, us, ms or s"),
    ] {
      let frame = #"{"frame": 1, "begin": 0, "commitEnd": 1000000, "deadline": 16000000}"#
      let error = #expect(throws: ImportError.self) { try read(header + "\n" + frame + "\n") }
      #expect(error?.reason == "line 1, column 1: " + reason)
    }
  }

  @Test func `the sample of values holds the same frames`() throws {
    let trace = try TraceFile.open(Self.path("frames.csv"))
    #expect(trace.source.format == "csv")
    #expect(trace.losses.isEmpty && trace.notices.isEmpty)
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 60)
    #expect(frames[13].commitEnd?.nanoseconds == 243_671_000)
    #expect(trace.tracks[0].spans.count == 60)
  }

  @Test func `a listed hitch is a line or a row (M-2)`() throws {
    for text in [
      """
      {"scrolltrace":"ndjson/1","unit":"ms","begin":0,"end":1000}
      {"hitch":"late","begin":100,"duration":33,"interval":16.5}
      {"hitch":"","begin":200,"end":216.5,"surface":"glass","color":"red"}

      """,
      """
      kind,name,begin_ms,end_ms,interval_ms,surface,color
      hitch,late,100,133,16.5,,
      hitch,,200,216.5,,glass,red

      """,
    ] {
      let trace = try read(text)
      #expect(trace.losses.isEmpty)
      #expect(trace.surfaces.map(\.name) == ["display", "glass"])
      #expect(trace.surfaces.allSatisfy { $0.basis == .hitchList })
      let hitches = trace.surfaces.flatMap(\.listedHitches)
      #expect(hitches.map(\.length.nanoseconds) == [33_000_000, 16_500_000])
      #expect(hitches.map { $0.refreshInterval?.nanoseconds } == [16_500_000, nil])
      #expect(hitches.map { $0.sourceLabel.map { trace.strings[$0] } } == ["late", nil])
      // What is not understood is told.
      #expect(
        trace.notices.contains(
          .source("unknown keys of frames or hitches, ignored: color")))
    }
  }

  @Test func `a listed hitch without its times is lost, and counted`() async {
    await forEachCase(
      of: [
        #"{"hitch":"x"}"#, #"{"hitch":"x","begin":5}"#, #"{"hitch":"x","begin":5,"end":4}"#,
        #"{"hitch":"x","begin":5,"duration":-1}"#,
        #"{"hitch":"x","begin":9223372036854775807,"duration":9223372036854775807}"#,
      ], oneCase)
    @Sendable func oneCase(line: String) throws {
      let trace = try read(#"{"mark":"a","at":1}"# + "\n" + line + "\n")
      #expect(trace.losses.count == 1)
      #expect(trace.surfaces.allSatisfy { $0.listedHitches.isEmpty })
    }
  }

  @Test func `lines with unknown field names are rejected with the expected names`() throws {
    for text in ["frame_no,time_us,layout_us\n1,2,3\n", "{\"ev\":\"frame\",\"t0\":1}\n"] {
      let error = try #require(throws: ImportError.self) { try read(text) }
      #expect(error.advice.contains("; own fields: frame, begin"))
    }
    let error = try #require(throws: ImportError.self) { try read("\u{1},,,\n") }
    #expect(!error.advice.contains("own fields"))
  }

  @Test func `keys match only their exact spelling`() {
    for key in LineKey.allCases {
      #expect(LineKey(spelling: "\(key)") == key)
      #expect(LineKey(spelling: "\(key)".uppercased()) == nil)
      #expect(LineKey(spelling: "\(key) ") == nil)
    }
    #expect(LineKey(spelling: "start") == .begin)
    #expect(LineKey(spelling: "refreshInterval") == .interval)
  }

  @Test func `unreadable lines are counted with their position`() throws {
    let trace = try read(
      """
      {"frame":1,"begin":0,"commitEnd":5}
      {"frame":2,"begin":10,,"commitEnd":15}
      {"frame":3,"begin":"soon"}
      {"frame":4,"span":"x","begin":1,"end":2}
      {"frame":5,"begin":20,"commitEnd":25}
      {"frame":6,"begi
      """)
    #expect(trace.surfaces[0].frames.count == 2)
    let malformed = trace.losses.first { $0.reason == .malformedRecord }
    #expect(malformed?.count == 3)
    #expect(malformed?.offset == 36)
    #expect(trace.losses.first { $0.reason == .cutAtEnd }?.count == 1)
    #expect(
      trace.notices.contains(
        .source("line 2, column 23 cannot be read: a string is missing, the first of 3 such lines"))
    )
  }

  @Test func `a last row of values without a line end is kept, and doubtful`() throws {
    let rows = "frame,surface,begin,commitEnd,interval\n1,main,0,5000000,16666667\n2,main,9,33"
    let doubt = Notice.source("the last row has no line end; its last value may be truncated")
    let trace = try read(rows + "333333,16666667")
    #expect(trace.surfaces[0].frames.count == 2)
    #expect(trace.notices.contains(doubt))
    #expect(try !read(rows + "333333,16666667\n").notices.contains(doubt))
    // A row that lacks cells is no row.
    #expect(try read(rows).losses.map(\.reason) == [.cutAtEnd])
  }

  @Test func `everything JSON allows is read`() async {
    await forEachCase(
      of: [
        #"{"span":"a","begin":1,"end":2,"x":[1,{"y":[]},"\u00e9"],"n":null}"#,
        #" { "span" : "a\n\ud83d\ude00" , "begin" : 1.5e3 , "duration" : 0.25 } "#,
      ], oneCase)
    @Sendable func oneCase(line: String) throws {
      let trace = try read(line + "\n")
      #expect(trace.losses.isEmpty)
      #expect(trace.tracks[0].spans.count == 1)
    }
  }

  @Test func `anything JSON or the format does not allow is not a line`() async {
    await forEachCase(
      of: [
        "{\"span\":\"a\",\"begin\":01,\"end\":2}", "{\"span\":\"a\",\"begin\":1,\"end\":2,}",
        "{\"span\":\"a\u{1}\",\"begin\":1,\"end\":2}", "{\"span\":\"a\",\"begin\":1,\"end\":2} x",
        "{\"span\":\"a\",\"begin\":1,\"end\":2,\"x\":[1,]}",
        "{\"span\":\"\\x\",\"begin\":1,\"end\":2}",
        "{\"span\":\"a\",\"begin\":1,\"begin\":1,\"end\":2}",
        "{\"span\":\"a\",\"begin\":-1,\"end\":2}",
        "{\"span\":\"a\",\"begin\":5,\"end\":2}", "{\"span\":\"a\",\"begin\":NaN,\"end\":2}",
        "{\"span\":\"a\",\"begin\":1e300,\"end\":2}", "[]", "7", "{}",
      ], oneCase)
    @Sendable func oneCase(line: String) throws {
      let good = #"{"span":"good","begin":1,"end":2}"#
      let trace = try read(good + "\n" + line + "\n" + good + "\n")
      #expect(trace.tracks[0].spans.count == 2)
      #expect(trace.losses.map(\.reason) == [.malformedRecord])
    }
  }

  @Test func `deep values do not end the reading`() throws {
    let deep = String(repeating: "[", count: 100_000)
    let trace = try read(
      #"{"span":"good","begin":1,"end":2}"# + "\n" + #"{"span":"a","x":"# + deep + "}\n")
    #expect(trace.losses.map(\.reason) == [.malformedRecord])
  }

  @Test func `columns are found by name, with quotes, units and other separators`() throws {
    let trace = try read(
      "\u{FEFF}Commit Start_ms;surface;frame;Commit_End_us\r\n1.5;\"a;\"\"b\"\"\";7;2500\r\n")
    #expect(trace.losses.isEmpty)
    #expect(trace.surfaces.map(\.name) == ["a;\"b\""])
    let frame = trace.surfaces[0].frames[0]
    #expect(frame.id == 7)
    #expect(frame.commitStart?.nanoseconds == 1_500_000)
    #expect(frame.commitEnd?.nanoseconds == 2_500_000)
  }

  @Test func `a column gives the kind of each row`() throws {
    let trace = try read(
      """
      kind,name,begin,end,thread,value,colour
      interaction,drag,0,100,,,
      span,layout,10,20,main,,red
      counter,speed,15,,,2.5,
      state,screen,16,,,feed,
      mark,tap,17,,main,,
      frame,,0,30,main,,

      """)
    #expect(trace.losses.isEmpty)
    #expect(trace.interactions.count == 1 && trace.states.count == 1 && trace.marks.count == 1)
    #expect(trace.counters.count == 1)
    #expect(trace.tracks[0].spans.count == 2)
    #expect(trace.surfaces[0].frames.count == 1)
    let list = trace.arguments[trace.tracks[0].spans.arguments(at: 1)]
    #expect(list.map { trace.strings[$0.key] } == ["colour"])
  }

  @Test func `one field of a row is singular`() throws {
    let trace = try read("frame,begin,end\n1,0,5\n2\n")
    let text = "line 3, column 1 cannot be read: there is 1 field for 3 columns"
    #expect(trace.notices.contains(.source(text)))
  }

  @Test func `foreign files are left to other importers`() async {
    await forEachCase(
      of: [
        "Application,ProcessID,SwapChainAddress\na,1,2\n", "os,cpu,gpu\nLinux,x,y\nfps,frametime\n",
        "just text\n", "{\"ph\":\"X\",\"ts\":1,\"span\":\"a\"}\n", "{\"a\":1}\n", "\n\n",
      ], oneCase)
    @Sendable func oneCase(text: String) throws {
      #expect(throws: ImportError.self) { try read(text) }
    }
  }

  @Test func `a line that is too long is skipped`() throws {
    let long = #"{"span":""# + String(repeating: "x", count: 3 << 20) + #"","begin":1,"end":2}"#
    let good = #"{"span":"good","begin":1,"end":2}"#
    let trace = try read(good + "\n" + long + "\n" + good + "\n")
    #expect(trace.tracks[0].spans.count == 2)
    #expect(trace.losses.map(\.reason) == [.limitReached])
  }

  @Test func `a frame column named hitch lists no hitches`() throws {
    let text = "frame,begin,presented,hitch\n1,0,0.010,0\n2,0.016,0.030,1\n"
    let trace = try read(text)
    #expect(trace.losses.isEmpty)
    #expect(trace.surfaces.map(\.frames.count) == [2])
    #expect(trace.says("hitch"))
  }
}
