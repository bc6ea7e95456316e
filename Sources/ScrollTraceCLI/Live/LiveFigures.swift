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
      sums.joined(fitting: room, ranks: [0, 0, 1, 2, 3], gap: 2)
        .draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
    if let row = layout.keys {
      keys.joined(
        fitting: room, ranks: [0, 3, 4, 5, layout.policies.isEmpty ? 2 : 9, 6, 7, 8, 1, 0]
      )
      .draw(on: &canvas, row: row, column: LiveLayout.margin)
    }
  }

  // MARK: - Sums

  private var sums: [LiveText] {
    [missed, ratio, main, background, figure("", "\(state.hertz) Hz")]
  }

  private var missed: LiveText {
    var text = LiveText("missed ", .quiet)
    text.append("\(state.missed)", state.missed > 0 ? .late : .text, isBold: true)
    text.append("/\(state.frames)", .quiet)
    return text
  }

  private var ratio: LiveText {
    var text = LiveText("hitch ", .quiet)
    let ratio = HitchTimeRatio(
      hitchTime: TimeSpan(nanoseconds: state.hitchTime),
      duration: TimeSpan(nanoseconds: state.movingTime))
    guard let value = ratio?.millisecondsPerSecond else {
      text.append("-", .text, isBold: true)
      return text
    }
    let band = BandProfile.scroll.band(of: value)
    let color: LiveColor = band == .good ? .good : band == .warning ? .near : .late
    // Rounding must not show a limit that the word says was not reached.
    let shown = (value * 10).rounded(.down) / 10
    text.append(Quantity.fixed(shown, places: 1) + " ms/s ", .text, isBold: true)
    text.append(band.rawValue, color, isBold: true)
    return text
  }

  private var main: LiveText {
    let work = state.refreshes.reduce(TimeSpan.zero) { $0 + TimeSpan(nanoseconds: $1.mainWork) }
    let time = state.refreshes.reduce(TimeSpan.zero) { $0 + TimeSpan(nanoseconds: $1.interval) }
    guard time > .zero else { return figure("main ", Self.total(state.mainBusy)) }
    let share = Quantity.fixed(
      Double(work.nanoseconds) / Double(time.nanoseconds) * 1000, places: 0)
    return figure("main ", share + " ms/s")
  }

  private var background: LiveText { figure("bg ", Self.total(state.backgroundBusy)) }

  private static func total(_ time: Int64) -> String {
    time < 1_000_000_000
      ? Quantity.decimal(time, per: 1_000_000, places: 0) + " ms"
      : Quantity.decimal(time, per: 1_000_000_000, places: 1) + " s"
  }

  private func figure(_ name: String, _ value: String) -> LiveText {
    var text = name.isEmpty ? LiveText() : LiveText(name, .quiet)
    text.append(value, .text, isBold: true)
    return text
  }

  // MARK: - Keys

  private var keys: [LiveText] {
    [
      ("space", "pause"), ("↑↓", "scroll"), ("f", "fling"), ("t", "back"), ("1-6", "policies"),
      ("h", "Hz"), ("r", "refresh"), ("o", "reorder"), ("?", "help"), ("q", "quit"),
    ].map { key, meaning in
      var text = LiveText(key, .text, isBold: true)
      text.append(" " + meaning, .quiet)
      return text
    }
  }
}
