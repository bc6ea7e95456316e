import ScrollTraceAnalysis
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct JUnitRendererTests {
  private func parsed(_ report: Report) throws -> ParsedMarkup {
    try #require(ParsedMarkup(JUnitRenderer().render(report)))
  }

  @Test func `without a budget every trace has one case, that it was analyzed`() throws {
    let parsed = try parsed(Report([Renders.analyses[0], Renders.analyses[3]]))
    #expect(
      parsed.elements("testsuite").map { $0.attributes["name"] } == ["feed.fxt", "feed.fxt (2)"])
    #expect(parsed.elements("testcase").map { $0.attributes["name"] } == ["analyzed", "analyzed"])
    #expect(parsed.elements("failure").isEmpty && parsed.elements("skipped").isEmpty)
    let whole = try #require(parsed.elements("testsuites").first).attributes
    #expect(whole["tests"] == "2" && whole["failures"] == "0" && whole["errors"] == "0")
    #expect(
      parsed.elements("property").contains {
        $0.attributes["name"] == "hitchTimeRatioMsPerS" && $0.attributes["value"] != nil
      })
  }

  @Test func `the rating is a property, with the reason if too little is known`() throws {
    let uncertain = TraceAnalyzer().analyze(WorkedExamples.e2().trace())
    func properties(_ run: Analysis) throws -> [String?] {
      try parsed(Report([run])).elements("property").prefix(3).map { element in
        element.attributes["name"].map { "\($0)=\(element.attributes["value"] ?? "")" }
      }
    }
    #expect(
      try properties(uncertain) == [
        "rating=uncertain", "ratingReason=only 1 frame was evaluated in 0.02 s",
        "hitchTimeRatioMsPerS=0.0",
      ])
    #expect(try properties(Renders.analyses[0]).first == "rating=critical")
    #expect(
      JUnitRenderer().render(Report([uncertain])).contains("<system-out>UNCERTAIN  0 ms/s of hitch")
    )
  }

  @Test
  func `every limit is a case: exceeded fails, no data is an error, too few runs are skipped`()
    throws
  {
    let parsed = try parsed(Report([Renders.analyses[0]], verdict: Verdicts.mixed))
    let suites = parsed.elements("testsuite")
    #expect(suites.map { $0.attributes["name"] } == ["limits", "feed.fxt"])
    let limits = suites[0].attributes
    #expect(limits["tests"] == "6" && limits["failures"] == "1")
    #expect(limits["errors"] == "1" && limits["skipped"] == "2")
    let order = parsed.elements.filter {
      ["testcase", "failure", "error", "skipped", "system-out"].contains($0.name)
    }.map(\.name)
    let outcomes = zip(order, order.dropFirst()).filter { $0.0 == "testcase" }.map(\.1)
    #expect(
      outcomes
        == ["failure", "skipped", "system-out", "system-out", "error", "skipped", "system-out"])
    #expect(
      parsed.elements("failure").first?.attributes["message"]
        == "hitchTimeRatioMsPerS 31.88 ms/s is over the limit of 5 ms/s")
    #expect(
      parsed.elements("skipped").first?.attributes["message"]
        == "warning, fail: feed: deadlineMisses 3 is over the limit of 2")
  }

  @Test
  func `a trace without data is skipped without limits and an error with limits`() throws {
    let index = try #require(Renders.analyses.firstIndex { !$0.isEvaluated })
    let run = Renders.analyses[index]
    let asked = try parsed(Report([run], verdict: Verdicts.mixed))
    #expect(try parsed(Report([run])).elements("skipped").count == 1)
    #expect(asked.elements("testsuite").last?.attributes["errors"] == "1")
  }

  @Test func `a hostile name leaves the document well-formed, with the same elements`() async throws
  {
    @Sendable func names(_ name: String) throws -> [String] {
      let report = Report([Renders.hostile(name)], verdict: Verdicts.hostile(name))
      return try parsed(report).elements.map(\.name)
    }
    let harmless = try names("harmless")
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      #expect(try names(HostileNames.all[index]) == harmless)
    }
  }
}
