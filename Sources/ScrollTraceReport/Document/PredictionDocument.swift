import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

/// The document on the predicted effect of changes on one run.
struct PredictionDocument {
  typealias Section = Document.Section

  private let words: RunMessages
  private let predictions: PredictionReport

  init(_ words: RunMessages, _ predictions: PredictionReport) {
    self.words = words
    self.predictions = predictions
  }

  /// The sections on all predictions.
  var sections: [Section] {
    let opening = [RunDocument.briefOpening(words), extendedOpening]
    if let reasonForNothing {
      return opening + [
        Section(
          title: "",
          blocks: [.paragraph(.init(reasonForNothing)), .next(nextWithoutPrediction)],
          scope: .brief)
      ]
    }
    return opening + whatIf
      + (pairs.map { [Section(title: "Two changes together", blocks: [.table($0)])] } ?? [])
      + predictions.requiredSpeedups.map {
        Section(title: title(of: $0), blocks: [.facts(facts(of: $0))])
      } + assumptions + conclusion
  }

  private var extendedOpening: Section {
    var blocks: [Document.Block] = []
    if let reason = reasonForNothing {
      blocks.append(.statement(word: words.noDataWord, text: .init(reason)))
    } else if let outcome {
      blocks += [
        .statement(word: outcome.word, text: .init(outcome.text)),
        .paragraph(StyledText(outcome.trust, .faint)),
      ]
    }
    blocks.append(.source(words.source))
    if let surface = words.surface, surface.isEvaluated {
      blocks.append(.paragraph("Recorded: \(words.facts(of: surface))"))
    }
    return Section(title: "", blocks: blocks, scope: .extended)
  }

  // MARK: - What if

  private var whatIf: [Section] {
    var blocks: [Document.Block] = changes.map { [.table($0)] } ?? []
    let others = [textOfIdle].compactMap { $0 } + textsOfObstacles
    if !others.isEmpty { blocks.append(.list(.init(items: others.map { .init($0) }))) }
    if predictions.predictions.isEmpty, hasHitches {
      blocks.append(.paragraph(.init(Self.nothingToChange), isInset: true))
    }
    return blocks.isEmpty ? [] : [Section(title: "Predicted changes", blocks: blocks)]
  }

  /// The message if there is nothing to try.
  private static let nothingToChange =
    "The recording contains nothing to change: no cells, images, data or snapshots of a list, and"
    + " no work in a hitch."

  /// The reason why nothing can be predicted, or `nil`.
  private var reasonForNothing: String? {
    predictions.error.map {
      "Nothing can be predicted: \(PredictionMessages.text(of: $0))"
    }
  }

  private var nextWithoutPrediction: NextStep {
    predictions.error == .notEvaluated
      ? RunSteps(words).nextWithoutData : RunSteps(words).command("analyze")
  }

  /// The changes that make a difference, or `nil` if there is none.
  private var changes: Document.Table? {
    let effective = predictions.predictions.filter { $0.obstacle == nil && alters($0) }
    guard !effective.isEmpty else { return nil }
    return table(effective).titled("Predicted changes, by removed hitch time")
  }

  /// The changes that make no difference, or `nil` if there is none or nothing to remove.
  private var textOfIdle: String? {
    let idle = predictions.predictions.filter { $0.obstacle == nil && !alters($0) }
    guard !idle.isEmpty, hasHitches || changes != nil else { return nil }
    return "No difference: \(idle.map { phrase($0.changes) }.joined(separator: "; "))"
  }

  /// The changes that are not predictable, each with the reason.
  private var textsOfObstacles: [String] {
    predictions.predictions.compactMap { prediction in
      prediction.obstacle.map {
        "Not predictable: \(phrase(prediction.changes)); \(PredictionMessages.text(of: $0))"
      }
    }
  }

  /// A Boolean value indicating whether there is hitch time to remove.
  private var hasHitches: Bool { (words.surface?.hitchTime ?? .zero) > .zero }

  /// Returns whether a prediction differs from the recording.
  private func alters(_ prediction: Prediction) -> Bool {
    prediction.removed != .zero
      || prediction.deadlineMisses != words.surface?.counts.deadlineMisses
  }

  /// The pairs that remove clearly more than the best single change.
  private var worthyPairs: [Prediction] {
    let best = predictions.predictions.filter { $0.ranges != nil }.map(\.removed).max() ?? .zero
    return predictions.combinations.filter { ($0.removed - best) * 20 >= $0.recordedHitchTime }
  }

  /// The pairs of changes, or `nil` if there is none.
  private var pairs: Document.Table? {
    let all = worthyPairs
    let shown = all.prefix(words.limits.pairs)
    guard !shown.isEmpty else { return nil }
    return table(Array(shown)).titled(
      "Two changes together, if clearly better than one",
      note: Quantity.more(all.count - shown.count, "pair").map { StyledText($0, .faint) })
  }

  private func table(_ rows: [Prediction]) -> Document.Table {
    var table = Document.Table([
      .init(title: "likely", alignment: .right),
      .init(title: "certain", alignment: .right, expendability: 1),
      .init(title: "hit rate", alignment: .right),
      .init(title: "change", isFlexible: true),
    ])
    for row in rows {
      guard let ranges = row.ranges else { continue }
      let role: TextRole =
        ranges.helps ? .good : ranges.likely.high <= .zero ? .late : .plain
      // Several changes are listed below each other.
      let names = row.changes.enumerated().map { ($0 > 0 ? "+ " : "") + phrase([$1]) }
      table.add([
        StyledText(PredictionMessages.text(of: ranges.likely), role),
        StyledText(PredictionMessages.text(of: ranges.certain)),
        StyledText(ranges.hitRate.map(PredictionMessages.text(ofHitRate:)) ?? "unknown"),
        StyledText(names.first ?? ""),
      ])
      for name in names.dropFirst() {
        table.add(Array(repeating: StyledText(), count: 3) + [StyledText(name)])
      }
    }
    return table
  }

  /// Returns the changes in words, with names made visible.
  private func phrase(_ changes: [ProposedChange]) -> String {
    words.sentence(changes.map(PredictionMessages.text(of:)).joined(separator: " and "))
  }

  // MARK: - Smooth at a rate

  /// Returns the title for a rate.
  private func title(of requirement: RequiredSpeedup) -> String {
    "Speedup required for zero hitch time at \(Quantity.rate(requirement.refreshInterval))"
      + " (\(Quantity.interval(requirement.refreshInterval)))"
  }

  /// Returns the facts about a required speedup.
  private func facts(of requirement: RequiredSpeedup) -> [Document.Fact] {
    let unchanged = requirement.unchanged
    let misses =
      unchanged.deadlineMisses.map { ", \(Quantity.count($0, "deadline")) missed" } ?? ""
    var facts: [Document.Fact] = [
      .init(
        "current",
        unchanged.hitchTime == .zero
          ? "no hitch\(misses)"
          : "\(Quantity.length(unchanged.hitchTime)) of hitch time, \(words.text(of: unchanged.ratio))\(misses)"
      )
    ]
    if unchanged.hitchTime > .zero { facts += prices(requirement) }
    return facts
  }

  /// Returns the required speedup of each kind of work, and the kinds for which none suffices.
  private func prices(_ requirement: RequiredSpeedup) -> [Document.Fact] {
    func name(_ part: RequiredSpeedup.Part, _ columns: Int) -> String {
      words.name(PredictionMessages.text(of: part.work), columns)
    }
    guard !requirement.parts.isEmpty else {
      return [.init("unknown", "the work in commits: no span covers it")]
    }
    var facts = requirement.parts.compactMap { part in
      part.percent.map { Document.Fact(name(part, 12), price($0)) }
    }
    let tooLittle = requirement.parts.filter { $0.percent == nil }.map { name($0, 40) }
    guard let all = requirement.percentOfAll else {
      let names =
        tooLittle.joined(separator: ", ") + (tooLittle.count > 1 ? ", even all together" : "")
      let left = requirement.remainingHitchTime
      let reason =
        left < requirement.unchanged.hitchTime
        ? "\(Quantity.length(left)) of hitch time remains"
        : "the cause is outside commits"
      return facts + [.init("not enough", "\(names): \(reason)")]
    }
    if requirement.parts.count > 1 { facts.append(.init("all together", price(all))) }
    if !tooLittle.isEmpty {
      let names =
        tooLittle.dropLast().joined(separator: ", ") + (tooLittle.count > 1 ? " or " : "")
        + (tooLittle.last ?? "")
      facts.append(.init("not enough", "\(names) alone"))
    }
    return facts
  }

  private func price(_ percent: Int) -> String {
    switch percent {
    case 0: "0% of its current time"
    case 100: "no change needed"
    default:
      "at most \(percent)% of its current time"
        + " (\(Quantity.fixed(100 / Double(percent), places: 1))× faster)"
    }
  }

  // MARK: - What is taken for granted

  private var assumptions: [Section] {
    let sentences = textsOfAssumptions
    guard !sentences.isEmpty else { return [] }
    return [
      Section(
        title: "Assumptions",
        blocks: [.list(.init(items: sentences.map { StyledText($0, .faint) }, style: .bullets))],
        isDetail: true)
    ]
  }

  /// The assumptions as sentences.
  private var textsOfAssumptions: [String] {
    var changes: [ProposedChange] = []
    let shown =
      predictions.predictions.filter { $0.ranges != nil && alters($0) } + worthyPairs
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
      sentences.append("Faster work changes nothing but its own duration.")
    }
    if !sentences.isEmpty { sentences.append(PredictionMessages.meaningOfRanges) }
    return sentences
  }

  /// The accuracy of the replay, and the first step.
  private var conclusion: [Section] {
    guard let outcome else { return [] }
    let next: [Document.Block] =
      outcome.next.map {
        [.next($0, label: outcome.word.text == Self.best ? Self.proof : "Next:")]
      } ?? []
    return [
      Section(
        title: "",
        blocks: [
          .paragraph(StyledText(outcome.trust, .faint), isInset: true),
          .statement(word: outcome.word, text: .init(outcome.text)),
        ] + next, scope: .brief, isConclusion: true)
    ]
  }

  /// The conclusion in parts, or `nil` if nothing was replayed.
  private var outcome: (word: StyledText, text: String, trust: String, next: NextStep?)? {
    guard let replayed = predictions.replayedHitchTime, let surface = words.surface,
      let recorded = surface.hitchTime
    else { return nil }
    let trust =
      "Predicted by replaying \(Quantity.count(surface.counts.total ?? 0, "frame")). The unchanged"
      + " replay has \(Quantity.length(replayed)) of hitch time, the recording"
      + " \(Quantity.length(recorded))."
    if let best = (predictions.predictions + worthyPairs).filter({ $0.ranges != nil })
      .max(by: { ($0.removed, $1.changes.count) < ($1.removed, $0.changes.count) }),
      best.removed > .zero, let ranges = best.ranges
    {
      let isSure = ranges.helps
      return (
        StyledText(isSure ? Self.best : Self.unsure, isSure ? .good : .near),
        "\(phrase(best.changes)): likely \(PredictionMessages.text(of: ranges.likely)) of"
          + " \(Quantity.length(recorded)) removed"
          + (isSure ? ", \(change(of: surface.ratio, to: best.ratio)) in the replay" : "")
          + doubt(about: best), trust,
        RunSteps(words).command("compare", operands: ["AFTER"])
      )
    }
    if recorded == .zero, let rated = words.rated, let reason = rated.reason {
      return (
        StyledText(RunMessages.word(for: rated.rating), RunMessages.role(of: rated.rating)),
        "no hitch is known; \(reason.text)", trust, nil
      )
    }
    return recorded == .zero
      ? (StyledText("SMOOTH", .good), "there is no hitch to remove", trust, nil)
      : (
        StyledText("NO GAIN", .near), "no tried change removes hitch time", trust,
        RunSteps(words).command("analyze")
      )
  }

  /// Why the rating of a prediction is not that of its ratio.
  private func doubt(about prediction: Prediction) -> String {
    let rated = prediction.rated(by: words.thresholds)
    return rated.reason.map { "; \(RunMessages.word(for: rated.rating)): \($0.text)" } ?? ""
  }

  /// `31.88 → 0.00 ms/s`.
  private func change(of before: HitchTimeRatio?, to after: HitchTimeRatio?) -> String {
    let (before, after) = (words.text(of: before), words.text(of: after))
    let unit = " ms/s"
    let isShared = before.hasSuffix(unit) && after.hasSuffix(unit)
    return "\(isShared ? String(before.dropLast(unit.count)) : before) → \(after)"
  }

  /// The words for the most effective change, if it is likely to help, and if it is not.
  private static let best = "BEST"
  private static let unsure = "NOT SURE"
  /// The way to verify a prediction.
  private static let proof = "Next: make this change, record the same scenario again, and compare:"
}
