import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// What a report says is to be done next.
@Suite struct NextStepTests {
  private func lines(
    _ feed: FeedTrace, _ options: AnalysisOptions = AnalysisOptions(), width: Int = 80
  ) -> [String] {
    Renders.text(feed.analysis(options), width: width)
      .split(separator: "\n").map(String.init)
  }

  @Test func `an argument is quoted so that a shell takes it literally`() async {
    await forEachCase(of: [
      ("runs/a-1.fxt", "runs/a-1.fxt"), ("my run.fxt", "'my run.fxt'"), ("a'b", #"'a'\''b'"#),
      ("é*.fxt", "'é*.fxt'"), ("", "''"), ("a\nb", #"$'a\x0ab'"#), ("\u{1B}[2J", #"$'\x1b\x5b2J'"#),
      ("\u{202E}x", #"$'\xe2\x80\xaex'"#), ("$(rm x)", "'$(rm x)'"),
      ("::error", #"$'\x3a\x3aerror'"#),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ text: String, _ word: String) throws {
      #expect(ShellWord.quoted(text, for: .terminal) == word)
    }
  }

  @Test func `if only ASCII is printed, other letters of an argument are written as bytes`() {
    #expect(ShellWord.quoted("é.fxt", for: .asciiTerminal) == #"$'\xc3\xa9.fxt'"#)
  }

  @Test func `the next command repeats the options that the report was evaluated with`() {
    var options = AnalysisOptions()
    options.arguments = ["--refresh-rate", "60", "--define", "my fling=1s..3s"]
    options.selection.arguments = ["--surface", "feed"]
    let last = lines(FeedTrace(), options, width: 200).last
    #expect(
      last == "  Next: scrolltrace analyze feed.fxt --refresh-rate 60 --define"
        + " 'my fling=1s..3s' --surface feed --frame 480")
  }

  @Test func `a command that is too long for a line is printed whole on its own line`() {
    let path = "/builds/" + String(repeating: "a long folder/", count: 9) + "run.fxt"
    let all = lines(FeedTrace(path: path))
    #expect(all.dropLast().last == "  Next:")
    #expect(all.last == "  scrolltrace analyze '\(path)' --frame 480")
  }

  @Test func `a path that looks like an option is written as a path`() {
    #expect(
      lines(FeedTrace(path: "-run.fxt")).last
        == "  Next: scrolltrace analyze ./-run.fxt --frame 480")
  }

  @Test func `a good run is recommended as a baseline`() {
    #expect(lines(FeedTrace(slow: [:])).last == "  Next: scrolltrace baseline feed.fxt")
  }

  @Test func `if only the refresh rate is missing, the trace's interactions are used`() {
    var builder = TraceBuilder(format: "drawn")
    builder.source.path = "a.csv"
    let surface = builder.surface("display")
    for index in 0..<40 as Range<Int64> {
      builder.updateFrame(
        index, of: surface, start: Timestamp(clamping: index * 20_000_000),
        presented: Timestamp(clamping: index * 20_000_000 + (index == 20 ? 9_000_000 : 0)))
    }
    builder.addInteraction(from: .zero, to: Timestamp(clamping: 700_000_000))
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()))
    #expect(!text.contains("--always-moving"))
  }

  @Test func `data loss is reported beside what comes before it`() {
    let all = lines(FeedTrace(isHurt: true), width: 200)
    #expect(all[1] == "APP ENDED  while io/decodeImage (7) ran")
    #expect(all[3].hasSuffix(" Data was lost."))
  }

  @Test func `a file truncated before its first frame is reported as truncated`() {
    var builder = TraceBuilder(format: "fxt")
    builder.countLoss(.cutAtEnd)
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()), width: 120)
    #expect(
      text.contains(
        "NOT MEASURABLE  the trace contains no frames; data was lost: the file ends inside"))
    #expect(text.contains("Next: analyze the complete file"))
    #expect(!text.contains("Next: record"))
  }

  @Test func `an unknown refresh interval names the option with an example`() {
    #expect(
      Messages(start: .zero).text(of: .noInterval(surface: "Game.exe"))
        == "the refresh interval of 'Game.exe' is unknown, so refreshes cannot be counted;"
        + " state the display's rate, such as --refresh-rate 60")
  }

  @Test func `unevaluated frames are drawn and measured, with an estimate`() {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    for index in 0..<60 as Range<Int64> where !(20..<30).contains(index) {
      builder.updateFrame(
        index, of: surface, start: Timestamp(clamping: index * 10_000_000),
        refreshInterval: TimeSpan.milliseconds(10))
    }
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines[1] == "NOT MEASURABLE  none of 50 frames can be evaluated: no interaction is known")
    #expect(lines[2].hasPrefix("assuming display always moves: 169.49 ms/s, 1 hitch, 100.0 ms"))
    #expect(lines.contains("Time between frames, not evaluated"))
    #expect(lines.contains { $0.contains("▲") && $0.contains("110 ms") })
    #expect(lines.contains { $0.hasPrefix("  spacing") && $0.contains("p50 10.0 ms") })
    #expect(!lines.contains { $0.hasPrefix("  late") })
  }
}
