import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct TextRendererTests {
  private static let smooth = FeedTrace(slow: [:], path: "smooth.fxt")

  @Test func `no line is wider than the report`() async {
    await forEachCase(of: GraphCharset.allCases, oneCase)
    @Sendable func oneCase(tier: GraphCharset) throws {
      for analysis in Renders.someAnalyses {
        for width in ExtraCases.some(2, of: [60, 80, 100, 120, 200]) {
          for line in Renders.text(analysis, width: width, tier: tier).split(separator: "\n") {
            #expect(ColumnWidth.of(String(line)) <= width, "\(line)")
          }
        }
      }
    }
  }

  @Test func `of very many notices the text lists the first and counts the rest`() {
    var builder = TraceBuilder(format: "drawn")
    for index in 0..<100 as Range<Int64> {
      builder.addInteraction(from: Timestamp(clamping: index * 1_000_000), to: nil)
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let lines = Renders.text(analysis).split(separator: "\n")
    #expect(lines.count { $0.contains("never ended") } < 100)
    // That there are no frames stands in the headline.
    let told = analysis.notices.count - 1
    #expect(lines.contains { $0.contains("and \(told - 40) more; --format json") })
  }

  @Test func `a value unknown for every surface is reported once, and in the headline`() {
    var builder = TraceBuilder(format: "drawn")
    for surface in ["a", "b", "c"] {
      let id = builder.surface(surface)
      for number in 1...2 as ClosedRange<UInt64> {
        builder.updateFrame(number, of: id, start: Timestamp(clamping: Int64(number) * 16_000_000))
      }
    }
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()), width: 200)
    #expect(
      text.contains(
        "NOT MEASURABLE  none of 6 frames can be evaluated: the refresh interval is unknown, and no"
          + " interaction is known\n"))
    for words in ["the refresh interval of 3 surfaces is unknown", "is known for 3 surfaces: only"]
    {
      #expect(text.split(separator: words).count == 2)
    }
  }

  @Test func `a hitch that is partly in the ratio is listed with that part`() {
    // E-18: a drag whose last frame comes long after it.
    let text = Renders.text(TraceAnalyzer().analyze(WorkedExamples.e18().trace()), width: 120)
    #expect(text.contains(" ms in the ratio"))
  }

  @Test func `the ASCII charset prints nothing but ASCII`() {
    for analysis in Renders.analyses {
      for line in Renders.text(analysis, tier: .ascii).split(separator: "\n") {
        #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(line)")
      }
    }
  }

  @Test func `color adds nothing but color, and every line resets its own`() {
    for analysis in Renders.analyses {
      let plain = Renders.text(analysis)
      for palette in [Palette.sixteen, .full] {
        let colored = Renders.text(analysis, palette: palette)
        #expect(Renders.withoutColors(colored) == plain)
        for line in colored.split(separator: "\n") where line.contains("\u{1B}") {
          let opened = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
            .dropFirst()
          #expect(opened.count % 2 == 0)
          #expect(opened.enumerated().allSatisfy { ($0 % 2 == 1) == $1.hasPrefix("0m") })
        }
      }
    }
  }

  @Test func `the first screen answers how bad, why and what now in this order (M-19)`() {
    let analysis = Renders.analyses[0]
    let text = Renders.text(analysis, tier: .blocks, isFull: false)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines[0] == "feed.fxt · 10 s · 60 Hz                                        scrolltrace 0.1.0"
    )
    #expect(lines[2] == "CRITICAL  26 ms/s of hitch time (good: below 5)")
    #expect(
      lines[3] == "8 frames came late while scrolling; the worst held the picture for 83 ms.")
    let order = ["Why    ", "Main thread per frame", "Fix", "Next   "].map { word in
      lines.firstIndex { $0.hasPrefix(word) }
    }
    #expect(!order.contains(nil) && order.compactMap(\.self) == order.compactMap(\.self).sorted())
    #expect(lines.count <= FirstScreen.lines)
  }

  @Test func `a first screen has at most 32 lines, and 14 if nothing is late`() {
    for analysis in Renders.analyses {
      for width in [60, 80, 120] {
        let lines = Renders.text(analysis, width: width, isFull: false).split(
          separator: "\n", omittingEmptySubsequences: false)
        let isGood = analysis.primarySurface?.rated(by: .scroll).rating == .good
        let maximum = isGood && analysis.primarySurface?.hitchesInMotion == 0 ? 14 : 32
        // Narrower screens may break more lines.
        #expect(
          lines.count - 1 <= (width < 80 ? maximum + 8 : maximum),
          "\(lines.joined(separator: "\n"))")
      }
    }
  }

  @Test func `a trace without usable times reports no data, never zero (E-12, M-8)`() {
    let text = Renders.text(TraceAnalyzer().analyze(WorkedExamples.e12().trace()))
    #expect(text.contains("NOT MEASURABLE"))
    #expect(!text.contains("0.00 ms/s"))
    #expect(!text.contains("GOOD"))
  }

  @Test func `estimated hitch time is marked as an estimate (E-5, M-2)`() {
    let text = Renders.text(TraceAnalyzer().analyze(WorkedExamples.e5().trace()))
    #expect(text.contains("of hitch time, estimated (good: below 5)"))
    #expect(!text.contains("presented"))
    #expect(text.contains("few frames"))
  }

  @Test func `a steadily slow run is reported (E-20, M-9)`() {
    let text = Renders.text(TraceAnalyzer().analyze(WorkedExamples.e20().trace()))
    #expect(text.contains("steady slow"))
    #expect(text.contains("25.50 ms"))
  }

  @Test func `the thresholds are named with their limits and their source (M-6)`() {
    var options = AnalysisOptions()
    options.thresholds = .organizer
    let text = Renders.text(FeedTrace().analysis(options), width: 200)
    #expect(text.contains("Good ≤ 10, critical > 25, severe > 50 ms/s of hitch time"))
    #expect(text.contains("Apple 2026"))
  }

  @Test func `losses and open spans of a damaged trace are reported`() {
    let text = Renders.text(FeedTrace(isHurt: true).analysis())
    #expect(text.contains("lost: checksum mismatch (2, first at byte 4096)"))
    #expect(text.contains("not finished"))
    #expect(text.contains("io/decodeImage (7)"))
    #expect(text.contains("compositor decodeImage"))
  }

  @Test func `several runs get a section each and a line for all`() {
    let runs = [Self.smooth, FeedTrace()].map { $0.analysis() }
    let text = TextRenderer(TextStyle(width: 80)).render(Report(runs))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[2] == "2 runs: 1 critical, 1 good")
    #expect(lines[5].hasPrefix("  feed.fxt    25.97 ms/s  critical"))
    #expect(lines[6].hasPrefix("  smooth.fxt   0.00 ms/s  good"))
    // The first screen of the worst follows.
    #expect(lines[8].hasPrefix("feed.fxt · 10 s · 60 Hz"))
    let whole = TextRenderer(TextStyle(isFull: true)).render(Report(runs))
    #expect(whole.contains("smooth.fxt · fxt"))
    #expect(whole.hasSuffix("Next: scrolltrace analyze feed.fxt\n"))
  }

  @Test func `the results of a check are a table, the main cause and the verdict (M-21)`() {
    let run = Renders.analyses[0]
    let text = TextRenderer().render(Report([run], verdict: JSONRendererTests.verdict))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("hitches") && $0.contains("≤ 5  ") })
    #expect(lines.contains { $0.contains("commit p95") && $0.contains("baseline 8.5 ms") })
    #expect(lines.contains { $0.hasPrefix("  feed*") })
    #expect(lines.contains { $0.hasPrefix("Main cause: ") })
    #expect(lines[1] == "FAIL  it is over the limit")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `the worst run is one of a deciding group`() {
    let runs = [FeedTrace(), Self.smooth].map { $0.analysis() }
    func worst(_ statuses: [Verdict.Status], runs counts: [Int]) -> String? {
      let groups = zip(statuses, counts).map {
        Verdict.Group(name: "", status: $0, reasons: [], runs: $1)
      }
      return Report(runs, verdict: Verdict(.failed, reasons: [], groups: groups)).worstRun?.trace
        .source.path
    }
    #expect(worst([.failed, .passed], runs: [1, 1]) == "feed.fxt")
    #expect(worst([.passed, .failed], runs: [1, 1]) == "smooth.fxt")
    // Counts that are not those of the runs say nothing.
    #expect(worst([.passed, .failed], runs: [-1, 3]) == "feed.fxt")
    #expect(worst([.passed, .failed], runs: [0, 0]) == "feed.fxt")
  }

  @Test func `notes follow the verdict, whatever they contain`() {
    let run = Renders.analyses[0]
    let note = VerdictNote(.baseline, .warning, "not compared: \u{1B}[31m")
    let verdict = Verdict(
      .passed, reasons: ["kept"], results: JSONRendererTests.verdict.results, notes: [note])
    let text = TextRenderer().render(Report([run], verdict: verdict))
    #expect(text.contains("  warning: not compared: "))
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("\nPASS  kept\n"))
  }

  @Test func `a budget's verdict comes first, with its reasons`() {
    let run = Renders.analyses[0]
    let verdict = Verdict(.failed, reasons: ["ratio 25.97 ms/s is over 5 ms/s"])
    let text = TextRenderer().render(Report([run], verdict: verdict))
    #expect(
      text.split(separator: "\n").dropFirst().first == "FAIL  ratio 25.97 ms/s is over 5 ms/s")
    let warned = Verdict(.passed, reasons: ["1 of 1 limit met"], warnings: ["too slow"])
    let lines = TextRenderer().render(Report([run], verdict: warned))
    #expect(lines.contains("\nPASS  1 of 1 limit met\nwarning: too slow\n"))
  }
}
