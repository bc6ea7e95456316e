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
    // Both of the time in which all other figures were counted, so that they can be compared.
    sums.main = rate(state.mainBusy)
    sums.background = rate(state.backgroundBusy)
    sums.rate = "\(state.hertz) Hz"
    return sums
  }

  private func rate(_ work: Int64) -> String {
    WatchMessages.rate(
      TimeSpan(nanoseconds: work), of: TimeSpan(nanoseconds: state.countedTime))
  }

  private var keys: LiveKeyHints {
    LiveKeyHints(
      hints: [
        ("space", "pause"), ("↑↓", "scroll"), ("f", "fling"), ("t", "back"), ("1-6", "policies"),
        ("h", "Hz"), ("r", "refresh"), ("o", "reorder"), ("?", "help"), ("q", "quit"),
      ], ranks: [0, 3, 4, 5, layout.policies.isEmpty ? 2 : 9, 6, 7, 8, 1, 0])
  }
}
