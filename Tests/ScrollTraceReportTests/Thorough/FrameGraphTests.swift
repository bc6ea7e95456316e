import ScrollTraceAnalysis
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct FrameGraphTests {
  private func graph(_ feed: FeedTrace, width: Int, tier: GraphCharset) throws -> [String] {
    try graph(TraceAnalyzer().analyze(feed.trace()), width: width, tier: tier)
  }

  private func graph(_ analysis: Analysis, width: Int, tier: GraphCharset) throws -> [String] {
    let surface = try #require(analysis.evaluatedPrimarySurface)
    let series = try #require(FrameSeries(surface, in: analysis.trace))
    let graph = FrameGraph(
      Document.Graph(series: series, range: analysis.trace.range, moving: []),
      style: TextStyle(width: width, tier: tier))
    return graph.lines().map { $0.text(in: .none) }
  }

  /// The cells of the row that begins with `label`, blanks at its end included.
  private func cells(_ lines: [String], _ label: String, width: Int) throws -> [Character] {
    let line = try #require(lines.first { $0.dropFirst().hasPrefix(label) })
    let cells = Array(line.dropFirst(12))
    return cells + Array(repeating: " ", count: max(0, width - 12 - cells.count))
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
    var feed = FeedTrace()
    feed.frames = 100
    feed.slow = [20: 24_000_000, 60: 84_000_000]
    let lines = try graph(feed, width: 60, tier: .ascii)
    #expect(
      lines == [
        "|          +                            ^^ 84.0 ms",
        "| 4x       +                            ##",
        "|          +                            ##",
        "| 3x       +                            ##",
        "|          +                            ##",
        "| 2x       +                            ##",
        "|          +         #                  ##",
        "| 1x      >+---------#------------------##------------------",
        "|          +.........#...... .. ... ....##...............",
        "|          +|||||||||#||||||||||||||||||##||||||||||||||||||",
        "|misses    +         1                   1",
        "|hitches   +         1                   1",
        "|bg work   +|.. ... . ... |...... ... . .. ... ... ... ... .",
        "+ time ---- 0.00 s               0.89 s               1.78 s",
      ])
  }

  @Test func `a graph in blocks, and the same in dots with twice the columns`() throws {
    var feed = FeedTrace()
    feed.frames = 100
    feed.slow = [20: 24_000_000, 60: 84_000_000]
    let blocks = Array(try graph(feed, width: 60, tier: .blocks)[4...8])
    #expect(
      blocks == [
        "│          ┤                            ██",
        "│ 2x       ┤                            ██",
        "│          ┤         █                  ██",
        "│ 1x      ►┤─────────█──────────────────██──────────────────",
        "│          ┤▃▁▃▁▁▂▃▁▁█▄▁▁▃▂▃ ▃▃ ▃▂▁ ▃▂▃▃██▂▂▃▂▃▃▃▂▃▃▃▂▃▂▃",
      ])
    let dots = Array(try graph(feed, width: 60, tier: .braille)[4...8])
    #expect(
      dots == [
        "│          ┤                           ⢸⣿⣿",
        "│ 2x       ┤                           ⢸⣿⣿",
        "│          ┤         ⣿                 ⢸⣿⣿",
        "│ 1x      ►┤─────────⣿─────────────────⣿⣿⣿──────────────────",
        "│          ┤⣠⣀⡄⢀⣀⢀⣠⡀⢀⣿⣠⣀⢀⣠⣀⢠ ⡄⢠ ⣤⢀⡀ ⢠⣀⣠⣼⣿⣿⡀⢀⣄⣀⢠⣠⣄⣀⣠⣠⡄⣀⡄⣀⣠",
      ])
  }

  @Test func `no peak and no miss is lost at any width`() async {
    await forEachCase(of: 1...12, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var feed = FeedTrace()
      feed.seed = seed
      feed.frames = Int.random(in: 50...900, using: &random)
      feed.slow = [:]
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        feed.slow[Int.random(in: 0..<feed.frames, using: &random)] =
          Int64.random(in: 16_700_000...400_000_000, using: &random)
      }
      let longest = feed.slow.values.max() ?? 0
      let analysis = TraceAnalyzer().analyze(feed.trace())
      for width in [60, 80, 120, 173] {
        for tier in GraphCharset.allCases {
          let lines = try graph(analysis, width: width, tier: tier)
          let missed = try cells(lines, "misses", width: width)
          let total = missed.reduce(0) { $0 + ($1.wholeNumberValue ?? 0) }
          if !missed.contains("+") { #expect(total == feed.slow.count) }

          let crossing = try cells(lines, " 1x", width: width)
          let line: Character = tier == .ascii ? "-" : "─"
          for (cell, count) in zip(crossing, missed) where count != " " {
            #expect(cell != line, "a miss has to cross the deadline's row")
          }
          let above = try #require(lines.firstIndex { $0.dropFirst().hasPrefix(" 1x") })
          let next = Array(lines[above - 1].dropFirst(12))
          for (index, count) in missed.enumerated() where count != " " {
            #expect(
              index < next.count && next[index] != " ",
              "a miss has to show above the deadline's row")
          }
          #expect(above >= 1)
          if longest > 4 * 16_666_667 {
            let label = Quantity.length(TimeSpan(nanoseconds: longest))
            #expect(lines[0].contains(label), "the longest has to be named: \(lines[0])")
          }
        }
      }
    }
  }

  @Test func `a frame that met its deadline never rises above the row of the deadline`() throws {
    var feed = FeedTrace()
    feed.slow = [50: 16_666_667]
    let lines = try graph(feed, width: 80, tier: .blocks)
    #expect(lines[0].hasPrefix("│ 1x      ►┤──────"))
    #expect(!lines[0].contains("█"))
  }

  @Test func `gaps attributed to nothing are drawn as on time (E-7, M-3)`() throws {
    let analysis = TraceAnalyzer().analyze(WorkedExamples.e7().trace())
    let series = try #require(FrameSeries(analysis.surfaces[0], in: analysis.trace))
    #expect(series.kind == .gap)
    #expect(series.points.allSatisfy { !$0.isLate })
  }

  @Test func `a skipped refresh is drawn over the row of the deadline (E-6, M-3)`() throws {
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
    let graph = text.split(separator: "\n").filter { "│└".contains($0.prefix(1)) }
    #expect(
      graph.prefix(6) == [
        "│ 100.0    ┤                █",
        "│ 75.0     ┤                █",
        "│ 50.0     ┤▄               █",
        "│ 25.0     ┤█               █                         ▄",
        "│hitches   ┤1               1                         1",
        "└ time ──── 0.00 s               4.50 s               9.00 s",
      ])
  }
}
