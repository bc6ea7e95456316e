import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// The form for chats and bots.
@Suite struct BriefRendererTests {
  @Test func `the verdict, the causes and the next command come in this order`() throws {
    let run = Renders.analyses[0]
    let lines = BriefRenderer().render(Report([run])).split(separator: "\n")
    let word = try #require(lines.first?.split(separator: " ").first)
    #expect(["WARNING", "CRITICAL"].contains(word))
    #expect(lines.dropFirst().first?.hasPrefix("Trace: feed.fxt (fxt · ") == true)
    #expect(lines.dropFirst(2).first?.hasPrefix("Cause: ") == true)
    #expect(lines.dropFirst(3).first?.hasPrefix("Fix: ") == true)
    #expect(lines.dropFirst(4).dropLast().allSatisfy { $0.hasPrefix("Cause: ") })
    #expect(lines.last?.hasPrefix("Next: scrolltrace ") == true)
  }

  @Test func `an uncertain rating comes with its reason`() {
    let run = TraceAnalyzer().analyze(WorkedExamples.e2().trace())
    let text = BriefRenderer().render(Report([run]))
    #expect(
      text.hasPrefix(
        "UNCERTAIN  0 ms/s of hitch time (good: below 5). 1 of 1 frame on time in 17 ms; "),
      "\(text)")
    #expect(text.contains(" Only 1 frame was evaluated in 0.02 s."))
  }

  @Test func `no report is longer than twelve lines and 1000 bytes, and no command is cut`() {
    let hostile = HostileNames.all.map(Renders.hostile)
    let all = Renders.analyses + hostile
    let long = Renders.hostile(String(repeating: "ä", count: 700))
    let reports = all.map { Report([$0]) } + [Report(all), Report([]), Report([long])]
    for report in reports {
      let text = BriefRenderer().render(report)
      #expect(text.utf8.count <= BriefRenderer.byteLimit)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count - 1 <= BriefRenderer.lineLimit && text.hasSuffix("\n"))
      guard let command = lines.dropLast().last, command.hasPrefix("Next: ") else { continue }
      #expect(!command.contains("…"))
    }
    // A command with a path longer than the report is omitted.
    #expect(!BriefRenderer().render(Report([long])).contains("Next:"))
  }
}
