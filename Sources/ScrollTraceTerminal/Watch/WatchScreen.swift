import ScrollTraceKit

/// The screen of `watch`: hitches above the panel of the live list.
enum WatchScreen {
  static func lines(
    of view: WatchView, size: (columns: Int, rows: Int), color palette: Palette
  ) -> [String] {
    let layout = LiveLayout(columns: size.columns, rows: size.rows)
    var canvas = LiveCanvas(columns: layout.columns, rows: layout.rows)
    let paints = palette.paintsBackground
    canvas.fill(layout.list, background: paints ? .ground : nil)
    canvas.fill(layout.panel, background: paints ? .panel : nil)
    drawTop(of: view, in: layout.list, on: &canvas)
    LiveGraph(state: view.panel, layout: layout, palette: palette).draw(on: &canvas)
    let room = layout.columns - 2 * LiveLayout.margin
    // A single row shows the totals since the start.
    let sums = layout.policies.isEmpty ? [view.total] : [view.recent, view.total]
    let rows = (layout.figures.map { [$0] } ?? []) + Array(layout.policies)
    for (row, sums) in zip(rows, sums) {
      sums.line(fitting: room).draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
    if let row = layout.keys {
      LiveKeyHints(hints: [("space", "pause"), ("?", "help"), ("q", "quit")], ranks: [1, 2, 0])
        .line(fitting: room).draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
    if view.panel.isHelpShown {
      LiveHelp(lines: LiveHelp.watching, layout: layout, palette: palette).draw(on: &canvas)
    }
    return canvas.lines(palette)
  }

  // MARK: - Above the panel

  private static func drawTop(
    of view: WatchView, in rows: Range<Int>, on canvas: inout LiveCanvas
  ) {
    var lines = [title(of: view), LiveText(view.motion, .quiet)]
    if !view.stall.isEmpty { lines.append(LiveText(view.stall, .late, isBold: true)) }
    for open in view.openSpans.prefix(4) {
      lines.append(LiveText("open ", .near, isBold: true).appending(open, .text))
    }
    let room = rows.count - lines.count - 1
    if room > 0 {
      lines.append(LiveText())
      // Both lists, if a few rows of each fit.
      let half = room >= 10 ? room / 2 : room
      let shown = Set(view.latest.prefix(max(0, half - 1)).map(\.time))
      let others = view.worst.filter { !shown.contains($0.time) }
      let isSplit = half < room && !others.isEmpty
      lines += list("Latest hitches", view.latest, rows: isSplit ? half : room)
      if isSplit { lines += list("Other long hitches", others, rows: room - half) }
    }
    for (row, line) in zip(rows, lines) {
      line.draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
  }

  private static func title(of view: WatchView) -> LiveText {
    let color: LiveColor =
      switch view.host {
      case .recording: .good
      case .finished, .unknown: .quiet
      case .gone: .late
      }
    return LiveText(view.name, .text, isBold: true).appending("  " + view.status, color)
  }

  /// Returns a heading and as many hitches as fit `rows`.
  private static func list(_ title: String, _ hitches: [WatchView.Hitch], rows: Int) -> [LiveText] {
    var lines = [LiveText(hitches.isEmpty ? "No hitches" : title, .near, isBold: true)]
    for hitch in hitches.prefix(max(0, rows - 1)) {
      let length = ColumnWidth.rightAligned(hitch.length, to: 10)
      lines.append(
        LiveText(ColumnWidth.rightAligned(hitch.time, to: 10), .quiet)
          .appending(length, hitch.isSevere ? .late : .near, isBold: true)
          .appending(ColumnWidth.rightAligned(hitch.refreshes, to: 4), .quiet)
          .appending("  \(hitch.kind)  ", .quiet).appending(hitch.causes, .text))
    }
    while lines.count < rows { lines.append(LiveText()) }
    return Array(lines.prefix(max(0, rows)))
  }
}
