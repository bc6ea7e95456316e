import ScrollTraceAnalysis
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// One frame from close by, as the text report shows it.
@Suite struct FrameViewTests {
  static func text(
    _ analysis: Analysis, _ frame: UInt64, width: Int = 80, tier: GraphCharset = .basic,
    palette: Palette = .none
  ) -> String {
    TextRenderer(TextStyle(width: width, tier: tier, palette: palette))
      .render(Report([analysis], frame: frame))
  }

  private func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }

  private func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: time(start), end: time(end))
  }

  // MARK: - The whole view

  @Test func `a frame in detail`() {
    let drawn = DrawnTrace(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60
      drag   [                             ]
      begin  1    2              3
      start  1    2              3
      done      1           2       3
      due         1    2              3
      target      1    2              3
      shown       1              2         3
      main   [f  ]       [f         ]   [f   ]
      main              [decode]
      bg1       [load              ]
      """)
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let text = Self.text(analysis, 2, width: 60, tier: .ascii)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("HITCH  frame 2 of display: 20.0 ms (2 refreshes)") })
    #expect(lines.contains { $0.hasPrefix("|bg1") && $0.contains("test/load") }, "\(text)")
    #expect(lines.contains { $0.hasPrefix("|") && $0.contains("[test/decode") })
    #expect(lines.contains { $0.contains("|start") })
    #expect(lines.contains { $0.contains("deadline") })
    #expect(lines.contains { $0.contains("  deadline     0.020 s (+10.0 ms); missed by") })
    #expect(lines.contains { $0.contains("100.0%  total") })
  }

  @Test func `work inside many enclosing spans is drawn, the enclosing spans are not`() {
    var builder = TraceBuilder(format: "drawn")
    let track = builder.track(1, of: builder.process(1))
    builder.setMain(track)
    for level in 0..<12 as Range<Int64> {
      let name = level == 11 ? "culprit" : "shell \(level)"
      builder.addSpan(
        on: track, from: time(level), to: time(80 - level),
        label: builder.label(category: "c", name: name))
    }
    let surface = builder.surface("display")
    for number in 1...2 as ClosedRange<UInt64> {
      builder.updateFrame(
        number, of: surface, start: time(Int64(number - 1) * 100),
        commitEnd: time(Int64(number - 1) * 100 + 90), deadline: time(Int64(number - 1) * 100 + 16),
        refreshInterval: .milliseconds(16))
    }
    let text = Self.text(TraceAnalyzer().analyze(builder.finish()), 1, width: 100)
    #expect(text.contains("[c/culprit") && text.contains("[c/shell 0"), "\(text)")
    #expect(text.contains("6 spans on levels with less self time"))
  }

  @Test func `no line of any frame is wider than the report, and ASCII output is ASCII`() async {
    await forEachCase(of: GraphCharset.allCases, oneCase)
    @Sendable func oneCase(tier: GraphCharset) throws {
      for analysis in Renders.someAnalyses {
        guard let surface = analysis.frameSurface else { continue }
        let frames = analysis.trace.surfaces[surface.surface.index].frames
        for width in ExtraCases.some(1, of: [60, 80, 120]) {
          for index in stride(from: 0, to: frames.count, by: max(1, frames.count / 3)) {
            let text = Self.text(analysis, frames[index].id, width: width, tier: tier)
            for line in text.split(separator: "\n") {
              #expect(ColumnWidth.of(String(line)) <= width, "\(line)")
              #expect(tier != .ascii || line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
          }
        }
      }
    }
  }

  @Test func `color adds nothing but color`() {
    for analysis in Renders.analyses {
      guard let frame = analysis.evaluatedPrimarySurface?.worstHitches.first?.frame else {
        continue
      }
      let colored = Self.text(analysis, frame, palette: .full)
      #expect(colored.contains("\u{1B}["))
      #expect(Renders.withoutColors(colored) == Self.text(analysis, frame))
    }
  }

  @Test func `a hostile name harms no frame details`() async {
    await forEachCase(of: ExtraCases.some(12, of: HostileNames.all.indices), oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let analysis = FeedTrace(
        frames: 40, surface: name, culprit: name, path: name, isHurt: true
      ).analysis()
      for tier in [GraphCharset.ascii, .blocks] {
        let text = Self.text(analysis, 29, width: 60, tier: tier)
        #expect(text.utf8.count < 60_000)
        for line in text.split(separator: "\n") {
          #expect(ColumnWidth.of(String(line)) <= 60)
          Renders.expectSafe(line)
        }
      }
    }
  }

  @Test func `a missing frame is reported as missing`() {
    #expect(Self.text(Renders.analyses[0], 9_999).contains("has no frame 9999 of 'feed'"))
  }

  @Test func `the report ends with the worst frame to inspect`() {
    let feed = FeedTrace(surface: "a b")
    var options = AnalysisOptions()
    let plain = Renders.text(feed.analysis())
    #expect(plain.contains("--frame 480"))
    #expect(!plain.contains("--surface"))
    options.selection.surface = "a b"
    #expect(
      Renders.text(feed.analysis(options), width: 120)
        .contains("analyze feed.fxt --surface 'a b' --frame 480"))
  }

  // MARK: - Bars

  @Test func `a bar covers every cell its range touches`() {
    let axis = TimeAxis(range: range(0, 100), cells: 10)
    let bars = BarRow([range(0, 30), range(35, 60), range(90, 100)], on: axis).bars
    #expect(bars.map(\.cells) == [0..<3, 3..<6, 9..<10])
    #expect(bars.map(\.index) == [0, 1, 2])
  }

  @Test func `a range shorter than a cell has one cell beside long ones`() {
    let axis = TimeAxis(range: range(0, 1000), cells: 10)
    let bars = BarRow([range(0, 449), range(450, 451), range(452, 1000)], on: axis).bars
    #expect(bars.map(\.index) == [0, 1, 2])
    #expect(bars[1].cells == 4..<5)
  }

  @Test func `every range has a mark in one of its cells`() async {
    await forEachCase(of: 1...50, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var ranges: [TimeRange] = []
      var now: Int64 = 0
      for _ in 0..<Int.random(in: 1...80, using: &random) {
        let begin = now + Int64.random(in: 0...9, using: &random)
        now = begin + ([0, 1, 3, 20, 200].randomElement(using: &random) ?? 0)
        ranges.append(range(begin, now))
      }
      let axis = TimeAxis(range: range(0, max(1, now)), cells: 40)
      let bars = BarRow(ranges, on: axis).bars
      let taken = bars.reduce(into: Set<Int>()) { $0.formUnion($1.cells) }
      for busyRange in ranges {
        let cells =
          axis.cell(
            of: busyRange.start)...max(
            axis.cell(of: busyRange.start), axis.cell(of: busyRange.end))
        #expect(cells.contains { taken.contains($0) })
      }
      #expect(zip(bars, bars.dropFirst()).allSatisfy { $0.cells.upperBound <= $1.cells.lowerBound })
    }
  }

  @Test func `the times of the axis are round and lie at their positions`() {
    let axis = TimeAxis(range: range(95, 195), cells: 50)
    let ticks = axis.ticks(from: time(100), room: 10)
    #expect(ticks.map(\.label) == ["0 ms", "20 ms", "40 ms", "60 ms", "80 ms"])
    #expect(ticks.map { axis.cell(of: $0.time) } == [2, 12, 22, 32, 42])
    let small = TimeAxis(
      range: TimeRange(start: time(1), end: time(1) + TimeSpan(nanoseconds: 1_000_000)), cells: 50)
    #expect(small.ticks(from: time(1), room: 12).map(\.label).prefix(2) == ["0.0 ms", "0.5 ms"])
    let all = TimeAxis(
      range: TimeRange(start: .zero, end: Timestamp(clamping: Int64.max)), cells: 60)
    #expect(!all.ticks(from: .zero, room: 12).isEmpty)
    #expect(all.ticks(from: Timestamp(clamping: Int64.max), room: 12).count <= 6)
  }

  // MARK: - Selection

  @Test func `the report names the selection and draws nothing else`() throws {
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(4_000)
    options.selection.to = .milliseconds(5_000)
    let text = Renders.text(FeedTrace().analysis(options))
    #expect(text.contains("\nselected: 4.000 s to 5.000 s; 1.00 s in total\n"))
    let axis = try #require(text.split(separator: "\n").first { $0.hasPrefix("        4.0 s ") })
    #expect(axis.contains(" 4.5 s"))
    #expect(!Renders.text(Renders.analyses[0]).contains("selected"))
  }

  @Test func `an empty selection is no data, with a reason`() {
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(40_000)
    let text = Renders.text(FeedTrace().analysis(options))
    #expect(text.contains("NOT MEASURABLE  the selection is outside the recording"))
    #expect(!text.contains("GOOD"))
  }

  @Test func `if space permits, interactions are listed with their main share (M-11)`() {
    #expect(Renders.text(Renders.analyses[0], width: 100).contains("main share\n"))
  }
}
