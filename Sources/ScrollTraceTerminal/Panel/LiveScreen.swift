import ScrollTraceKit

/// Draws a state for a terminal: the list, and below it the panel.
///
/// ```swift
/// let lines = LiveScreen.lines(of: state, size: (80, 24), color: .full)
/// ```
enum LiveScreen {
  /// Returns the lines of the screen: at most `size.rows`, none wider than `size.columns`.
  static func lines(
    of state: LiveState, size: (columns: Int, rows: Int), color palette: Palette
  ) -> [String] {
    let policies = LivePolicies(state.policies, columns: size.columns - 2 * LiveLayout.margin)
    let layout = LiveLayout(
      columns: size.columns, rows: size.rows, policyRows: policies.lines.count)
    var canvas = LiveCanvas(columns: layout.columns, rows: layout.rows)
    let paints = palette.paintsBackground
    canvas.fill(layout.list, background: paints ? .ground : nil)
    LiveList(state: state, rows: layout.list.count, palette: palette).draw(on: &canvas)
    canvas.fill(layout.panel, background: paints ? .panel : nil)
    LiveGraph(state: state, layout: layout, palette: palette).draw(on: &canvas)
    LiveFigures(state: state, layout: layout).draw(on: &canvas)
    for (row, line) in zip(layout.policies, policies.lines) {
      line.draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
    if state.isHelpShown {
      LiveHelp(lines: LiveHelp.list, layout: layout, palette: palette).draw(on: &canvas)
    }
    return canvas.lines(palette)
  }
}

/// The use of the screen's rows.
struct LiveLayout {
  let columns: Int
  let rows: Int
  let list: Range<Int>
  /// The row above the graph.
  let caption: Int?
  let graph: Range<Int>
  let axis: Int?
  let figures: Int?
  let policies: Range<Int>
  let keys: Int?

  var panel: Range<Int> { list.upperBound..<rows }

  /// The margin of the panel's lines at the left edge.
  static let margin = 1

  /// Creates a layout; parts without enough space are omitted, the list last.
  ///
  /// - Parameter policyRows: The number of rows for the policies if there is enough space.
  init(columns: Int, rows: Int, policyRows wanted: Int = 1) {
    self.columns = min(1000, max(0, columns))
    self.rows = min(1000, max(0, rows))
    let policyRows = self.rows < 16 ? 0 : min(wanted, self.rows < 24 ? 1 : 2)
    let graphRows =
      self.rows < 8 ? 0 : self.rows < 16 ? 2 : self.rows < 24 ? 3 : 5 + (self.rows - 24) / 4
    var next = self.rows
    func reserve(_ count: Int) -> Range<Int> {
      next -= count
      return next..<(next + count)
    }
    keys = self.rows >= 6 ? reserve(1).lowerBound : nil
    policies = reserve(policyRows)
    figures = self.rows >= 4 ? reserve(1).lowerBound : nil
    axis = self.rows >= 24 ? reserve(1).lowerBound : nil
    graph = reserve(min(graphRows, 14))
    caption = graph.isEmpty ? nil : reserve(1).lowerBound
    list = 0..<next
  }
}

/// A box over the screen that explains keys, rows and bars.
struct LiveHelp {
  /// A key or a sign with its meaning.
  typealias Line = (key: String, text: String)

  let lines: [Line]
  let layout: LiveLayout
  let palette: Palette

  /// Draws as many lines as fit over the list.
  func draw(on canvas: inout LiveCanvas) {
    let width = min(60, layout.columns - 2)
    let height = min(lines.count + 2, layout.list.count)
    guard width >= 20, height >= 3 else { return }
    let left = (layout.columns - width) / 2
    let top = (layout.list.count - height) / 2
    let ground = palette.paintsBackground ? LiveColor.held : nil
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
        line.text,
        LiveStyle(foreground: palette.paintsBackground ? .text : nil, background: ground),
        row: row, column: left + 11, width: width - 13)
    }
  }

  // MARK: - What is explained

  static let list: [Line] =
    [
      ("space", "pause or resume"),
      ("↑ ↓", "scroll; Page Up and Page Down scroll further"),
      ("f t", "fling forward; fling back"),
      ("1-6", "change a policy, listed below the graph"),
      ("h", "change the refresh rate"),
      ("r o", "pull to refresh; reorder a row"),
      ("┊", "a row whose content is loading"),
      ("▒", "a row whose image is not decoded yet"),
      ("✗", "a row with the content of another item"),
    ] + graph

  /// The explanations for a watched recording.
  static let watching: [Line] =
    [
      ("space", "pause or resume the screen; reading continues"),
      ("q", "quit and print the totals"),
      ("stalled", "an ongoing hitch, and its open spans"),
      ("open", "spans that have not ended"),
      ("so far", "the duration of an ongoing hitch"),
    ] + graph

  private static let graph: [Line] = [
    ("bar", "main-thread work of one refresh, late work as a whole"),
    ("line", "the time available; higher bars are late"),
    ("×", "a missed deadline"),
    ("·", "a refresh that passed while late work went on"),
  ]
}
