import Foundation
import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct MarkdownRendererTests {
  /// The rows of the tables outside of blocks of code, each as its cells.
  private func tables(_ text: String) -> [[[String]]] {
    var tables: [[[String]]] = [[]]
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("|") else {
        if tables.last?.isEmpty == false { tables.append([]) }
        continue
      }
      let cells = line.replacingOccurrences(of: "\\\\", with: "").replacingOccurrences(
        of: "\\|", with: "")
      tables[tables.count - 1].append(
        cells.split(separator: "|", omittingEmptySubsequences: false).map(String.init))
    }
    return tables.filter { !$0.isEmpty }
  }

  @Test
  func `a summary starts with the rating and has the graph, causes, hitches and findings`() throws {
    let text = MarkdownRenderer().render(Report([Renders.analyses[0]]))
    #expect(
      text.hasPrefix(
        "### scrolltrace: feed.fxt\n\n10 s · 60 Hz\n\n**CRITICAL** 26 ms/s"))
    let cause = try #require(text.range(of: "\n- "))
    let details = try #require(text.range(of: "<details>"))
    #expect(cause.lowerBound < details.lowerBound, "\(text)")
    for part in [
      "<details><summary>Main thread per frame</summary>", "```text\n",
      "<details><summary>Causes</summary>", "<details><summary>Hitches</summary>",
      "<details><summary>Findings</summary>",
      "<details><summary>Interactions</summary>",
      "<details><summary>Work</summary>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(
      text.components(separatedBy: "<details>").count
        == text.components(separatedBy: "</details>").count)
  }

  @Test func `every table has as many cells in each row as it has columns`() async {
    await forEachCase(of: Renders.analyses.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let report = Report([Renders.analyses[index]], verdict: Verdicts.mixed)
      for table in tables(MarkdownRenderer().render(report)) {
        #expect(Set(table.map(\.count)).count == 1, "\(table)")
        #expect(table.count > 2)
      }
    }
  }

  @Test func `a verdict stands above the graph, with a row for each limit`() throws {
    let report = Report([Renders.analyses[0]], verdict: Verdicts.mixed)
    let text = MarkdownRenderer().render(report)
    let verdict = try #require(text.range(of: "fxt\n\n**FAIL** hitchTimeRatioMsPerS is"))
    let graph = try #require(text.range(of: "Main thread per frame"))
    #expect(verdict.lowerBound < graph.lowerBound)
    let table = try #require(tables(text).first { $0[0].contains(" result ") })
    #expect(table.count == 2 + Verdicts.mixed.results.count)
    #expect(
      table[2].map { $0.trimmingCharacters(in: .whitespaces) } == [
        "", "FAIL", "hitch time ratio", "31.88 ms/s", "≤ 5 ms/s", "", "5", "", "",
      ])
    #expect(text.contains("| TOO FEW RUNS |") && text.contains("| FAIL (warn) |"))
    #expect(text.contains("| -0.25 to 1.25 ms |") && text.contains("| unknown |"))
  }

  @Test func `several runs have a table, and the worst one a collapsed section`() {
    let text = MarkdownRenderer().render(Report(Array(Renders.analyses.prefix(3))))
    #expect(text.hasPrefix("### scrolltrace: 3 runs\n"))
    #expect(text.components(separatedBy: "<details><summary>Run ").count == 2)
    #expect(tables(text)[0].count == 2 + 3)
  }

  @Test func `ten runs fit into twenty kilobytes, with a line for each group`() {
    let runs = [Analysis](repeating: Renders.analyses[0], count: 10)
    let groups = ["a*", "b*"].map {
      Verdict.Group(name: $0, status: .failed, reasons: ["\($0): too slow", "more"], runs: 5)
    }
    let verdict = Verdict(
      .failed, reasons: groups.flatMap(\.reasons), results: Verdicts.mixed.results, groups: groups)
    let text = MarkdownRenderer().render(Report(runs, verdict: verdict))
    #expect(text.utf8.count < 20_000)
    #expect(text.contains("\n| FAIL | b\\* | 5 | too slow; and 1 more |\n"), "\(text)")
  }

  @Test func `another surface has the number of hitches that its ratio is of`() throws {
    var builder = TraceBuilder(format: "drawn")
    for (name, slips) in [("glass", []), ("page", [5, 10, 40])] as [(String, Set<Int>)] {
      let surface = builder.surface(name)
      var shown: Int64 = 0
      for index in 0..<60 {
        shown += slips.contains(index) ? 30 : 10
        builder.updateFrame(
          index, of: surface, start: .zero + .milliseconds(Int64(index) * 10),
          target: .zero + .milliseconds(Int64(index) * 10 + 10),
          presented: .zero + .milliseconds(shown), refreshInterval: .milliseconds(10))
      }
    }
    builder.addInteraction(from: .zero, to: .zero + .milliseconds(200))
    let run = TraceAnalyzer().analyze(builder.finish())
    let page = try #require(run.surfaces.first { $0.name == "page" })
    #expect(page.hitches.count == 3 && page.hitchesInMotion == 2)
    let table = try #require(
      tables(MarkdownRenderer().render(Report([run]))).first { $0[0].contains(" surface ") })
    #expect(table.last?.dropLast().last == " 2 ")
  }

  @Test func `a comparison has both graphs and the differences`() {
    let comparison = Comparison(base: [Renders.analyses[0]], new: [Renders.analyses[3]])
    let text = MarkdownRenderer().render(Report(comparison))
    #expect(text.hasPrefix("### scrolltrace: comparison\n\n**TOO FEW RUNS** hitch time ratio "))
    #expect(text.components(separatedBy: "```text").count == 3)
    #expect(text.contains("| hitch time ratio |"))
  }

  @Test func `details are omitted first if space is short, and this is reported`() {
    let runs = Array(repeating: Renders.analyses[0], count: 12)
    let report = Report(runs, verdict: Verdicts.mixed)
    let whole = MarkdownRenderer().render(report)
    let limit = whole.utf8.count / 2
    let text = MarkdownRenderer(limit: limit).render(report)
    #expect(text.utf8.count <= limit && text.contains("\n**FAIL** ") && text.contains("| run |"))
    #expect(text.contains("**Omitted to stay below"))
    #expect(!whole.contains("Omitted"))
    #expect(MarkdownRenderer(limit: 1_200).render(report).utf8.count <= 1_200)
  }

  @Test func `a hostile name changes nothing but its own text`() async {
    await forEachCase(of: ExtraCases.some(3, of: HostileNames.all.indices), oneCase)
    @Sendable func oneCase(index: Int) throws {
      func outline(_ name: String) -> [String] {
        let report = Report([Renders.hostile(name)], verdict: Verdicts.hostile(name))
        let text = MarkdownRenderer().render(report)
        #expect(text.utf8.count < 200_000)
        let kinds = [
          "heading": "^#{1,6} ", "item": "^ {0,3}[-+*] ", "number": "^ {0,3}[0-9]+[.)]( |$)",
          "table": #"^\|"#, "fence": "^```", "HTML": "^<", "rule": "^ {0,3}[-=]+ *$",
          "code": "^(    |\t)", "quote": "^ {0,3}>",
        ].sorted { $0.key < $1.key }
        return text.split(separator: "\n").compactMap { line in
          kinds.first { line.range(of: $0.value, options: .regularExpression) != nil }?.key
        }.sorted()
      }
      let name = HostileNames.all[index]
      let text = MarkdownRenderer().render(
        Report([Renders.hostile(name)], verdict: Verdicts.hostile(name)))
      for table in tables(text) { #expect(Set(table.map(\.count)).count == 1) }
      #expect(text.components(separatedBy: "<").count == countOfOwnTags(text) + 1)
      let links = text.replacingOccurrences(of: "\\](", with: "")
      #expect(!links.contains("](") && !text.contains("##["))
      let difference = outline(name).difference(from: outline("harmless"))
      // A name longer than a trace keeps is a loss, which has an item of its own.
      #expect(difference.isEmpty || name.utf8.count > 4_000, "\(difference)")
    }
  }

  /// The tags and comments that the form writes itself.
  private func countOfOwnTags(_ text: String) -> Int {
    ["<details><summary>", "</summary>", "</details>", "<!-- -->"].reduce(0) { sum, tag in
      sum + (text.components(separatedBy: tag).count - 1) * (tag == "<details><summary>" ? 2 : 1)
    }
  }
}
