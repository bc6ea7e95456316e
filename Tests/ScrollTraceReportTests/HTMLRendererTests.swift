import Foundation
import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct HTMLRendererTests {
  private func parsed(_ report: Report) throws -> ParsedMarkup {
    try #require(ParsedMarkup(HTMLRenderer().render(report)))
  }

  @Test
  func `the policy allows the page's own style and script by their hashes, nothing else`() throws {
    #expect(
      SHA256.policyHash(of: "abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    #expect(HTMLStyle.hash == SHA256.policyHash(of: HTMLStyle.text))
    #expect(HTMLScript.hash == SHA256.policyHash(of: HTMLScript.text))
    let parsed = try parsed(Report([Renders.analyses[0]]))
    let policy = try #require(
      parsed.elements("meta").first {
        $0.attributes["http-equiv"] == "Content-Security-Policy"
      }?.attributes["content"])
    #expect(
      policy == "default-src 'none'; style-src '\(HTMLStyle.hash)';"
        + " script-src '\(HTMLScript.hash)'; base-uri 'none'; form-action 'none'")
    // What the hashes do not cover would be refused.
    #expect(parsed.elements.allSatisfy { $0.attributes["style"] == nil })
    #expect(parsed.elements("style").map(\.text) == [HTMLStyle.text])
    #expect(parsed.elements("script").filter { $0.attributes["type"] == nil }.count == 1)
  }

  @Test func `the page of a frame is well-formed, and its names cannot act`() throws {
    for name in ExtraCases.some(12, of: HostileNames.all) {
      let feed = FeedTrace(frames: 40, surface: name, culprit: name, path: name)
      let report = Report([feed.analysis()], frame: 29)
      let page = try #require(ParsedMarkup(HTMLRenderer().render(report)), "\(name)")
      #expect(page.elements("figure").map { $0.attributes["class"] } == ["lanes"])
      #expect(page.elements("script").count == 1 && page.elements("img").isEmpty)
    }
  }

  @Test
  func `a page is well-formed, has no external references, and every link has a target`()
    async
  {
    await forEachCase(of: Renders.analyses.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let parsed = try parsed(Report([Renders.analyses[index]], verdict: Verdicts.mixed))
      let ids = parsed.elements.compactMap { $0.attributes["id"] }
      #expect(Set(ids).count == ids.count)
      for element in parsed.elements {
        #expect(element.attributes["src"] == nil && element.attributes["srcset"] == nil)
        #expect(!element.attributes.keys.contains { $0.hasPrefix("on") })
        if let link = element.attributes["href"] {
          #expect(link.hasPrefix("#") && ids.contains(String(link.dropFirst())), "\(link)")
        }
      }
      #expect(parsed.elements("table").count == parsed.elements("caption").count)
      #expect(parsed.elements("h1").count == 1)
      #expect(!HTMLStyle.text.contains("url(") && !HTMLStyle.text.contains("@import"))
    }
  }

  @Test func `every listed hitch has a mark that links to it`() throws {
    let analysis = Renders.analyses[0]
    let parsed = try parsed(Report([analysis]))
    let count = analysis.evaluatedPrimarySurface?.hitches.count ?? 0
    #expect(count > 0 && parsed.elements("circle").count == count)
    #expect(
      parsed.elements("tr").compactMap { $0.attributes["id"] }.filter { $0.hasPrefix("hitch-") }
        .count == count)
    let worst = try #require(analysis.evaluatedPrimarySurface?.worstHitches.first?.frame)
    let links = parsed.elements("a").compactMap { $0.attributes["href"] }
      .filter { $0.hasPrefix("#hitch-") && !$0.hasSuffix("-lanes") }
    #expect(links == (1...count).map { "#hitch-\($0)" })
    // The first title is that of the page.
    #expect(parsed.elements("title")[1].text.hasPrefix("frame \(worst), "))
  }

  @Test func `the work around each of the worst hitches is drawn, and its row links to it`() throws
  {
    let page = try parsed(Report([Renders.analyses[0]]))
    let drawings = page.elements("figure").filter { $0.attributes["class"] == "lanes" }
    let names = drawings.compactMap { $0.attributes["id"] }
    let links = page.elements("a").compactMap { $0.attributes["href"] }
    #expect(names.count == 8 && names.allSatisfy { links.contains("#\($0)") })
    // Every bar has a name with its length, and the shortest one can be seen.
    let bars = page.elements("svg").filter { $0.attributes["x"]?.hasSuffix("%") == true }
    #expect(bars.count > 7)
    for bar in bars {
      let width = try #require(bar.attributes["width"].flatMap { Double($0.dropLast()) })
      #expect(width >= 0.2)
    }
    #expect(page.elements("rect").contains { $0.attributes["class"] == "overrun" })
    #expect(page.elements("title").contains { $0.text.hasPrefix("image/decode") })
  }

  @Test
  func `work too short for bars of its own shares one, and states of the schedule have theirs`()
    throws
  {
    func time(_ microseconds: Int64) -> Timestamp {
      Timestamp(clamping: microseconds * 1_000)
    }
    func work(_ start: Int64, _ end: Int64, _ label: LabelID) -> FrameWork {
      FrameWork(
        range: TimeRange(start: time(start), end: time(end)), label: label, item: nil, depth: 0)
    }
    let label = LabelID(rawValue: 0)
    let short = (0..<1_000).map { work(Int64($0), Int64($0) + 1, label) }
    let timeline = Document.Timeline(
      title: "Work", range: TimeRange(start: time(0), end: time(1_000_000)), origin: time(0),
      timestamps: [.init(time: time(400_000), word: "deadline")], deadline: time(400_000),
      rows: [
        .init(title: "main", work: short + [work(500_000, 900_000, label)], isMain: true),
        .init(
          title: "schedule",
          work: [work(0, 1_000_000, Document.Timeline.label(of: .ready))], isMain: true),
      ],
      names: { id, _ in [Document.Timeline.state(of: id) == .ready ? "ready" : "step"] },
      hidden: "Not drawn: 1 span.")
    let page = try #require(ParsedMarkup(HTMLTimeline(timeline).text))
    #expect(
      page.elements("title").map(\.text) == [
        "1000 short spans: 1.00 ms, from +0 ms", "step: 400.0 ms, from +500.0 ms",
        "ready: 1.00 s, from +0 ms",
      ])
    #expect(
      page.elements("rect").compactMap { $0.attributes["class"] } == ["main", "main", "ready"])
    #expect(page.elements("figcaption").map(\.text) == ["Not drawn: 1 span."])
  }

  @Test func `no spike is lost if many frames share a column`() throws {
    let feed = FeedTrace(
      frames: 1_500, slow: [301: 30_000_000, 800: 17_900_000, 1_211: 90_000_000])
    let parsed = try parsed(Report([feed.analysis()]))
    let late = try #require(
      parsed.elements("path").first { $0.attributes["class"] == "late" }?.attributes["d"])
    #expect(late.split(separator: "M").count == 3)
    // All of them reach above the line of the deadline.
    let line = try #require(
      parsed.elements("line").first { $0.attributes["class"] == "deadline" }?.attributes["y1"]
        .flatMap(Int.init))
    for step in late.split(separator: "M") {
      let top = step.split(separator: "V")[1].prefix { $0.isNumber }
      #expect(Int(top).map { $0 < line } == true)
    }
  }

  @Test func `zoom points keep late frames above the line, and their number is limited`() throws {
    let page = try parsed(Report([Renders.analyses[0]]))
    let data = try #require(
      page.elements("script").first { $0.attributes["type"] == "application/json" })
    let read = try JSONSerialization.jsonObject(with: Data(data.text.utf8))
    let text = try #require((read as? [String: Any])?["points"] as? String)
    let numbers = text.split(separator: " ").compactMap { Int($0, radix: 36) }
    #expect(numbers.count == 600 * 3)
    let lengths = stride(from: 2, to: numbers.count, by: 3).map { numbers[$0] }
    #expect(lengths.count { $0 < 0 } == 8)
    let many = try parsed(Report(Array(repeating: Renders.analyses[0], count: 9)))
    #expect(!many.elements("script").contains { $0.attributes["type"] != nil })
    #expect(many.elements("figure").count == 9)
  }

  @Test func `a comparison has both graphs, predictions have their tables`() throws {
    let (base, new) = (Renders.analyses[0], Renders.analyses[3])
    let page = try parsed(Report(Comparison(base: [base], new: [new])))
    #expect(page.elements("figure").count == 2)
    #expect(page.elements("strong").first?.text == "TOO FEW RUNS")
    // They share a time axis, and with it a zoom.
    #expect(page.elements("div").contains { $0.attributes["class"] == "beside together" })
    #expect(page.elements("g").count { $0.attributes["class"] == "times" } == 1)
    let predicted = try parsed(Report(predictions: [PredictionReport(of: base)]))
    #expect(predicted.elements("h2").contains { $0.text == "Removable hitch time" })
  }

  @Test func `graphs of several runs are side by side, on one scale and time axis`() throws {
    let runs = [Renders.analyses[0], Renders.analyses[3]]
    let page = try parsed(Report(runs))
    #expect(page.elements("h2").contains { $0.text == "Runs side by side" })
    let beside = page.elements("div").filter { $0.attributes["class"] == "beside" }
    #expect(beside.count == 1)
    let text = HTMLRenderer().render(Report(runs))
    let drawings =
      text.components(separatedBy: "<div class=\"beside\">").last?
      .components(separatedBy: "</details>").first?
      .components(separatedBy: "<svg class=\"frames\"").dropFirst().prefix(2) ?? []
    let labels = drawings.map { drawing in
      drawing.components(separatedBy: "text-anchor=\"end\">").dropFirst()
        .compactMap { $0.components(separatedBy: "<").first }
        .filter { $0.hasSuffix(" ms") }
    }
    #expect(labels.count == 2 && labels.first?.isEmpty == false && labels.first == labels.last)
    // Each run also has a graph of its own, in which its hitches are linked.
    #expect(page.elements("figure").count { $0.attributes["class"] == "graph" } == 4)
    let single = try parsed(Report([runs[0]])).elements("div")
    #expect(!single.contains { $0.attributes["class"] == "beside" })
    let comparison = try parsed(Report(Comparison(base: [runs[0]], new: [runs[1]])))
    #expect(comparison.elements("div").contains { $0.attributes["class"] == "beside together" })
  }

  @Test func `a hostile name changes no element of a page`() async throws {
    @Sendable func outline(_ name: String) throws -> [String] {
      let report = Report([Renders.hostile(name)], verdict: Verdicts.hostile(name))
      let text = HTMLRenderer().render(report)
      #expect(text.utf8.count < 400_000)
      return try #require(ParsedMarkup(text)).elements.map(\.name)
    }
    let harmless = try outline("harmless")
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let difference = try outline(name).difference(from: harmless)
      // A name longer than a trace keeps is a loss, which has an item of its own.
      #expect(difference.count <= (name.utf8.count > 4_000 ? 2 : 0), "\(difference)")
    }
  }

  @Test func `a page opens with the verdict, why, the first fix and the graph; all else is closed`()
    throws
  {
    let text = HTMLRenderer().render(Report([Renders.analyses[0]], verdict: Verdicts.mixed))
    let parts = [
      VerdictMessages.word(for: Verdicts.mixed.status), "ms/s of hitch time", "<caption>Why",
      "<strong>Fix:", "<figure class=\"graph\"", "<nav", "<details",
    ].map { text.range(of: $0)?.lowerBound }
    #expect(parts.allSatisfy { $0 != nil })
    #expect(parts.compactMap(\.self) == parts.compactMap(\.self).sorted())
    let page = try #require(ParsedMarkup(text))
    #expect(page.elements("details").allSatisfy { $0.attributes["open"] == nil })
  }

  @Test func `a page links to what it shows, and has commands for the rest`() throws {
    let page = try parsed(Report([Renders.analyses[0]]))
    let commands = page.elements("code").map(\.text)
    #expect(!commands.isEmpty && !commands.contains { $0.contains("--frame") })
    #expect(page.elements("code").allSatisfy { $0.attributes["class"] == "command" })
    let worst = try #require(Renders.analyses[0].evaluatedPrimarySurface?.worstHitches.first?.frame)
    let link = try #require(page.elements("a").first { $0.text == "frame \(worst)" })
    #expect(link.attributes["href"] == "#hitch-1-lanes")
  }

  @Test func `the page of a minute, and of many late frames, is not too large`() {
    var feed = FeedTrace(frames: ExtraCases.isThorough ? 3_600 : 900)
    for late in ExtraCases.some(1, of: [900, 60, 0]) {
      feed.slow = [:]
      for index in 0..<late { feed.slow[index * 4 + 1] = Int64(20_000_000 + index) }
      let page = HTMLRenderer().render(Report([feed.analysis()]))
      #expect(page.utf8.count <= HTMLRenderer.maximumSize, "\(late)")
      #expect(page.contains("application/json"), "\(late)")
    }
  }

  @Test func `a page written twice has the same bytes`() {
    let report = Report([Renders.analyses[1]])
    #expect(HTMLRenderer().render(report) == HTMLRenderer().render(report))
  }
}
