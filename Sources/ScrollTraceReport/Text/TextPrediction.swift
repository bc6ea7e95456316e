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
      let next = obstacle == .notJudged ? text.nextWithoutData : "\(analyze) \(text.pathArgument)"
      return [
        text.header,
        text.wrapped(
          "Nothing can be predicted: \(PredictionWording.text(of: obstacle))", first: 0, indent: 2)
          + text.wrapped("Next: \(next)", first: 2, indent: 8),
      ]
    }
    return [
      text.header, whatIf, combinations,
    ] + predictions.requirements.map(requirement) + [assumptions, closing]
  }

  // MARK: - What if

  private var whatIf: [TextLine] {
    guard !predictions.predictions.isEmpty else {
      guard hasHitches else { return [] }
      return [text.heading("What if")]
        + text.wrapped(
          "Nothing that was recorded could be done otherwise: no cells, images, data or snapshots"
            + " of a list, and no work in a hitch.", first: 2, indent: 2)
    }
    let effective = predictions.predictions.filter(alters)
    let idle = predictions.predictions.filter { !alters($0) }
    guard hasHitches || !effective.isEmpty else { return [] }
    let rest =
      idle.isEmpty
      ? []
      : text.wrapped(
        "No difference: \(idle.map { words($0.changes) }.joined(separator: "; "))", first: 2,
        indent: 4)
    return effective.isEmpty
      ? [text.heading("What if")] + rest
      : [text.heading("What if, by the hitch time that would go")] + table(effective) + rest
  }

  private var hasHitches: Bool { (text.surface?.hitchTime ?? .zero) > .zero }

  /// Whether a prediction differs from what was recorded.
  private func alters(_ prediction: Prediction) -> Bool {
    prediction.removed != .zero
      || prediction.deadlineMisses != text.surface?.counts.deadlineMisses
  }

  /// The pairs that are worth two changes: those that remove clearly more than the best one alone.
  private var pairs: [Prediction] {
    let best = predictions.predictions.map(\.removed).max() ?? .zero
    return predictions.combinations.filter { ($0.removed - best) * 20 >= $0.recordedHitchTime }
  }

  private var combinations: [TextLine] {
    let most = 5
    let shown = pairs.prefix(most)
    guard !shown.isEmpty else { return [] }
    let hidden = pairs.count - shown.count
    return [text.heading("Two together, where that does clearly more than one")]
      + table(Array(shown))
      + (hidden > 0 ? [TextLine("  and \(Quantity.count(hidden, "more pair"))", .faint)] : [])
  }

  private func table(_ rows: [Prediction]) -> [TextLine] {
    var table = TextTable([
      .init(title: "gone", alignment: .right), .init(title: "left", alignment: .right),
      .init(title: "ratio", alignment: .right),
      .init(title: "missed", alignment: .right, expendability: 1),
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
    text.sentence(changes.map(PredictionWording.text(of:)).joined(separator: " and "))
  }

  // MARK: - Smooth at a rate

  private func requirement(_ requirement: SmoothRequirement) -> [TextLine] {
    let rate = Quantity.rate(requirement.interval)
    let unchanged = requirement.unchanged
    let misses =
      unchanged.deadlineMisses.map { ", \(Quantity.count($0, "deadline")) missed" } ?? ""
    var facts = [
      (
        "as it is",
        unchanged.hitchTime == .zero
          ? "no hitch\(misses)"
          : "\(Quantity.length(unchanged.hitchTime)) late, \(text.text(of: unchanged.ratio))\(misses)"
      )
    ]
    if unchanged.hitchTime > .zero { facts += prices(requirement) }
    let interval = Quantity.interval(requirement.interval)
    return [text.heading("What it takes to be smooth at \(rate) (\(interval))")]
      + text.lines(of: facts)
  }

  /// How cheap work would have to be, and which no price makes cheap enough.
  private func prices(_ requirement: SmoothRequirement) -> [(String, String)] {
    func name(_ part: SmoothRequirement.Part, _ columns: Int) -> String {
      text.name(PredictionWording.text(of: part.work), columns)
    }
    guard !requirement.parts.isEmpty else {
      return [("not known", "what commits do: no span tells")]
    }
    var facts = requirement.parts.compactMap { part in
      part.percent.map { (name(part, 12), price($0)) }
    }
    let tooLittle = requirement.parts.filter { $0.percent == nil }.map { name($0, 40) }
    guard let all = requirement.percentOfAll else {
      let names =
        tooLittle.joined(separator: ", ") + (tooLittle.count > 1 ? ", even all at once" : "")
      return facts + [("not enough", "\(names): the cause lies outside of commits")]
    }
    if requirement.parts.count > 1 { facts.append(("all at once", price(all))) }
    if !tooLittle.isEmpty {
      let names =
        tooLittle.dropLast().joined(separator: ", ") + (tooLittle.count > 1 ? " or " : "")
        + (tooLittle.last ?? "")
      facts.append(("not enough", "\(names) alone"))
    }
    return facts
  }

  private func price(_ percent: Int) -> String {
    switch percent {
    case 0: "none of its time"
    case 100: "may stay as it is"
    default:
      "at most \(percent) % of its time (\(Quantity.fixed(100 / Double(percent), places: 1)) times"
        + " cheaper)"
    }
  }

  // MARK: - What is taken for granted

  private var assumptions: [TextLine] {
    var changes: [Change] = []
    let shown = predictions.predictions.filter(alters) + pairs
    for change in shown.flatMap(\.changes) where !changes.contains(change) {
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
    if let best = (predictions.predictions + pairs)
      .max(by: { ($0.removed, $1.changes.count) < ($1.removed, $0.changes.count) }),
      best.removed > .zero
    {
      lines += verdict(
        "BEST", .good,
        "\(words(best.changes)): \(text.text(of: surface.ratio)) now,"
          + " \(text.text(of: best.ratio)) then")
      lines += text.wrapped(
        "Next: make that change, record the same scroll again, and compare:",
        first: 2, indent: 8)
      lines += text.wrapped(
        "\(Tool.name) compare \(text.pathArgument) AFTER", first: 8, indent: 10)
    } else if recorded == .zero {
      lines += verdict("SMOOTH", .good, "there is no hitch to remove")
    } else {
      lines += verdict("NO GAIN", .near, "none of the changes tried would remove hitch time")
      lines += text.wrapped("Next: \(analyze) \(text.pathArgument)", first: 2, indent: 8)
    }
    return lines
  }

  private var analyze: String { "\(Tool.name) analyze" }

  private func verdict(_ word: String, _ ink: Ink, _ sentence: String) -> [TextLine] {
    let start = TextLine(word + "  ", ink)
    let lines: [TextLine] = .wrapping(
      sentence, width: text.style.width - start.width, ellipsis: text.glyphs.ellipsis)
    return lines.behind(start)
  }
}
