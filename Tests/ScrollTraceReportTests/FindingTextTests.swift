import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// The messages about findings (M-19).
@Suite struct FindingTextTests {
  /// A feed whose work has the name that is given, and text that may come from it.
  private func findings(_ culprit: String) -> Analysis {
    FeedTrace(frames: 60, slow: [20: 24_100_000, 40: 34_100_000], culprit: culprit).analysis()
  }

  @Test func `a finding has a title, its evidence and a fix`() throws {
    let analysis = findings("parseFeed")
    let finding = try #require(analysis.findings.first)
    let texts = FindingText(of: analysis.trace)
    #expect(finding.id == .longTask)
    #expect(texts.title(of: finding) == "'parseFeed' makes frames late")
    #expect(
      texts.evidence(of: finding)
        == "it took 43.7 ms in 2 hitches, 21.8 ms each (median); 50.0 ms of hitch time;"
        + " worst in frame 40"
    )
    #expect(texts.fix(of: finding).hasSuffix("."))
    #expect(texts.worth(of: finding) == "Saves up to all 50.0 ms of hitch time.")
  }

  @Test func `a long and hostile name is truncated and escaped in text`() {
    let analysis = findings(String(repeating: "name\u{1B}[2J", count: 300))
    let lines = Renders.text(analysis).split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "Findings" }.prefix { !$0.isEmpty }
    #expect((5..<12).contains(section.count))
    #expect(section.allSatisfy { !$0.contains("\u{1B}") })
  }

  @Test func `what stands for an invisible character is not cut`() {
    let name = "画像をデコード \u{1F5BC}\u{FE0F} \u{202E}\u{200D}\u{7}\tΩ ##[x ::y"
    for columns in 1...70 {
      let short = [VisibleName.front(of: name, columns), VisibleName.ends(of: name, columns)]
      for text in short {
        #expect(ColumnWidth.of(text) <= columns)
        let rest = ["<U+FE0F>", "<U+202E>", "<U+200D>", "<U+005B>", "<U+003A>", "^G", "^I"].reduce(
          text
        ) { $0.replacing($1, with: "") }
        #expect(rest.allSatisfy { !"<>^+U".contains($0) }, "\(text)")
      }
    }
    #expect(VisibleName.ends(of: name, 34) == "画像をデコ… ##<U+005B>x :<U+003A>y")
  }

  @Test func `a report on several surfaces names the surface of each finding`() {
    var builder = TraceBuilder(format: "built")
    for name in ["left", "right"] {
      let surface = builder.surface(name)
      for index in 0..<(name == "left" ? 20 : 10) {
        builder.updateFrame(
          index, of: surface, start: Timestamp(clamping: Int64(index) * 10_000_000),
          commitEnd: Timestamp(clamping: Int64(index) * 10_000_000 + 1_000_000),
          deadline: Timestamp(clamping: Int64(index) * 10_000_000 + 8_000_000),
          refreshInterval: .milliseconds(10))
      }
    }
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()))
    #expect(text.contains("1  too few frames to rely on (left)\n     20 frames evaluated\n"))
  }
}
