import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Scripts are named by what they call, and what a page measures in a call is work of its thread.
@Suite struct ChromeCallTests {
  private func read(_ events: [String]) throws -> Trace {
    try TraceFile.read(Array("[\(events.joined(separator: ",\n"))]".utf8))
  }

  private func call(
    _ name: String, _ data: String, at time: Int = 0, lasting duration: Int = 100
  ) -> String {
    #"{"ph":"X","cat":"devtools.timeline","name":"\#(name)","ts":\#(time),"dur":\#(duration),"#
      + #""pid":1,"tid":1,"args":{"data":{\#(data)}}}"#
  }

  private func measure(_ name: String, from start: Int, to end: Int, thread: Int = 1) -> [String] {
    [("b", start), ("e", end)].map { phase, time in
      #"{"ph":"\#(phase)","cat":"blink.user_timing","name":"\#(name)","id2":{"local":"0x1"},"#
        + #""ts":\#(time),"pid":1,"tid":\#(thread),"args":{"detail":"{\"i\":7}"}}"#
    }
  }

  /// The spans of the only thread: name, begin and end in microseconds.
  private func spans(of trace: Trace) -> [String] {
    (trace.tracks.first?.spans ?? SpanColumns()).map { span in
      let (begin, end) = (span.range.start.nanoseconds, span.range.end.nanoseconds)
      return "\(trace.name(of: span.label)) \(begin / 1000)-\(end / 1000)"
    }
  }

  @Test func `a function call is named after its function, file and line`() async {
    await forEachCase(of: [
      (
        #""functionName":"update","url":"file:///a/feed.html","lineNumber":15"#,
        "update (feed.html:15)"
      ),
      (
        #""functionName":"","url":"https://x.org/js/page.js?v=3#top","lineNumber":26"#,
        "(anonymous) (page.js:26)"
      ),
      (#""url":"https://x.org/js/page.js""#, "(anonymous) (page.js)"),
      (
        #""functionName":"scan","url":"chrome-extension:\/\/abcd\/js\/content.js","lineNumber":1"#,
        "scan (extension content.js:1)"
      ),
      (#""functionName":"f","url":"https://x.org/","lineNumber":1"#, "f (x.org:1)"),
      (#""functionName":"f","url":"data:text/javascript,let/x","lineNumber":2"#, "f (data::2)"),
      (#""functionName":"f","url":"https:\/\/x.org\/a.js","lineNumber":-1"#, "f (a.js)"),
      (#""functionName":"\u00e4\"","url":"""#, "ä\""),
      (#""functionName":"tick","lineNumber":"x""#, "tick"),
      (#""functionName":5,"url":null,"lineNumber":15"#, "FunctionCall"),
      (#""frame":"4BC5""#, "FunctionCall"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ data: String, _ name: String) throws {
      let trace = try read([call("FunctionCall", data)])
      #expect(spans(of: trace) == ["\(name) 0-100"])
      let label = try #require(trace.tracks.first?.spans[0].label)
      #expect(trace.category(of: label) == "devtools.timeline")
      #expect(trace.losses.isEmpty)
    }
  }

  @Test func `a script of another site than the page's is named with its host`() throws {
    func names(_ urls: [String], page: String? = nil) throws -> [String] {
      let start = page.map {
        #"{"ph":"I","cat":"disabled-by-default-devtools.timeline","name":"TracingStartedInBrowser","#
          + #""ts":0,"pid":1,"tid":1,"args":{"data":{"frames":[{"url":"\#($0)"}]}}}"#
      }
      let calls = urls.enumerated().map { index, url in
        call("FunctionCall", #""functionName":"f","url":"\#(url)""#, at: 200 * (index + 1))
      }
      let trace = try read((start.map { [$0] } ?? []) + calls)
      return (trace.tracks.first?.spans ?? SpanColumns()).map { trace.name(of: $0.label) }
    }
    let (own, other) = ("https://static.tern.io:443/a.js", "https://widget.help.com/v2/b.js?x#y")
    #expect(try names([own, other]) == ["f (a.js)", "f (widget.help.com/b.js)"])
    #expect(
      try names([other, own], page: "https://tern.io/feed") == [
        "f (widget.help.com/b.js)", "f (a.js)",
      ])
    let shared = ["https://a.one.co.uk/a.js", "https://b.one.co.uk/a.js", "https://two.co.uk/a.js"]
    #expect(try names(shared) == ["f (a.js)", "f (a.js)", "f (two.co.uk/a.js)"])
    let numbers = ["http://10.0.0.1/a.js", "http://10.1.0.1/a.js", "file:///b/a.js"]
    #expect(try names(numbers) == ["f (a.js)", "f (10.1.0.1/a.js)", "f (a.js)"])
    #expect(try names([own, "https://help.com/"]) == ["f (a.js)", "f (help.com)"])
  }

  @Test func `scripts and events are named after what runs and their type`() throws {
    let trace = try read([
      call("EvaluateScript", #""url":"https://x.org/page.js","lineNumber":1"#, at: 0),
      call("EvaluateScript", "", at: 200),
      call("EventDispatch", #""type":"scroll""#, at: 400),
      call("EventDispatch", "", at: 600),
      call("Layout", #""functionName":"f","type":"scroll""#, at: 800),
      #"{"ph":"X","cat":"devtools.timeline","name":"FunctionCall","ts":1000,"dur":5,"pid":1,"tid":1}"#,
      #"{"ph":"X","cat":"v8","name":"v8.run","ts":1200,"dur":5,"pid":1,"tid":1,"#
        + #""args":{"fileName":"https://cdn.tag.com/a/gtag.js?id=1"}}"#,
      #"{"ph":"X","cat":"v8","name":"v8.run","ts":1300,"dur":5,"pid":1,"tid":1,"args":{}}"#,
    ])
    #expect(
      spans(of: trace) == [
        "EvaluateScript (page.js:1) 0-100", "EvaluateScript 200-300",
        "EventDispatch (scroll) 400-500", "EventDispatch 600-700", "Layout 800-900",
        "FunctionCall 1000-1005", "v8.run (cdn.tag.com/gtag.js) 1200-1205", "v8.run 1300-1305",
      ])
  }

  @Test func `a call of two events has its name and its end`() throws {
    let begin =
      #"{"ph":"B","cat":"c","name":"FunctionCall","ts":0,"pid":1,"tid":1,"args":{"data":"#
      + #"{"functionName":"f","url":"a.js","lineNumber":3}}}"#
    let end = #"{"ph":"E","cat":"c","name":"FunctionCall","ts":90,"pid":1,"tid":1}"#
    let trace = try read([begin, end] + measure("row", from: 10, to: 80))
    #expect(spans(of: trace) == ["f (a.js:3) 0-90", "row 10-80"])
    #expect(trace.losses.isEmpty)
  }

  @Test func `a measure inside one call is work of its thread, with its item`() throws {
    let trace = try read(
      measure("row", from: 20, to: 80) + [call("FunctionCall", #""functionName":"f""#)])
    #expect(spans(of: trace) == ["f 0-100", "row 20-80"])
    #expect(trace.asyncSpans.isEmpty)
    let list = try #require(trace.tracks.first?.spans.arguments(at: 1))
    #expect(trace.arguments[list].map(\.value) == [.integer(7)])
  }

  @Test func `a measure over several calls is separate from its thread`() throws {
    let calls = [0, 200].map { call("FunctionCall", #""functionName":"f""#, at: $0) }
    for (begin, end) in [(20, 280), (20, 150), (120, 150), (0, 101)] {
      let trace = try read(calls + measure("row", from: begin, to: end))
      #expect(spans(of: trace) == ["f 0-100", "f 200-300"])
      #expect(trace.asyncSpans.map(\.range.start.nanoseconds) == [Int64(begin) * 1000])
    }
    let elsewhere = try read(calls + measure("row", from: 20, to: 80, thread: 2))
    #expect(elsewhere.asyncSpans.count == 1)
  }

  @Test func `a measure that a coarse clock starts before its call starts with the call`() throws {
    let calls = [
      call("FunctionCall", #""functionName":"outer""#, at: 1000, lasting: 1000),
      call("FunctionCall", #""functionName":"inner""#, at: 1200, lasting: 100),
    ]
    let early = try read(calls + measure("row", from: 950, to: 1900))
    #expect(spans(of: early) == ["outer 1000-2000", "row 1000-1900", "inner 1200-1300"])
    let inside = try read(calls + measure("row", from: 1150, to: 1280))
    #expect(spans(of: inside) == ["outer 1000-2000", "inner 1200-1300", "row 1200-1280"])
    let tooEarly = try read(calls + measure("row", from: 899, to: 1900))
    #expect(tooEarly.asyncSpans.count == 1)
  }

  @Test func `each new function costs one name, and simultaneous calls take no extra time`() throws
  {
    let count = ExtraCases.isThorough ? 20_000 : 5_000
    let names = (0..<count).map {
      call("FunctionCall", #""functionName":"f\#($0)","url":"a.js","lineNumber":\#($0)"#, at: 0)
    }
    let measures = (0..<1000).flatMap { measure("row", from: $0 % 90, to: 200 + $0) }
    let trace = try read(names + measures)
    #expect(trace.tracks.first?.spans.count == count)
    #expect(trace.labels.labels.count == count + 2)
    #expect(trace.asyncSpans.count == 1000)
  }
}
