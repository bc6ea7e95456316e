import ScrollTraceAnalysis
import ScrollTraceModel

/// What would come of one run under changes, as sections of lines.
struct TextPrediction {
  let text: TextRun
  let predictions: PredictionReport

  /// The predictions for `run` in `style`.
  init(_ run: Analysis, _ predictions: PredictionReport, style: TextStyle) {
    text = TextRun(run, style: style)
    self.predictions = predictions
  }

  /// All that is predicted.
  var sections: [[TextLine]] {
    if let obstacle = predictions.obstacle {
      return [
        text.header,
        text.wrapped(
          "Nothing can be predicted: \(PredictionWording.text(of: obstacle))", first: 0, indent: 2),
      ]
    }
    return [
      text.header, whatIf, combinations,
    ] + predictions.requirements.map(requirement) + [assumptions, closing]
  }

  // MARK: - What if

  private var whatIf: [TextLine] {
    guard !predictions.predictions.isEmpty else {
      return [text.heading("What if")]
        + text.wrapped(
          "Nothing that was recorded could be done otherwise: no cells, images, data or snapshots"
            + " of a list, and no work in a hitch.", first: 2, indent: 2)
    }
    return [text.heading("What if, by the hitch time that would go")]
      + table(predictions.predictions)
  }

  private var combinations: [TextLine] {
    let most = 5
    let shown = predictions.combinations.prefix(most)
    guard !shown.isEmpty else { return [] }
    let hidden = predictions.combinations.count - shown.count
    return [text.heading("Two together, where that does more than either")] + table(Array(shown))
      + (hidden > 0 ? [TextLine("  and \(Quantity.count(hidden, "more pair"))", .faint)] : [])
  }

  private func table(_ rows: [Prediction]) -> [TextLine] {
    var table = TextTable([
      .init(title: "gone", alignment: .right), .init(title: "left", alignment: .right),
      .init(title: "ratio", alignment: .right),
      .init(title: "misses", alignment: .right, expendability: 1),
      .init(title: "change", isFlexible: true),
    ])
    for row in rows {
      let ink: Ink = row.removed > .zero ? .good : row.removed < .zero ? .late : .plain
      // Several changes stand below one another.
      let names = row.changes.enumerated().map { ($0 > 0 ? "+ " : "") + words([$1]) }
      table.add([
        TextLine(Quantity.length(row.removed), ink), TextLine(Quantity.length(row.hitchTime)),
        TextLine(text.text(of: row.ratio), text.ink(of: text.band(of: row.ratio))),
        TextLine(row.deadlineMisses.map { "\($0)" } ?? ""), TextLine(names.first ?? ""),
      ])
      for name in names.dropFirst() {
        table.add(Array(repeating: TextLine(), count: 4) + [TextLine(name)])
      }
    }
    return text.lines(table)
  }

  /// What is done otherwise, with names that are safe to show.
  private func words(_ changes: [Change]) -> String {
    text.sentence(changes.map(PredictionWording.text(of:)).joined(separator: " + "))
  }

  // MARK: - Smooth at a rate

  private func requirement(_ requirement: SmoothRequirement) -> [TextLine] {
    let rate = Quantity.rate(requirement.interval)
    let unchanged = requirement.unchanged
    let misses =
      unchanged.deadlineMisses.map { ", \(Quantity.count($0, "miss", "misses"))" } ?? ""
    var facts = [
      (
        "as it is",
        unchanged.hitchTime == .zero
          ? "no hitch\(misses)"
          : "\(Quantity.length(unchanged.hitchTime)) late, \(text.text(of: unchanged.ratio))\(misses)"
      )
    ]
    if unchanged.hitchTime > .zero {
      for part in requirement.parts {
        let name = text.name(PredictionWording.text(of: part.work), 12)
        facts.append((name, price(part.percent, otherwise: "cannot do it alone")))
      }
      facts.append(
        (
          "all of these",
          price(requirement.percentOfAll, otherwise: "cannot do it: the cause lies elsewhere")
        ))
    }
    let interval = Quantity.interval(requirement.interval)
    return [text.heading("What it takes to be smooth at \(rate) (\(interval))")]
      + text.lines(of: facts)
  }

  private func price(_ percent: Int?, otherwise: String) -> String {
    switch percent {
    case nil: otherwise
    case 0?: "has to go altogether"
    case 100?: "may stay as it is"
    case let percent?:
      "at most \(percent) % of its time (\(Quantity.fixed(100 / Double(percent), places: 1)) times"
        + " cheaper)"
    }
  }

  // MARK: - What is taken for granted

  private var assumptions: [TextLine] {
    var changes: [Change] = []
    for change in predictions.predictions.flatMap(\.changes) where !changes.contains(change) {
      changes.append(change)
    }
    if predictions.requirements.contains(where: { $0.unchanged.changes != [] }) {
      changes.append(.refreshInterval(.zero))
    }
    var sentences: [String] = []
    for change in changes {
      if case .cheaper = change { continue }
      sentences.append(PredictionWording.assumption(of: change))
    }
    if changes.contains(where: { if case .cheaper = $0 { true } else { false } }) {
      sentences.append("Work that gets cheaper changes nothing but its own time.")
    }
    guard !sentences.isEmpty else { return [] }
    return [text.heading("What this takes for granted")]
      + sentences.flatMap {
        text.wrapped("\(text.glyphs.bullet) \($0)", first: 2, indent: 4, ink: .faint)
      }
  }

  /// How far the replay is to be trusted, and what to do first.
  private var closing: [TextLine] {
    guard let replayed = predictions.replayedHitchTime, let surface = text.surface,
      let recorded = surface.hitchTime
    else { return [] }
    var lines = text.wrapped(
      "Predicted by replaying \(Quantity.count(surface.counts.total ?? 0, "frame")); unchanged, the"
        + " replay has \(Quantity.length(replayed)) of hitch time where"
        + " \(Quantity.length(recorded)) were recorded",
      first: 2, indent: 2, ink: .faint)
    if let best = (predictions.predictions + predictions.combinations)
      .max(by: { ($0.removed, $1.changes.count) < ($1.removed, $0.changes.count) }),
      best.removed > .zero
    {
      lines += verdict(
        "BEST", .good,
        "\(words(best.changes)): \(text.text(of: surface.ratio)) now,"
          + " \(text.text(of: best.ratio)) then")
    } else if recorded == .zero {
      lines += verdict("SMOOTH", .good, "there is no hitch to remove")
    } else {
      lines += verdict("NO CHANGE", .near, "of those tried would remove hitch time")
    }
    return lines
  }

  private func verdict(_ word: String, _ ink: Ink, _ sentence: String) -> [TextLine] {
    let start = TextLine(word + "  ", ink)
    let lines: [TextLine] = .wrapping(
      sentence, width: text.style.width - start.width, ellipsis: text.glyphs.ellipsis)
    return lines.behind(start)
  }
}
