import Foundation
import ScrollTraceAnalysis
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// Reports on what differs.
@Suite struct ComparisonReportTests {
  private static func feed(_ change: (inout FeedTrace) -> Void = { _ in }) -> Analysis {
    var feed = FeedTrace(frames: 120, slow: [29: 24_100_000, 90: 51_700_000])
    change(&feed)
    return feed.analysis()
  }

  private static func text(
    _ base: [Analysis], _ new: [Analysis], width: Int = 80, tier: GraphCharset = .basic,
    isFull: Bool = true
  ) -> String {
    TextRenderer(TextStyle(width: width, tier: tier, isFull: isFull)).render(
      Report(Comparison(base: base, new: new)))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `both graphs have the same rows, so that heights can be compared visually (S-9)`() {
    let smooth = Self.feed { $0.slow = [:] }
    for (base, new) in [(Self.feed(), smooth), (smooth, Self.feed())] {
      let lines = Self.lines(Self.text([base], [new]))
      let starts = lines.indices.filter { lines[$0] == "base" || lines[$0] == "new" }
      #expect(starts.count == 2)
      func labels(_ start: Int) -> [Substring] {
        lines[(start + 1)...].prefix { $0.contains("┤") || $0.contains("┼") }
          .filter { !$0.hasPrefix("others") }.map { $0.prefix(8) }
      }
      #expect(labels(starts[0]) == labels(starts[1]))
      #expect(labels(starts[0]).contains(" 17 ms ┼"))
      #expect(lines.count { $0.hasPrefix("        0") } == 1)
    }
  }

  @Test func `the first screen has the outcome, what differs most and both graphs`() {
    let smooth = Self.feed { $0.slow = [:] }
    let lines = Self.lines(Self.text([Self.feed()], [smooth], isFull: false))
    #expect(lines[2].hasPrefix("TOO FEW RUNS  hitch time ratio "))
    #expect(lines.count <= 48)
    #expect(lines.contains("Hitch time by cause") && lines.contains("Findings before and after"))
    #expect(lines.count { $0.hasSuffix(": main thread per frame") } == 2)
    #expect(!lines.contains("Frames"))
    #expect(lines.contains { $0.hasPrefix("Next   scrolltrace analyze ") })
    let brief = BriefRenderer().render(Report(Comparison(base: [smooth], new: [Self.feed()])))
    #expect(brief.contains("\nChange: ") && brief.contains("0 ms \u{2192} "))
  }

  @Test func `without a hitch, the brief form names the work that changed`() {
    func run(_ commit: Double) -> Analysis {
      TraceAnalyzer().analyze(FindingTrace(commit: commit).trace())
    }
    let brief = BriefRenderer().render(Report(Comparison(base: [run(2)], new: [run(5)])))
    #expect(
      brief.contains("\nChange: phase, 120.0 ms \u{2192} 300.0 ms on the main thread\n"),
      "\(brief)")
  }

  @Test func `a longer session leaves blank space after the shorter one`() throws {
    let short = Self.feed { $0.frames = 60 }
    let lines = Self.lines(Self.text([short], [Self.feed()]))
    let moving = lines.filter { $0.contains("└ drag") }
    try #require(moving.count == 2)
    #expect(moving[0].count < 50 && moving[1].count == 80)
    #expect(lines.contains { $0.hasPrefix("  note: the sides recorded different scenarios: ") })
    #expect(lines.contains { $0.hasPrefix("  main busy per second ") })
  }

  @Test func `the work of two sides is in the measured time of each`() throws {
    let (one, other) = (Self.feed(), Self.feed { $0.frames = 119 })
    let times = [one, other].map { Quantity.length($0.work.window.duration) }
    try #require(times[0] != times[1])
    #expect(Self.text([one], [other], width: 200).contains("in \(times[0]) and \(times[1]) of"))
    #expect(Self.text([one], [one], width: 200).contains("Work, wall time, in \(times[0]) of"))
  }

  @Test func `the first sentence is the verdict of the gate`() {
    let (late, smooth) = (Self.feed(), Self.feed { $0.slow = [:] })
    let single = Self.lines(Self.text([late], [smooth], width: 200))[2]
    #expect(single.hasPrefix("TOO FEW RUNS  hitch time ratio "))
    #expect(single.contains("; 2 → 0 deadline misses; wall time of main work "))
    let short = Self.feed {
      $0.frames = 60
      $0.slow = [:]
    }
    func word(_ base: Analysis, _ new: Analysis) -> String {
      let text = Self.text(
        Array(repeating: base, count: 4), Array(repeating: new, count: 4), width: 200)
      return Self.lines(text).dropFirst(2).prefix(4).joined(separator: "\n")
    }
    #expect(word(late, smooth).contains("BETTER  hitch time ratio "))
    for (base, new, start, reason) in [
      (smooth, late, "WORSE", "is worse by more than the tolerance"),
      (late, late, "NO REGRESSION", "or more would have been seen"),
      (late, short, "NOT EVALUATED", "the baseline has a different scenario"),
    ] {
      let text = word(base, new)
      #expect(text.contains("\(start)  hitch time ratio ") && text.contains(reason), "\(text)")
    }
    if let nothing = Renders.analyses.first(where: { !$0.isEvaluated }) {
      #expect(word(late, nothing).contains("NOT EVALUATED"))
      #expect(word(nothing, late).contains("NOT EVALUATED"))
    }
  }

  @Test func `several runs are listed, and the drawn one is marked`() {
    let runs = [[29: 24_100_000], [:], [29: 24_100_000, 90: 51_700_000]].map { slow in
      Self.feed { $0.slow = slow.mapValues { Int64($0) } }
    }
    let lines = Self.lines(Self.text(runs, Array(runs.prefix(1))))
    #expect(lines[0].hasPrefix("medians of 3 runs of base, 1 of new   "))
    #expect(lines.count { $0.hasPrefix("  base  feed.fxt") } == 3)
    let shown = lines.filter { $0.hasSuffix("shown") }
    #expect(shown.map { $0.prefix(16) } == ["  base  feed.fxt", "  new   feed.fxt"])
  }

  @Test func `no line is wider than requested`() async {
    await forEachCase(of: ExtraCases.some(1, of: [60, 80, 120]), oneCase)
    @Sendable func oneCase(width: Int) throws {
      for (index, base) in ExtraCases.some(2, of: Renders.analyses.enumerated()) {
        let new = Renders.analyses[(index + 5) % Renders.analyses.count]
        for tier in GraphCharset.allCases {
          let text = Self.text([base], [new], width: width, tier: tier)
          #expect(Self.lines(text).allSatisfy { ColumnWidth.of($0) <= width })
          if tier == .ascii { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
        }
        let text = Self.text([base, new], [new, base], width: width)
        #expect(text == Self.text([base, new], [new, base], width: width))
      }
    }
  }

  @Test func `names are printed, not interpreted`() async {
    await forEachCase(of: ExtraCases.some(3, of: HostileNames.all), oneCase)
    @Sendable func oneCase(name: String) throws {
      func hostile(_ slow: [Int: Int64], _ frames: Int) -> Analysis {
        Self.feed {
          $0.culprit = name
          $0.surface = name
          $0.path = name
          $0.slow = slow
          $0.frames = frames
          $0.isHurt = true
        }
      }
      let (base, new) = (hostile([29: 24_100_000], 120), hostile([:], 40))
      for tier in [GraphCharset.basic, .ascii] {
        let text = Self.text([base], [new, Self.feed()], tier: tier)
        #expect(
          !text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(!text.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x2028 })
      }
      let json = JSONRenderer().render(Report(Comparison(base: [base], new: [new])))
      _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    }
  }
}
