@testable import ScrollTraceCLI
import ReferenceListEngine
import ScrollTraceKit
import Testing

@testable import ScrollTraceTerminal

@Suite struct LiveScreenTests {
  /// A list of photos and notes of which every content is there, and some refreshes.
  private static func state() -> LiveState {
    var state = LiveState()
    state.viewport = 400_000
    var top: Int64 = -40_000
    for item: UInt64 in 0..<7 {
      let height: Int64 = item % 2 == 0 ? 200_000 : 100_000
      var row = LiveRow(
        title: "Title \(item)", detail: "Detail \(item)", top: top, height: height)
      row.content = [.placeholder, .undecoded, .final][Int(item) % 3]
      state.rows.append(row)
      top += height
    }
    state.refreshes = (0..<30).map { index in
      LiveRefresh(
        mainWork: 2_000_000 + Int64(index % 5) * 2_000_000, refreshInterval: 16_666_667,
        prefetch: index % 5 == 4 ? 6_000_000 : 0)
    }
    state.policies = [
      LivePolicy(name: "prefetch", value: "on"), LivePolicy(name: "decode", value: "main"),
    ]
    state.frames = 30
    (state.preparedOnDemand, state.preparedAhead) = (0, 0)
    return state
  }

  private static let palettes = [Palette.none, .sixteen, .full]
  private static let sizes = [
    (columns: 80, rows: 24), (columns: 40, rows: 12), (columns: 200, rows: 60),
    (columns: 60, rows: 16), (columns: 20, rows: 5), (columns: 3, rows: 2), (columns: 1, rows: 1),
    (columns: 0, rows: 0), (columns: -1, rows: -1), (columns: 80, rows: 8),
  ]

  /// `line` without the sequences that colour it.
  private static func bare(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    var isSequence = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" { isSequence = true }
      if !isSequence { result.append(scalar) }
      if scalar == "m" { isSequence = false }
    }
    return String(result)
  }

  private static func lines(
    _ state: LiveState, _ columns: Int = 80, _ rows: Int = 24, _ palette: Palette = .none
  ) -> [String] {
    LiveScreen.lines(of: state, size: (columns, rows), color: palette)
  }

  @Test func `no line is wider than the terminal, and no more lines are printed than fit`() {
    var state = Self.state()
    state.isPaused = true
    state.recording = "a/\u{4E00}\u{4E8C}\u{4E09}.fxt"
    state.rows[0].title = "日本語の題名が長いときも幅は守られる、いつでもどこでも絶対に守られるはずである、そうだ"
    state.rows[1].isHeld = true
    for isHelpShown in [false, true] {
      state.isHelpShown = isHelpShown
      for size in Self.sizes {
        for palette in Self.palettes {
          let lines = LiveScreen.lines(of: state, size: size, color: palette)
          #expect(lines.count == max(0, size.rows))
          for line in lines {
            let width = ColumnWidth.of(Self.bare(line))
            #expect(width <= max(0, size.columns), "\(size) \(palette): \(line)")
          }
        }
      }
    }
  }

  @Test func `without color there is no escape sequence, and with color each line resets its own`()
  {
    for line in Self.lines(Self.state()) { #expect(!line.unicodeScalars.contains("\u{1B}")) }
    for palette in [Palette.sixteen, .full] {
      let lines = Self.lines(Self.state(), 80, 24, palette)
      #expect(lines.contains { $0.contains("\u{1B}[") })
      for line in lines {
        let last = line.split(separator: "\u{1B}").dropFirst(line.first == "\u{1B}" ? 0 : 1).last
        #expect(last?.hasPrefix("[0m") ?? true, "\(line)")
      }
    }
  }

  @Test func `titles, policies and paths cannot inject terminal sequences`() {
    var state = Self.state()
    let attack = "\u{1B}[2J\u{07}\u{9B}31m\u{202E}\n\r"
    for index in state.rows.indices {
      state.rows[index].title = attack
      state.rows[index].detail = attack
    }
    state.policies = [LivePolicy(name: attack, value: attack)]
    state.recording = "x/" + attack
    for palette in Self.palettes {
      let text = Self.lines(state, 120, 40, palette).joined()
      let forbidden: [Unicode.Scalar] = ["\u{07}", "\u{9B}", "\u{202E}", "\n", "\r"]
      for scalar in forbidden { #expect(!text.unicodeScalars.contains(scalar)) }
      #expect(!text.contains("\u{1B}[2J"))
      #expect(text.contains("^[[2J"))
    }
  }

  @Test func `a spike is never lost`() {
    for place in 0..<40 {
      var state = Self.state()
      state.refreshes = (0..<40).map { _ in
        LiveRefresh(mainWork: 1_000, refreshInterval: 8_000_000)
      }
      state.refreshes[place].mainWork = 1_000_000_000
      let text = Self.lines(state)
      #expect(text.contains { $0.contains("▲") }, "\(place)")
      #expect(text.filter { $0.contains("#") && !$0.contains("# late") }.count == 1)
    }
  }

  @Test func `a refresh just over its interval is above the line, one within it is not`() {
    var state = Self.state()
    state.refreshes = [LiveRefresh(mainWork: 16_666_667, refreshInterval: 16_666_667)]
    #expect(Self.lines(state)[16].last == "_")
    state.refreshes[0].mainWork += 1
    #expect(Self.lines(state)[16].last == "#")
  }

  @Test func `late work is one bar above the line, and the refreshes it skipped have dots`() {
    var state = LiveState()
    state.refreshes = [5, 56, 0, 0, 5].map {
      LiveRefresh(mainWork: $0 * 1_000_000, refreshInterval: 16_666_667)
    }
    state.refreshes[1].missed = true
    (state.refreshes[2].isSkipped, state.refreshes[3].isSkipped) = (true, true)
    let lines = Self.lines(state, 80, 50)
    let marks = lines.map { Array($0).dropFirst(74).map(String.init).joined() }
    #expect(marks.contains { $0.hasPrefix("|#..|") }, "\(marks)")
    let line = lines.firstIndex { $0.hasPrefix("  17 ") }
    let top = lines.firstIndex { $0.contains("#") }
    #expect(line.map { line in top.map { $0 < line } ?? false } == true)
  }

  @Test func `times before the newest refresh are written below the graph`() {
    var state = Self.state()
    state.hertz = 60
    let axis = Self.lines(state, 160, 50).first { $0.contains("'-1.0 s") }
    #expect(axis?.contains("'-2.0 s") == true)
    let column = axis.flatMap { text in
      text.firstRange(of: "'-1.0 s").map { text[..<$0.lowerBound].count }
    }
    // The newest refresh is in column 158, and a second has 60.
    #expect(column == 158 - 60)
    #expect(!Self.lines(state, 80, 20).contains { $0.contains("'-") })
  }

  @Test func `a missed refresh is marked, whatever its work`() {
    for work: Int64 in [0, 1_000_000, 16_000_000, 20_000_000, 1_000_000_000] {
      var state = Self.state()
      state.refreshes = [LiveRefresh(mainWork: work, refreshInterval: 16_666_667, missed: true)]
      let graph = Self.lines(state)[15..<20].filter { $0.contains("×") || $0.contains("▲") }
      #expect(graph.count == 1, "\(work)")
    }
  }

  @Test func `the hitch ratio has its rating, and no number beyond the rating's limit`() {
    func figures(_ hitch: Int64, _ moving: Int64) -> String {
      var state = Self.state()
      (state.hitchTime, state.movingTime) = (hitch, moving)
      return Self.lines(state)[21]
    }
    #expect(figures(0, 0).contains("hitch not measurable  "))
    #expect(figures(4_999_999, 1_000_000_000).contains("hitch 4.9 ms/s good"))
    #expect(figures(5_000_000, 1_000_000_000).contains("hitch 5.0 ms/s warning"))
    #expect(figures(9_999_999, 1_000_000_000).contains("hitch 9.9 ms/s warning"))
    #expect(figures(10_000_000, 1_000_000_000).contains("hitch 10.0 ms/s critical"))
    #expect(figures(10_000_000, 999_999_999).contains("hitch 10.0 ms/s critical"))
    var few = Self.state()
    (few.hitchTime, few.movingTime, few.frames) = (10_000_000, 900_000_000, 29)
    #expect(Self.lines(few)[21].contains("hitch 11.1 ms/s uncertain"))
  }

  @Test func `waiting is stacked on the work in its own shade and is not load`() {
    var state = Self.state()
    let interval: Int64 = 16_666_667
    state.refreshes = [LiveRefresh(mainWork: interval / 8, refreshInterval: interval)]
    func shades() -> Int { Self.lines(state).joined().count { $0 == "░" } }
    let alone = shades()
    #expect(!Self.lines(state).contains { $0.contains("waiting") })
    state.refreshes[0].waiting = interval * 7 / 8
    #expect(state.refreshes[0].load < 0.2)
    #expect(Self.lines(state).contains { $0.contains("░ waiting") })
    // One in the legend, the others on the bar.
    #expect(shades() > alone + 1)
  }

  @Test func `the work of all threads is shown as a share of one common duration`() {
    var state = Self.state()
    #expect(Self.lines(state)[21].contains("main -   bg -"))
    (state.countedTime, state.mainBusy, state.backgroundBusy) =
      (4_000_000_000, 1_000_000_000, 6_000_000_000)
    #expect(Self.lines(state)[21].contains("main 250 ms/s   bg 1500 ms/s"))
  }

  @Test func `positions and numbers far beyond the screen do no harm`() {
    var state = Self.state()
    let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for top in numbers {
      for height in numbers {
        state.rows.append(LiveRow(title: "", detail: "", top: top, height: height))
        state.refreshes.append(
          LiveRefresh(mainWork: top, refreshInterval: height, prefetch: top / -2))
      }
    }
    (state.hitchTime, state.movingTime, state.mainBusy) = (.max, 1, .min)
    (state.backgroundBusy, state.hertz, state.frames) = (.max, .max, .min)
    state.countedTime = 1
    for number in numbers {
      state.viewport = number
      for palette in Self.palettes { #expect(Self.lines(state, 80, 24, palette).count == 24) }
    }
  }

  @Test func `a wrong row is marked in its text, and the dragged row lies above the others`() {
    var state = Self.state()
    state.rows[1].isWrong = true
    #expect(Self.lines(state).contains { $0.contains("✗ Title 1") })
    state.rows[3].isHeld = true
    state.rows[3].top = state.rows[1].top
    let lines = Self.lines(state)
    #expect(lines.contains { $0.contains("≡ Title 3") })
    #expect(!lines.contains { $0.contains("Title 1") })
  }

  @Test func `a row says what it has so far, and moves by lines`() {
    var state = Self.state()
    state.rows = Array(state.rows.prefix(1))
    let parts: [(Cell.Content, String, String)] = [
      (.placeholder, " ┊ ", "Detail 0, loading"), (.undecoded, " ▒ ", "Detail 0, not decoded"),
      (.final, " █ ", "Detail 0"),
    ]
    for (content, strip, detail) in parts {
      (state.rows[0].content, state.rows[0].top) = (content, 0)
      var lines = Self.lines(state)
      #expect(lines[0] == strip + "Title 0")
      #expect(lines[1] == strip + detail)
      // The list is 15 rows high.
      state.rows[0].top = state.viewport / 15
      lines = Self.lines(state)
      #expect(lines[0].isEmpty)
      #expect(lines[1] == strip + "Title 0")
    }
  }

  @Test func `the text roles match those of the text report`() {
    for (color, ink) in [(LiveColor.good, TextRole.good), (.near, .near), (.late, .late)] {
      #expect(color.parameter(.full, isBackground: false) == ink.parameters(in: .full))
      #expect(color.parameter(.sixteen, isBackground: false) == ink.parameters(in: .sixteen))
    }
  }

  @Test func `a small screen without color prints exactly this`() {
    var state = Self.state()
    (state.refreshes[20].mainWork, state.refreshes[20].missed) = (30_000_000, true)
    (state.refreshes[10].mainWork, state.refreshes[3].missed) = (20_000_000, true)
    (state.missed, state.hitchTime, state.movingTime) = (2, 13_333_333, 1_000_000_000)
    (state.countedTime, state.mainBusy, state.backgroundBusy) =
      (2_000_000_000, 904_000_000, 212_000_000)
    let lines = Self.lines(state, 60, 18)
    #expect(lines.joined(separator: "\n") == Self.small, "\(lines.joined(separator: "\n"))")
  }

  @Test func `the blank time ratio follows the hitch time ratio, if it is known`() {
    var state = Self.state()
    state.movingTime = 2_000_000_000
    #expect(!Self.lines(state, 100, 18).contains { $0.contains("blank") })
    state.blankTime = 500_000_000
    #expect(Self.lines(state, 100, 18).contains { $0.contains("blank 250 ms/s   main") })
  }

  private static let small = """
     ┊ Detail 0, loading
     ┊
     ┊

     ▒ Title 1
     ▒ Detail 1, not decoded

     █ Title 2
     █ Detail 2
     █
     █
    ── main thread of 16.67 ms  | on demand 0  : ahead 0 ───────
      17 __________________________________#_________#_________
                                    ×:    :|   :    :#   :    :
                                 |||#||||||||||||||||#|||||||||
     missed 2/30   hitch 13.3 ms/s critical   main 452 ms/s
     1 prefetch on   2 decode main
     space pause ↑↓ scroll f fling t back h Hz ? help q quit
    """
}
