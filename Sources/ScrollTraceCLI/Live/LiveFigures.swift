import ScrollTraceKit

/// The lines below the graph: sums and keys.
struct LiveFigures {
  /// What is shown.
  let state: LiveState
  /// Where it is shown.
  let layout: LiveLayout

  private var room: Int { layout.columns - 2 * LiveLayout.margin }

  /// Draws the lines.
  func draw(on canvas: inout LiveCanvas) {
    if let row = layout.figures {
      sums.line(fitting: room).draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
    if let row = layout.keys {
      keys.line(fitting: room).draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
  }

  private var sums: LiveSums {
    var sums = LiveSums()
    sums.frames = state.frames
    sums.missed = state.missed
    sums.ratio = HitchTimeRatio(
      hitchTime: TimeSpan(nanoseconds: state.hitchTime),
      duration: TimeSpan(nanoseconds: state.movingTime))
    sums.main = main
    sums.background = LiveSums.total(state.backgroundBusy)
    sums.rate = "\(state.hertz) Hz"
    return sums
  }

  private var main: String {
    let work = state.refreshes.reduce(TimeSpan.zero) { $0 + TimeSpan(nanoseconds: $1.mainWork) }
    let time = state.refreshes.reduce(TimeSpan.zero) { $0 + TimeSpan(nanoseconds: $1.interval) }
    guard time > .zero else { return LiveSums.total(state.mainBusy) }
    let share = Quantity.fixed(
      Double(work.nanoseconds) / Double(time.nanoseconds) * 1000, places: 0)
    return share + " ms/s"
  }

  private var keys: LiveKeyHints {
    LiveKeyHints(
      hints: [
        ("space", "pause"), ("↑↓", "scroll"), ("f", "fling"), ("t", "back"), ("1-6", "policies"),
        ("h", "Hz"), ("r", "refresh"), ("o", "reorder"), ("?", "help"), ("q", "quit"),
      ], ranks: [0, 3, 4, 5, layout.policies.isEmpty ? 2 : 9, 6, 7, 8, 1, 0])
  }
}
