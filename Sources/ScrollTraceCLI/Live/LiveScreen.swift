/// Draws a state for a terminal: the list above, below it what it costs.
///
/// ```swift
/// let lines = LiveScreen.lines(of: state, size: (80, 24), color: .full)
/// ```
enum LiveScreen {
  /// The lines of the screen: never more than `size.rows`, none wider than `size.columns`.
  static func lines(
    of state: LiveState, size: (columns: Int, rows: Int), color level: ColorLevel
  ) -> [String] {
    let policies = LivePolicies(state.policies, columns: size.columns - 2 * LiveLayout.margin)
    let layout = LiveLayout(
      columns: size.columns, rows: size.rows, policyRows: policies.lines.count)
    var canvas = LiveCanvas(columns: layout.columns, rows: layout.rows)
    let paints = level.paintsBackground
    canvas.fill(layout.list, background: paints ? .ground : nil)
    LiveList(state: state, rows: layout.list.count, level: level).draw(on: &canvas)
    canvas.fill(layout.panel, background: paints ? .panel : nil)
    LiveGraph(state: state, layout: layout, level: level).draw(on: &canvas)
    LiveFigures(state: state, layout: layout).draw(on: &canvas)
    for (row, line) in zip(layout.policies, policies.lines) {
      line.draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
    if state.isHelpShown {
      LiveHelp(of: LiveHelp.list, layout: layout, level: level).draw(on: &canvas)
    }
    return canvas.lines(level)
  }
}
