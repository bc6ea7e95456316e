/// A box over the screen that explains keys, pictures and bars.
struct LiveHelp {
  /// A key or a sign, and what it means.
  typealias Line = (key: String, text: String)

  /// Where it is shown.
  let layout: LiveLayout
  /// The colours there are.
  let level: ColorLevel

  /// What is explained, a line each.
  private let lines: [Line]

  /// A box that explains `lines`.
  init(of lines: [Line], layout: LiveLayout, level: ColorLevel) {
    self.lines = lines
    self.layout = layout
    self.level = level
  }

  /// Draws as much of it as there is room for over the list.
  func draw(on canvas: inout LiveCanvas) {
    let width = min(60, layout.columns - 2)
    let height = min(lines.count + 2, layout.list.count)
    guard width >= 20, height >= 3 else { return }
    let left = (layout.columns - width) / 2
    let top = (layout.list.count - height) / 2
    let ground = level.paintsBackground ? LiveColor.held : nil
    let frame = LiveStyle(foreground: .quiet, background: ground)
    let rule = String(repeating: "─", count: width - 2)
    canvas.write("╭\(rule)╮", frame, row: top, column: left)
    canvas.write("╰\(rule)╯", frame, row: top + height - 1, column: left)
    canvas.write(
      " help ", LiveStyle(foreground: .text, background: ground, isBold: true), row: top,
      column: left + 2)
    for (index, line) in lines.prefix(height - 2).enumerated() {
      let row = top + 1 + index
      let blank = String(repeating: " ", count: width - 2)
      canvas.write("│\(blank)│", frame, row: row, column: left)
      canvas.write(
        line.key, LiveStyle(foreground: .near, background: ground, isBold: true), row: row,
        column: left + 2)
      canvas.write(
        line.text, LiveStyle(foreground: level.paintsBackground ? .text : nil, background: ground),
        row: row, column: left + 11, width: width - 13)
    }
  }

  // MARK: - What is explained

  /// What the live list shows.
  static let list: [Line] =
    [
      ("space", "stop time and let it run again"),
      ("↑ ↓", "scroll; page up and down scroll further"),
      ("f t", "fling the list; fling it back"),
      ("1-6", "change a policy, as named below the graph"),
      ("h", "change the refresh rate"),
      ("r o", "refresh with new items; reorder a row"),
      ("grey", "a picture that has not come yet"),
      ("hatched", "one that still has to be decoded"),
      ("✗", "a picture of another item"),
    ] + graph

  /// What a recording that is watched shows.
  static let watching: [Line] =
    [
      ("space", "stop the picture; the reading goes on"),
      ("q", "quit, and leave the figures on the terminal"),
      ("stalled", "a hitch that still goes on, and what is open"),
      ("open", "spans that have begun and not ended"),
      ("so far", "how long the hitch that goes on is by now"),
    ] + graph

  private static let graph: [Line] = [
    ("bar", "the main thread's work for one refresh"),
    ("line", "the time there was; above it, it took too long"),
    ("×", "a frame that was not ready in time"),
  ]
}
