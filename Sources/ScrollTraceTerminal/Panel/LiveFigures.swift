import ScrollTraceKit

/// The lines below the graph: totals and keys.
struct LiveFigures {
  let state: LiveState
  let layout: LiveLayout

  private var room: Int { layout.columns - 2 * LiveLayout.margin }

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
    let hitchTime = TimeSpan(nanoseconds: state.hitchTime)
    let duration = TimeSpan(nanoseconds: state.movingTime)
    sums.ratio = HitchTimeRatio(hitchTime: hitchTime, duration: duration)
    sums.blank = state.blankTime.flatMap {
      HitchTimeRatio(hitchTime: TimeSpan(nanoseconds: $0), duration: duration)
    }
    // The engine's frames all have targets, and their presentations are known.
    sums.rating =
      RatedHitches(
        hitchTime: hitchTime, duration: duration, evaluated: state.frames, ledger: nil,
        blankRatio: sums.blank?.millisecondsPerSecond, by: .scroll
      ).rating
    // Both cover the same time as all other numbers, so that they are comparable.
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

/// A line of numbers: misses, hitch ratio, and work.
struct LiveSums: Sendable {
  /// The title, or an empty string if it is obvious.
  var title = ""
  var frames = 0
  /// The number of late frames.
  var missed = 0
  /// The hitch time ratio, or `nil` if nothing moved.
  var ratio: HitchTimeRatio?
  /// The rating, including uncertain and not measurable.
  var rating = Rating.notMeasurable
  /// The blank time ratio, or `nil` if it is unknown or nothing moved.
  var blank: HitchTimeRatio?
  var main = ""
  var background = ""
  var rate = ""

  /// Returns the line, with as many parts as fit in `room` columns.
  func line(fitting room: Int) -> LiveText {
    let pieces = [
      name, missedText, ratioText, blankText, figure("main ", main), figure("bg ", background),
    ]
    let all = pieces + [rate.isEmpty ? nil : figure("", rate)]
    let ranks = [1, 0, 0, 2, 3, 4, 5]
    let kept = zip(all, ranks).compactMap { piece, rank in piece.map { ($0, rank) } }
    return kept.map(\.0).joined(fitting: room, ranks: kept.map(\.1), gap: 2)
  }

  private var name: LiveText? {
    guard !title.isEmpty else { return nil }
    // All titles are as wide as the widest, so that numbers are aligned.
    return LiveText(ColumnWidth.padded(title, to: 9), .quiet)
  }

  private var missedText: LiveText {
    LiveText("missed ", .quiet)
      .appending("\(missed)", missed > 0 ? .late : .text, isBold: true)
      .appending("/\(frames)", .quiet)
  }

  private var ratioText: LiveText {
    let label = LiveText("hitch ", .quiet)
    guard let value = ratio?.millisecondsPerSecond, rating != .notMeasurable else {
      return label.appending(rating.text, .near, isBold: true)
    }
    let color: LiveColor =
      switch rating {
      case .good: .good
      case .warning, .uncertain, .notMeasurable: .near
      case .critical, .severe: .late
      }
    // Rounding must not show a limit that the rating excludes.
    let shown = (value * 10).rounded(.down) / 10
    return label.appending(Quantity.fixed(shown, decimals: 1) + " ms/s ", .text, isBold: true)
      .appending(rating.text, color, isBold: true)
  }

  private var blankText: LiveText? {
    guard let value = blank?.millisecondsPerSecond else { return nil }
    let color: LiveColor = value > RatedHitches.usualBlankRatio ? .near : .text
    return LiveText("blank ", .quiet)
      .appending(Quantity.fixed(value, decimals: 0) + " ms/s", color, isBold: true)
  }

  private func figure(_ name: String, _ value: String) -> LiveText {
    LiveText(name, .quiet).appending(value, .text, isBold: true)
  }

  /// Returns an amount of work: `312 ms`, `2.3 s`.
  static func total(_ time: Int64) -> String {
    time < 1_000_000_000
      ? Quantity.decimal(time, per: 1_000_000, decimals: 0) + " ms"
      : Quantity.decimal(time, per: 1_000_000_000, decimals: 1) + " s"
  }
}

extension LiveSums {
  /// Creates the numbers of a surface in some time, as rates if there is a refresh interval.
  init(_ totals: LiveTotals, of surface: String?, title: String, refreshInterval: TimeSpan?) {
    self.title = title
    let figures = surface.flatMap { totals.surfaces[$0] } ?? LiveTotals.Surface()
    frames = figures.frames
    missed = figures.deadlineMisses
    ratio = surface.flatMap { totals.ratio(of: $0) }
    rating = totals.rated(surface, by: .scroll).rating
    blank = totals.blankRatio
    if let refreshInterval {
      main = WatchMessages.rate(totals.work.main, of: totals.time)
      background = WatchMessages.rate(totals.work.background, of: totals.time)
      rate = Quantity.rate(refreshInterval)
    } else {
      main = Self.total(totals.reportedWork.main.nanoseconds)
      background = Self.total(totals.reportedWork.background.nanoseconds)
    }
  }
}

/// The line that explains the keys.
struct LiveKeyHints {
  /// The keys and their effects, in order.
  let hints: [(key: String, meaning: String)]
  /// The order in which hints are dropped if space is short; those with rank 0 stay.
  let ranks: [Int]

  /// Returns the line, with as many hints as fit in `room` columns.
  func line(fitting room: Int) -> LiveText {
    hints.map { LiveText($0.key, .text, isBold: true).appending(" " + $0.meaning, .quiet) }
      .joined(fitting: room, ranks: ranks)
  }
}

/// The policies with their keys, in as many lines as they need.
struct LivePolicies {
  let lines: [LiveText]

  /// Creates lines of at most `columns` columns, except for a single longer policy.
  init(_ policies: [LivePolicy], columns: Int) {
    var lines: [[LiveText]] = []
    var width = 0
    for (index, policy) in policies.enumerated() {
      let text = LiveText("\(index + 1) ", .near)
        .appending(EscapingContext.terminal.escape(policy.name) + " ", .quiet)
        .appending(EscapingContext.terminal.escape(policy.value), .text, isBold: true)
      if width == 0 || width + 2 + text.width > columns {
        lines.append([text])
        width = text.width
      } else {
        lines[lines.count - 1].append(text)
        width += 2 + text.width
      }
    }
    self.lines = lines.map { line in
      line.joined(fitting: columns, ranks: Array(repeating: 0, count: line.count))
    }
  }
}
