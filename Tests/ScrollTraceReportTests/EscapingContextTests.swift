import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct SinkTests {
  @Test func `terminal control characters are printed visibly`() {
    #expect(EscapingContext.terminal.escape("a\u{1B}[31m\u{7F}") == "a^[[31m^?")
    #expect(
      EscapingContext.terminal.escape("\u{9B}31m \u{202E}x\u{200B}")
        == "<U+009B>31m <U+202E>x<U+200B>")
    #expect(EscapingContext.terminal.escape("a\u{2028}b") == "a<U+2028>b")
    #expect(EscapingContext.terminal.escape("größer 日本") == "größer 日本")
    #expect(EscapingContext.asciiTerminal.escape("größer") == "gr<U+00F6><U+00DF>er")
  }

  @Test func `commands of a build server lose their beginning, C++ names keep theirs`() {
    #expect(EscapingContext.terminal.escape("::error::x") == ":<U+003A>error::x")
    #expect(EscapingContext.terminal.escape("x ::error::y") == "x :<U+003A>error::y")
    #expect(EscapingContext.terminal.escape("##[error]x") == "##<U+005B>error]x")
    #expect(EscapingContext.terminal.escape("std::vector::push") == "std::vector::push")
  }

  @Test func `a hostile name harms no text report`() async {
    await forEachCase(of: ExtraCases.some(4, of: HostileNames.all.indices), oneCase)
    @Sendable func oneCase(index: Int) throws {
      let analysis = Renders.hostile(HostileNames.all[index])
      for tier in [GraphCharset.ascii, .blocks] {
        for width in [60, 120] {
          let text = Renders.text(analysis, width: width, tier: tier)
          #expect(text.utf8.count < 60_000)
          for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // A command is never cut.
            #expect(ColumnWidth.of(String(line)) <= width || line.hasPrefix("  scrolltrace "))
            Renders.expectSafe(line)
          }
        }
      }
    }
  }

  @Test func `a hostile name passes through JSON unchanged and has no effect`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let analysis = Renders.hostile(HostileNames.all[index])
      let text = JSONRenderer().render(Report([analysis]))
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
      #expect(!text.contains("\u{2028}") && !text.contains("\u{202E}") && !text.contains("##["))
      let whole = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let run = try #require((whole["runs"] as? [[String: Any]])?.first)
      let name = analysis.surfaces[0].name
      #expect((run["surfaces"] as? [[String: Any]])?.first?["name"] as? String == name)
      #expect((run["input"] as? [String: Any])?["path"] as? String == analysis.trace.source.path)
    }
  }
}
