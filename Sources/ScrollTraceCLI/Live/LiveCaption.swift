import ScrollTraceKit

/// The line above the graph: what it shows, what its colours mean, and what is going on.
struct LiveCaption {
  /// What is shown.
  let state: LiveState
  /// The colours there are.
  let level: ColorLevel

  /// Draws it into a row of `canvas`.
  func draw(in row: Int, _ canvas: inout LiveCanvas) {
    let line = LiveStyle(foreground: .line)
    canvas.write(
      String(repeating: "─", count: canvas.columns), line, row: row, column: 0)
    var status = LiveText()
    if let path = state.recording {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let shown = ColumnWidth.clip(
        EscapingContext.terminal.escape(name), to: max(4, canvas.columns / 5), ellipsis: "…")
      status.append(" ● ", .late)
      status.append(shown + " ", .text)
    }
    if state.isPaused { status.append(" paused ", .near, isBold: true) }
    let room = canvas.columns - 4 - status.width
    var title = LiveText()
    for part in parts where title.width + part.width <= room { title.append(part) }
    title.draw(on: &canvas, row: row, column: 2)
    let start = canvas.columns - status.width - (status.width > 0 ? 2 : 0)
    if start > 2 + title.width { status.draw(on: &canvas, row: row, column: start) }
  }

  /// What it says, the most important first.
  private var parts: [LiveText] {
    let interval = TimeSpan(
      nanoseconds: state.refreshInterval ?? 1_000_000_000 / Int64(max(1, state.hertz)))
    var title = LiveText(" main thread ", .text, isBold: true)
    title.append("1x = \(Quantity.interval(interval)) ", .quiet)
    let signs = level == .none ? ["|", ":", "#"] : ["■", "■", "■"]
    return [
      title,
      legend(signs[0], .good, "on demand" + Self.count(state.preparedOnDemand)),
      legend(signs[1], .ahead, "ahead" + Self.count(state.preparedAhead)),
      legend(signs[2], .late, "late"),
    ]
  }

  private static func count(_ count: Int?) -> String { count.map { " \($0)" } ?? "" }

  private func legend(_ sign: String, _ color: LiveColor, _ text: String) -> LiveText {
    var legend = LiveText(" \(sign) ", color)
    legend.append(text + " ", .quiet)
    return legend
  }
}
