import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceReport
import Testing

/// The flame graph of a page.
@Suite struct FlameTests {
  /// A trace with 40 samples of three functions, the outer one of each named as given.
  private func trace(_ name: String) -> Trace {
    var builder = TraceBuilder(format: "test")
    let main = builder.track(7, of: builder.process(7))
    builder.setMain(main)
    let series = builder.sampleSeries(of: main, reach: .middle)
    for index in Int64(0)..<40 {
      var stack = StackID.empty
      for function in [name, "run", index < 30 ? "decode" : "draw"] {
        let code = builder.sampledFunction(builder.string(function))
        stack = builder.stack(of: code, calledBy: stack) ?? .empty
      }
      builder.addSample(of: stack, at: Timestamp(clamping: index * 1_000_000), to: series)
    }
    return builder.finish()
  }

  private func page(_ name: String) throws -> ParsedMarkup {
    let html = HTMLRenderer().render(Report([TraceAnalyzer().analyze(trace(name))]))
    return try #require(ParsedMarkup(html), "\(name)")
  }

  @Test func `each bar has the function's name, and a list has the same without a script`() throws {
    let page = try page("main")
    let flames = page.elements("svg").filter { $0.attributes["class"] == "flame" }
    #expect(flames.count == 1)
    // The list is for those who do not see the bars.
    #expect(flames.first?.attributes["aria-hidden"] == "true")
    // The root, main, run, decode and draw.
    #expect(page.elements("svg").count { $0.attributes["x"] != nil } == 5)
    #expect(page.elements("details").contains { $0.attributes["class"] == "stacks" })
    let html = HTMLRenderer().render(Report([TraceAnalyzer().analyze(trace("main"))]))
    let list = try #require(html.split(separator: "The same as a list").last)
    for function in ["main", "run", "decode", "draw"] {
      #expect(list.contains("<li>\(function): "), "\(function)")
    }
    #expect(list.contains("30 samples") && list.contains("10 samples"))
  }

  @Test func `a hostile name of a function is text`() throws {
    for name in HostileNames.all {
      let page = try page(name)
      #expect(page.elements("script").count == 1 && page.elements("img").isEmpty, "\(name)")
    }
  }
}
