import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

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
    if let reasonForNothing {
      return [
        text.header,
        text.wrapped(reasonForNothing, first: 0, indent: 2)
          + text.lines(of: nextWithoutPrediction),
      ]
    }
    return [
      text.header, whatIf, text.lines(pairs),
    ] + predictions.requiredSpeedups.map(requirement) + [assumptions, closing]
  }

  // MARK: - What if

  private var whatIf: [TextLine] {
    guard let changes else {
      guard predictions.predictions.isEmpty, hasHitches else { return unchanged }
      return [text.heading("What if")] + text.wrapped(Self.nothingToChange, first: 2, indent: 2)
    }
    return text.lines(changes) + unchanged.dropFirst()
  }

  /// The changes that make no difference, below a heading; nothing where there is none.
  private var unchanged: [TextLine] {
    guard let textOfIdle else { return [] }
    return [text.heading("What if")] + text.wrapped(textOfIdle, first: 2, indent: 4)
  }

  /// What is said where nothing can be tried.
  static let nothingToChange =
    "Nothing that was recorded could be done otherwise: no cells, images, data or snapshots of a"
    + " list, and no work in a hitch."

  /// Why nothing can be predicted; `nil` where something can.
  var reasonForNothing: String? {
    predictions.error.map {
      "Nothing can be predicted: \(PredictionMessages.text(of: $0))"
    }
  }

  private var nextWithoutPrediction: NextStep {
    predictions.error == .notEvaluated ? text.nextWithoutData : text.command("analyze")
  }

  /// What came of each change that makes a difference; `nil` where there is none.
  var changes: TitledTable? {
    let effective = predictions.predictions.filter(alters)
    guard !effective.isEmpty else { return nil }
    return TitledTable(
      title: "What if, by the hitch time that would go", table: table(effective))
  }

  /// The changes that make none; `nil` where all do, or where there is nothing to remove.
  var textOfIdle: String? {
    let idle = predictions.predictions.filter { !alters($0) }
    guard !idle.isEmpty, hasHitches || changes != nil else { return nil }
    return "No difference: \(idle.map { words($0.changes) }.joined(separator: "; "))"
  }

  /// Whether there is hitch time that could go.
  var hasHitches: Bool { (text.surface?.hitchTime ?? .zero) > .zero }

  /// Whether a prediction differs from what was recorded.
  private func alters(_ prediction: Prediction) -> Bool {
    prediction.removed != .zero
      || prediction.deadlineMisses != text.surface?.counts.deadlineMisses
  }

  /// The pairs that are worth two changes: those that remove clearly more than the best one alone.
  private var worthyPairs: [Prediction] {
    let best = predictions.predictions.map(\.removed).max() ?? .zero
    return predictions.combinations.filter { ($0.removed - best) * 20 >= $0.recordedHitchTime }
  }

  /// What came of these pairs of changes; `nil` where there is none.
  var pairs: TitledTable? {
    let all = worthyPairs
    let shown = all.prefix(text.style.limits.pairs)
    guard !shown.isEmpty else { return nil }
    let hidden = all.count - shown.count
    return TitledTable(
      title: "Two together, where that does clearly more than one", table: table(Array(shown)),
      note: hidden > 0 ? TextLine("and \(Quantity.count(hidden, "more pair"))", .faint) : nil)
  }

  private func table(_ rows: [Prediction]) -> TextTable {
    var table = TextTable([
      .init(title: "gone", alignment: .right), .init(title: "left", alignment: .right),
      .init(title: "ratio", alignment: .right),
      .init(title: "missed", alignment: .right, expendability: 1),
      .init(title: "change", isFlexible: true),
    ])
    for row in rows {
      let ink: TextRole = row.removed > .zero ? .good : row.removed < .zero ? .late : .plain
      // Several changes stand below one another.
      let names = row.changes.enumerated().map { ($0 > 0 ? "+ " : "") + words([$1]) }
      table.add([
        TextLine(Quantity.length(row.removed), ink), TextLine(Quantity.length(row.hitchTime)),
        TextLine(text.text(of: row.ratio), text.ink(of: text.rating(of: row.ratio))),
        TextLine(row.deadlineMisses.map { "\($0)" } ?? ""), TextLine(names.first ?? ""),
      ])
      for name in names.dropFirst() {
        table.add(Array(repeating: TextLine(), count: 4) + [TextLine(name)])
      }
    }
    return table
  }

  /// What is done otherwise, with names that are safe to show.
  private func words(_ changes: [ProposedChange]) -> String {
    text.sentence(changes.map(PredictionMessages.text(of:)).joined(separator: " and "))
  }

  // MARK: - Smooth at a rate

  private func requirement(_ requirement: RequiredSpeedup) -> [TextLine] {
    [text.heading(title(of: requirement))] + text.lines(of: facts(of: requirement))
  }

  /// The rate that is asked about.
  func title(of requirement: RequiredSpeedup) -> String {
    "What it takes to be smooth at \(Quantity.rate(requirement.refreshInterval))"
      + " (\(Quantity.interval(requirement.refreshInterval)))"
  }

  /// What would be needed for it, and how it is.
  func facts(of requirement: RequiredSpeedup) -> [(label: String, text: String)] {
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
    return facts
  }

  /// How cheap work would have to be, and which no price makes cheap enough.
  private func prices(_ requirement: RequiredSpeedup) -> [(String, String)] {
    func name(_ part: RequiredSpeedup.Part, _ columns: Int) -> String {
      text.name(PredictionMessages.text(of: part.work), columns)
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
      let left = requirement.remainingHitchTime
      let reason =
        left < requirement.unchanged.hitchTime
        ? "\(Quantity.length(left)) of hitch time would be left"
        : "the cause lies outside of commits"
      return facts + [("not enough", "\(names): \(reason)")]
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
    let sentences = textsOfAssumptions
    guard !sentences.isEmpty else { return [] }
    return [text.heading(Self.titleOfAssumptions)]
      + sentences.flatMap {
        text.wrapped("\(text.glyphs.bullet) \($0)", first: 2, indent: 4, ink: .faint)
      }
  }

  /// What the assumptions stand below.
  static let titleOfAssumptions = "What this takes for granted"

  /// The assumptions as sentences.
  var textsOfAssumptions: [String] {
    var changes: [ProposedChange] = []
    let shown = predictions.predictions.filter(alters) + worthyPairs
    for change in shown.flatMap(\.changes) where !changes.contains(change) {
      changes.append(change)
    }
    if predictions.requiredSpeedups.contains(where: { $0.unchanged.changes != [] }) {
      changes.append(.refreshInterval(.zero))
    }
    var sentences: [String] = []
    for change in changes {
      if case .speedup = change { continue }
      sentences.append(PredictionMessages.assumption(of: change))
    }
    if changes.contains(where: { if case .speedup = $0 { true } else { false } }) {
      sentences.append("Work that gets cheaper changes nothing but its own time.")
    }
    return sentences
  }

  /// How far the replay is to be trusted, and what to do first.
  private var closing: [TextLine] {
    guard let outcome else { return [] }
    return text.wrapped(outcome.trust, first: 2, indent: 2, ink: .faint)
      + text.sentence(outcome.text, behind: outcome.word)
      + text.lines(of: outcome.next, label: outcome.word.plain == Self.best ? Self.proof : "Next:")
  }

  /// The same in parts; `nil` where nothing was replayed.
  var outcome: (word: TextLine, text: String, trust: String, next: NextStep?)? {
    guard let replayed = predictions.replayedHitchTime, let surface = text.surface,
      let recorded = surface.hitchTime
    else { return nil }
    let trust =
      "Predicted by replaying \(Quantity.count(surface.counts.total ?? 0, "frame")); unchanged, the"
      + " replay has \(Quantity.length(replayed)) of hitch time where"
      + " \(Quantity.length(recorded)) were recorded"
    if let best = (predictions.predictions + worthyPairs)
      .max(by: { ($0.removed, $1.changes.count) < ($1.removed, $0.changes.count) }),
      best.removed > .zero
    {
      return (
        TextLine(Self.best, .good),
        "\(words(best.changes)): \(text.text(of: surface.ratio)) now,"
          + " \(text.text(of: best.ratio)) then", trust,
        text.command("compare", operands: ["AFTER"])
      )
    }
    return recorded == .zero
      ? (TextLine("SMOOTH", .good), "there is no hitch to remove", trust, nil)
      : (
        TextLine("NO GAIN", .near), "none of the changes tried would remove hitch time", trust,
        text.command("analyze")
      )
  }

  /// The word for a change that would do most.
  private static let best = "BEST"
  /// How to see whether a prediction comes true.
  private static let proof = "Next: make that change, record the same scroll again, and compare:"
}
