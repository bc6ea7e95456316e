import ScrollTraceKit
import Testing

@testable import ScrollTraceCLI

@Suite struct TypedValueTests {
  @Test func `times have a unit and are exact`() {
    let spans = ["1.2s", "300ms", "16.667ms", "250us", "7ns", "0.000000001s", "0s"]
      .map { TimeSpan(argument: $0)?.nanoseconds }
    #expect(spans == [1_200_000_000, 300_000_000, 16_667_000, 250_000, 7, 1, 0])
    for text in [
      "", "1", "s", "-1s", "1.s", ".5s", "1e3s", "1,5s", "99999999999999s", "1 s", "nans",
    ] {
      #expect(TimeSpan(argument: text) == nil, "\(text)")
    }
  }

  @Test func `refresh rates can be fractional`() {
    let intervals = ["60", "120", "59.94", "60000/1001", "1"]
      .map { TimeSpan(refreshRate: $0)?.nanoseconds }
    #expect(intervals == [16_666_667, 8_333_333, 16_683_350, 16_683_333, 1_000_000_000])
    for text in ["", "0", "-60", "sixty", "60/0", "1/2/3", "1001", "0.5", "inf", "60Hz"]
      + ["9223372036854.775807", "9223372036854775807", "9223372036854.775807/1000000"]
    {
      #expect(TimeSpan(refreshRate: text) == nil, "\(text)")
    }
  }

  @Test func `an interaction is a name and two times`() {
    typealias Named = AnalysisOptions.NamedRange
    #expect(
      Named(argument: "fling=1.2s..3s")
        == Named(name: "fling", from: .milliseconds(1_200), to: .milliseconds(3_000)))
    #expect(Named(argument: "a=b=0ms..1ms")?.name == "a=b")
    for text in ["fling", "=1s..2s", "f=1s", "f=2s..1s", "f=1s..1s", "f=1..2", "f=1s...2s"] {
      #expect(Named(argument: text) == nil, "\(text)")
    }
  }

  @Test func `colors follow the color variables of the environment`() {
    func palette(_ variables: [String: String], isTerminal: Bool) -> Palette {
      CommandEnvironment(variables: variables, isOutputTerminal: isTerminal).palette
    }
    #expect(palette(["TERM": "xterm-256color"], isTerminal: true) == .full)
    #expect(palette(["TERM": "xterm"], isTerminal: true) == .sixteen)
    #expect(palette(["TERM": "xterm"], isTerminal: false) == .none)
    #expect(palette(["TERM": "dumb"], isTerminal: true) == .none)
    #expect(palette(["NO_COLOR": "1", "FORCE_COLOR": "1"], isTerminal: true) == .none)
    #expect(palette(["NO_COLOR": "", "TERM": "xterm"], isTerminal: true) == .sixteen)
    #expect(palette(["CLICOLOR_FORCE": "1"], isTerminal: false) == .sixteen)
    #expect(palette(["FORCE_COLOR": "0"], isTerminal: false) == .none)
    #expect(palette(["CLICOLOR": "0", "TERM": "xterm"], isTerminal: true) == .none)
    #expect(palette(["GITHUB_ACTIONS": "true", "TERM": "dumb"], isTerminal: false) == .full)
  }

  @Test func `glyphs follow the locale, and logs get ASCII`() {
    func tier(_ variables: [String: String], isTerminal: Bool) -> GraphCharset {
      CommandEnvironment(variables: variables, isOutputTerminal: isTerminal).tier
    }
    #expect(tier(["LANG": "en_US.UTF-8"], isTerminal: true) == .blocks)
    #expect(tier(["LANG": "en_US.UTF-8"], isTerminal: false) == .basic)
    #expect(tier(["LANG": "en_US.UTF-8", "LC_ALL": "C"], isTerminal: true) == .ascii)
    #expect(tier([:], isTerminal: true) == .ascii)
    #expect(tier(["CI": "true", "TERM": "dumb"], isTerminal: false) == .basic)
    #expect(tier(["LANG": "C.UTF-8", "TERM": "dumb"], isTerminal: true) == .ascii)
  }

  @Test func `the width is that of COLUMNS, of the terminal, or 80`() {
    #expect(CommandEnvironment(variables: ["COLUMNS": "132"], terminalWidth: 90).width == 132)
    #expect(CommandEnvironment(variables: ["COLUMNS": "x"], terminalWidth: 90).width == 90)
    #expect(CommandEnvironment().width == 80)
  }
}
