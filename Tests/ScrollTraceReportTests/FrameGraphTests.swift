import ScrollTraceAnalysis
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct FrameGraphTests {
  private static let feed = FeedTrace(frames: 100, slow: [20: 24_000_000, 60: 84_000_000])

  private func graph(_ feed: FeedTrace, width: Int, tier: GraphCharset) throws -> [String] {
    try graph(feed.analysis(), width: width, tier: tier)
  }

  private func graph(_ analysis: Analysis, width: Int, tier: GraphCharset) throws -> [String] {
    let graph = try #require(RunMessages(analysis).graph)
    return FrameGraph(graph: graph, style: TextStyle(width: width, tier: tier)).lines()
      .map { $0.text(in: .none) }
  }

  /// The cells of a row, blanks at its end included.
  private func cells(of line: String, width: Int) -> [Character] {
    let cells = Array(line.dropFirst(8))
    return cells + Array(repeating: " ", count: max(0, width - 8 - cells.count))
  }

  @Test func `frames known only by their presentations are drawn by the gaps between them`() throws
  {
    let drawn = DrawnTrace(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333
      drag  [                                                 ]
      shown 1         2                             3         4
      main  [w]
      """)
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let surface = try #require(analysis.evaluatedPrimarySurface)
    let series = try #require(FrameSeries(surface, in: analysis.trace))
    #expect(series.kind == .gap)
    #expect(series.points.contains { $0.load > 2.5 })
  }

  @Test func `a graph in ASCII`() throws {
    let lines = try graph(Self.feed, width: 60, tier: .ascii)
    #expect(
      lines == [
        "       +                              ^^^ 84 ms",
        " 67 ms +                              ###",
        " 50 ms +                              ###",
        " 33 ms +          .                   ###",
        " 17 ms +----------#-------------------###------------ budget",
        "       +... ......#........ . ...  ...### ........... ...",
        "       +||||||||||#|||||||||||||||||||###|||||||||||||||||||",
        "  late            D                     D",
        "        D = image/decodeImage",
        "others +|. .. ... . .. |. .. .. .. .. .... .. .. ... .. .. .",
        "        + drag ----------++ fling -------------------------+",
        "        0 s                          1 s",
      ])
  }

  @Test func `a graph in blocks`() throws {
    let blocks = try graph(Self.feed, width: 60, tier: .blocks).dropFirst().prefix(5)
    #expect(
      blocks == [
        " 67 ms ┤                              ███",
        " 50 ms ┤                              ███",
        " 33 ms ┤          ▄                   ███",
        " 17 ms ┼┄┄┄┄┄┄┄┄┄┄█┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄███┄┄┄┄┄┄┄┄┄┄┄┄ budget",
        "       ┤▃▁▃ ▁▁▂▃▁▁█▄▁▁▃▂▂▃▃ ▃ ▃▂▁  ▃▃▃███ ▃▂▂▃▃▃▂▂▃▃▂ ▃▂▃",
      ])
  }

  @Test func `no peak and no late frame is lost at any width`() async {
    await forEachCase(of: ExtraCases.some(2, of: 1...12), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var feed = FeedTrace(
        frames: Int.random(in: 50...900, using: &random), slow: [:], seed: seed)
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        feed.slow[Int.random(in: 0..<feed.frames, using: &random)] =
          Int64.random(in: 16_700_000...400_000_000, using: &random)
      }
      let longest = feed.slow.values.max() ?? 0
      let analysis = feed.analysis()
      for width in [60, 80, 120, 173] {
        for tier in GraphCharset.allCases {
          let lines = try graph(analysis, width: width, tier: tier)
          let row = try #require(lines.first { $0.hasPrefix("  late") })
          let late = cells(of: row, width: width).prefix(width - 8)
            .map { $0 == " " || $0 == "=" ? " " : $0 }
          let budget = try #require(lines.firstIndex { $0.contains("┄┄") || $0.contains("--") })
          let crossing = cells(of: lines[budget], width: width)
          let next = cells(of: lines[budget - 1], width: width)
          let line: Character = tier == .ascii ? "-" : "┄"
          for (cell, mark) in zip(crossing, late) where mark == "P" {
            #expect(cell != line, "a late frame has to cross the row of the budget")
          }
          for (cell, mark) in zip(next, late) where mark == "P" {
            #expect(cell != " ", "a late frame has to show above the row of the budget")
          }
          #expect(budget >= 1)
          if longest > 4 * 16_666_667 {
            let label = Quantity.rounded(TimeSpan(nanoseconds: longest))
            #expect(lines[0].contains(label), "the longest has to be named: \(lines[0])")
          }
        }
      }
    }
  }

  @Test func `a frame that met its deadline never rises above the row of the budget`() throws {
    let lines = try graph(FeedTrace(slow: [50: 16_666_667]), width: 80, tier: .blocks)
    #expect(lines[0].hasPrefix(" 17 ms ┼┄┄┄┄┄┄"))
    #expect(!lines[0].contains("█"))
  }

  @Test func `gaps attributed to nothing are drawn as on time (E-7, M-3)`() throws {
    let analysis = TraceAnalyzer().analyze(WorkedExamples.e7().trace())
    let series = try #require(FrameSeries(analysis.surfaces[0], in: analysis.trace))
    #expect(series.kind == .gap)
    #expect(series.points.allSatisfy { !$0.isLate })
  }

  @Test func `a skipped refresh is drawn over the row of the budget (E-6, M-3)`() throws {
    let analysis = TraceAnalyzer().analyze(WorkedExamples.e6().trace())
    let series = try #require(FrameSeries(analysis.surfaces[0], in: analysis.trace))
    #expect(series.points.filter(\.isLate).map(\.length.milliseconds).map { Int($0) } == [66])
  }

  @Test func `without a refresh interval hitches are drawn by their length (E-19)`() {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    for (second, length) in [(1, 33_000_000), (4, 100_000_000), (9, 12_500_000)] as [(Int64, Int64)]
    {
      builder.addListedHitch(
        ListedHitch(
          start: Timestamp(clamping: second * 1_000_000_000),
          length: TimeSpan(nanoseconds: length)), of: surface)
    }
    builder.extend(to: Timestamp(clamping: 10_000_000_000))
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()), width: 60)
    let graph = text.split(separator: "\n").drop { !$0.contains("┤") }
    #expect(
      graph.prefix(6) == [
        "100 ms ┤                 █",
        " 75 ms ┤                 █",
        " 50 ms ┤▄                █",
        " 25 ms ┤█                █                            ▄",
        "  late  ?                ?                            ?",
        "        ? = unknown",
      ])
  }
}
