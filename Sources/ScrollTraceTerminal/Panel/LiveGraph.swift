import ScrollTraceKit

/// The main thread's work for each refresh as bars, with a line at the end of the refresh.
///
/// Late work stands in the refresh in which it started; the refreshes that pass until it is done have
/// a dot in place of a bar.
/// Up to the line, heights are proportional to the time available; above it, every row doubles it.
/// A bar that is still higher ends in an arrow. No bar is omitted or averaged.
struct LiveGraph {
  let state: LiveState
  let layout: LiveLayout
  let palette: Palette

  private static let gutter = 5
  private static let blocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  private var above: Int { min(4, layout.graph.count / 2) }
  private var below: Int { layout.graph.count - above }
  private var bars: Int { max(0, layout.columns - Self.gutter - LiveLayout.margin) }

  func draw(on canvas: inout LiveCanvas) {
    if let row = layout.caption {
      LiveCaption(state: state, palette: palette).draw(in: row, &canvas)
    }
    guard !layout.graph.isEmpty else { return }
    for step in 0..<above {
      let time = TimeSpan(nanoseconds: state.interval).milliseconds * Double(1 << step)
      let label = Quantity.decimal(Int64(time * 10), per: 10, decimals: time < 10 ? 1 : 0)
      canvas.write(
        ColumnWidth.rightAligned(label, to: Self.gutter - 1),
        LiveStyle(foreground: step == 0 ? .near : .line),
        row: layout.graph.lowerBound + above - 1 - step, column: 0)
    }
    for (index, column) in columns.enumerated() {
      draw(column, at: Self.gutter + index, on: &canvas)
    }
    if let row = layout.axis { drawAxis(in: row, on: &canvas) }
  }

  /// Draws times before the newest refresh.
  private func drawAxis(in row: Int, on canvas: inout LiveCanvas) {
    let column = state.interval
    let steps: [Int64] = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000]
    let minimum = TimeSpan(nanoseconds: column).milliseconds * 12
    guard let step = steps.first(where: { Double($0) >= minimum }) else { return }
    let tick = palette == .none ? "'" : "╵"
    var time = step
    while let back = Int(exactly: time * 1_000_000 / column), back < bars {
      let text = Quantity.decimal(time, per: 1_000, decimals: step < 1_000 ? 1 : 0)
      canvas.write(
        "\(tick)-\(text) s", LiveStyle(foreground: .line), row: row,
        column: Self.gutter + bars - 1 - back)
      time += step
    }
  }

  /// The refresh of each column, newest last, or `nil` for empty columns.
  private var columns: [LiveRefresh?] {
    let shown = state.refreshes.suffix(bars).map(Optional.init)
    return Array(repeating: nil, count: bars - shown.count) + shown
  }

  private func draw(_ refresh: LiveRefresh?, at column: Int, on canvas: inout LiveCanvas) {
    let height = refresh.map { self.height(of: $0.load) } ?? 0
    // Waiting is stacked on the work, below the line that ends the refresh.
    let occupied = refresh.map { min(below * 8, self.height(of: $0.occupied)) } ?? 0
    let demanded = refresh.map { min(height, self.height(of: $0.loadOnDemand)) } ?? 0
    let isMissed = refresh?.missed ?? false
    let limit = layout.graph.count * 8
    for step in 0..<layout.graph.count {
      let row = layout.graph.upperBound - 1 - step
      func put(_ sign: String, _ color: LiveColor?, isBold: Bool = false) {
        canvas.write(sign, LiveStyle(foreground: color, isBold: isBold), row: row, column: column)
      }
      let isLate = step >= below
      let filled = min(8, max(0, height - step * 8))
      if filled == 0 {
        if step == 0, refresh?.isSkipped == true {
          put(palette == .none ? "." : "·", .late)
        } else if isMissed, (height + 7) / 8 == step {
          put("×", .late, isBold: true)
        } else if step * 8 < occupied {
          put("░", .line)
        } else if step == below {
          put(palette == .none ? "_" : "▁", .line)
        }
        continue
      }
      let onDemand = min(filled, max(0, demanded - step * 8))
      let color: LiveColor = isLate || isMissed ? .late : onDemand * 2 < filled ? .ahead : .good
      if step == layout.graph.count - 1, height > limit {
        put("▲", .late, isBold: true)
      } else if palette == .none {
        put(color == .late ? "#" : color == .ahead ? ":" : "|", nil)
      } else if filled == 8, color == .ahead, onDemand == 0 {
        put("▒", color)
      } else if filled == 8, !isLate, !isMissed, (1..<8).contains(onDemand) {
        canvas.write(
          Self.blocks[onDemand], LiveStyle(foreground: .good, background: .ahead), row: row,
          column: column)
      } else {
        put(Self.blocks[filled], color)
      }
    }
  }

  /// Returns the height of a bar of `load` in eighths of a row, which exceeds the space for a bar
  /// that does not fit.
  private func height(of load: Double) -> Int {
    guard load > 0 else { return 0 }
    guard load > 1 else { return max(1, Int((load * Double(below * 8)).rounded(.up))) }
    guard load.isFinite else { return .max / 2 }
    let doublings = Double(load.exponent) + Double(load.significand) - 1
    // The line itself is an eighth high; a higher bar must be visible above it.
    return below * 8 + max(2, Int((doublings * 8).rounded(.up)))
  }
}

/// The line above the graph: its title, the meaning of its colors, and the current state.
struct LiveCaption {
  let state: LiveState
  let palette: Palette

  func draw(in row: Int, _ canvas: inout LiveCanvas) {
    let line = LiveStyle(foreground: .line)
    canvas.write(
      String(repeating: "─", count: canvas.columns), line, row: row, column: 0)
    var status = LiveText()
    if let path = state.recording {
      let shown = ColumnWidth.clip(
        EscapingContext.terminal.escape(path.fileName), to: max(4, canvas.columns / 5),
        ellipsis: "…")
      status = LiveText(" ● ", .late).appending(shown + " ", .text)
    }
    if state.isPaused { status.append(" paused ", .near, isBold: true) }
    let room = canvas.columns - 4 - status.width
    var title = LiveText()
    for part in parts where title.width + part.width <= room { title.append(part) }
    title.draw(on: &canvas, row: row, column: 2)
    let start = canvas.columns - status.width - (status.width > 0 ? 2 : 0)
    if start > 2 + title.width { status.draw(on: &canvas, row: row, column: start) }
  }

  /// The parts of the line, most important first.
  private var parts: [LiveText] {
    let interval = TimeSpan(nanoseconds: state.interval)
    let title = LiveText(" main thread ", .text, isBold: true)
      .appending("of \(Quantity.interval(interval)) ", .quiet)
    let signs = palette == .none ? ["|", ":", "#"] : ["█", "▒", "×"]
    let waiting = state.refreshes.contains { $0.waiting > 0 } ? [legend("░", .line, "waiting")] : []
    return [
      title,
      legend(signs[0], .good, "on demand" + Self.count(state.preparedOnDemand)),
      legend(signs[1], .ahead, "ahead" + Self.count(state.preparedAhead)),
      legend(signs[2], .late, "late"),
    ] + waiting
  }

  private static func count(_ count: Int?) -> String { count.map { " \($0)" } ?? "" }

  private func legend(_ sign: String, _ color: LiveColor, _ text: String) -> LiveText {
    LiveText(" \(sign) ", color).appending(text + " ", .quiet)
  }
}
