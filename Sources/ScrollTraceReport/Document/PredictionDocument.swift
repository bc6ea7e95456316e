import ScrollTraceAnalysis
import ScrollTraceModel

/// The document on the hitch time that one run loses without each of its causes.
struct PredictionDocument {
  typealias Section = Document.Section

  private let messages: RunMessages
  private let report: PredictionReport
  private let texts: FindingText

  init(_ messages: RunMessages, _ report: PredictionReport) {
    self.messages = messages
    self.report = report
    texts = FindingText(of: messages.trace) { messages.name($0) }
  }

  var sections: [Section] {
    let opening = [RunDocument.opening(messages), extendedOpening]
    guard report.surface?.hitchTime != nil else {
      return opening + [
        Section(
          blocks: [
            .paragraph(.init(Self.nothing)), .next(messages.steps.nextWithoutData),
          ],
          scope: .brief)
      ]
    }
    return opening + removableHitchTime
      + report.requiredSpeedups.map {
        Section(title: title(of: $0), blocks: [.facts(facts(of: $0))])
      } + conclusion
  }

  private static let nothing = "No frame could be evaluated, so nothing can be predicted."

  private var extendedOpening: Section {
    var blocks: [Document.Block] = []
    if let outcome {
      blocks.append(.statement(word: outcome.word, text: .init(outcome.text)))
    } else {
      blocks.append(.statement(word: messages.noDataWord, text: .init(Self.nothing)))
    }
    blocks.append(.source(messages.source))
    if let surface = messages.surface, surface.isEvaluated {
      blocks.append(.paragraph("Recorded: \(messages.verdictSentence)"))
    }
    return Section(blocks: blocks, scope: .extended)
  }

  // MARK: - Removable hitch time

  private var removableHitchTime: [Section] {
    let going = report.predictions.filter { $0.reason == nil }
    // What is hardly a cause needs no row, and no reason, unless it is the largest or was asked for.
    let removable = going.filter {
      $0.subject == going.first?.subject || $0.speedup != nil
        || $0.upTo.nanoseconds >= $0.whole.nanoseconds / 50
    }.prefix(messages.limits.pairs * 2)
    let stuck = report.predictions.filter {
      $0.reason != nil && ($0.attributed ?? $0.whole).nanoseconds >= $0.whole.nanoseconds / 20
    }
    var blocks: [Document.Block] = []
    if !removable.isEmpty { blocks.append(.table(table(removable))) }
    let remarks = (pairs(of: removable) + stuck.map(sentence)).map { StyledText($0) }
    blocks += Document.List(items: remarks).blocks
    if blocks.isEmpty {
      blocks.append(.paragraph("There is no hitch time in motion to remove."))
    } else {
      blocks.append(.paragraph(StyledText(Self.meaning, .faint), isInset: true))
    }
    return [Section(title: "Removable hitch time", blocks: blocks)]
  }

  private static let meaning =
    "The recorded hitches, evaluated again without the time of the cause: the most that moving,"
    + " shortening or avoiding it can remove."

  private func table(_ rows: some Sequence<Prediction>) -> Document.Table {
    var table = Document.Table([.number("up to"), .number("of"), .flexible("without")])
    for row in rows {
      let role: TextRole = row.upTo > .zero ? .good : .plain
      table.add(
        StyledText(Quantity.length(row.upTo), role), Quantity.length(row.whole), text(of: row))
    }
    return table.titled("Removable hitch time, largest first")
  }

  /// The hitch time removed without two causes of the same frames, each pair once, largest first.
  private func pairs(of rows: some Sequence<Prediction>) -> [String] {
    var known: Set<Set<RemovableCause>> = []
    var pairs: [(together: TimeSpan, text: String)] = []
    for row in rows {
      guard case .removable(let cause) = row.subject, let pair = row.with.first,
        known.insert([cause, pair.cause]).inserted
      else { continue }
      let together = "\(Quantity.length(pair.together)) of \(Quantity.length(row.whole))"
      pairs.append(
        (pair.together, "\(text(of: cause)) and \(text(of: pair.cause)) together: \(together)"))
    }
    return pairs.stablySorted { $0.together > $1.together }.map(\.text)
  }

  private func text(of prediction: Prediction) -> String {
    let cause =
      switch prediction.subject {
      case .removable(let cause): text(of: cause)
      case .other(let kind): messages.text(of: kind)
      }
    return cause
      + (prediction.speedup.map { ", \(Quantity.fixed($0, decimals: 1)) times as fast" } ?? "")
  }

  private func text(of cause: RemovableCause) -> String {
    switch cause {
    case .work(let work), .whole(let work):
      messages.text(ofWork: work.category, work.name ?? "")
    case .item(let work, let item):
      "\(messages.text(ofWork: work.category, work.name ?? "")) for item \(messages.name(item, 24))"
    case .wait, .unrecorded: texts.text(of: cause.phrase)
    }
  }

  private func sentence(on prediction: Prediction) -> String {
    switch prediction.reason {
    case .notOfTheApp: "\(text(of: prediction)): no change of the main thread's work removes this"
    case .staysLate, nil:
      "\(text(of: prediction)): \(prediction.speedup == nil ? "without it, the" : "the") same frames"
        + " are still late"
    }
  }

  // MARK: - Another rate

  private func isRecorded(_ requirement: RequiredSpeedup) -> Bool {
    report.isAtRecordedRates && requirement.refreshInterval == report.surface?.refreshInterval
  }

  private func title(of requirement: RequiredSpeedup) -> String {
    let title = "Speedup required for zero hitch time at"
    let rates = Set((report.surface?.usualIntervals ?? []).map(Quantity.rate))
    if rates.count > 1, isRecorded(requirement) { return "\(title) the recorded rates" }
    return "\(title) \(Quantity.rate(requirement.refreshInterval))"
      + " (\(Quantity.interval(requirement.refreshInterval)))"
  }

  private func facts(of requirement: RequiredSpeedup) -> [Document.Fact] {
    let others = (report.surface?.hitchTime ?? .zero) - requirement.hitchTime
    let beside =
      isRecorded(requirement) && others > .zero
      ? [
        Document.Fact(
          "beside", "\(Quantity.length(others)) of hitches that are not of late commits")
      ]
      : []
    guard requirement.hitchTime > .zero else {
      return [.init("now", "no commit is late")] + beside
    }
    var facts: [Document.Fact] = [
      .init(
        "now",
        "\(Quantity.count(requirement.lateCommits, "late commit")),"
          + " \(Quantity.length(requirement.hitchTime)) of hitch time")
    ]
    func name(_ part: RequiredSpeedup.Part) -> String {
      messages.name(Messages.text(of: WorkName(category: part.category, name: part.name)), 12)
    }
    facts += requirement.parts.compactMap { part in
      part.percent.map { .init(name(part), Self.price($0)) }
    }
    if let all = requirement.percentOfAll {
      if requirement.parts.count > 1 { facts.append(.init("all together", Self.price(all))) }
    } else {
      facts.append(
        .init(
          "not enough",
          "all work together: \(Quantity.length(requirement.remainingHitchTime)) of hitch time"
            + " remains"))
    }
    return facts + beside
  }

  private static func price(_ percent: Int) -> String {
    switch percent {
    case 0: "none of its time"
    case 100: "no change needed"
    default:
      "at most \(percent)% of its time"
        + " (\(Quantity.fixed(100 / Double(percent), decimals: percent > 95 ? 2 : 1)) times as fast)"
    }
  }

  // MARK: - Conclusion

  private var conclusion: [Section] {
    guard let outcome else { return [] }
    let next: [Document.Block] =
      outcome.next.map { [.next($0, label: outcome.label)] } ?? []
    return [
      Section(
        blocks: [.statement(word: outcome.word, text: .init(outcome.text))] + next,
        scope: .brief, isConclusion: true)
    ]
  }

  private static let proof = "Next: make this change, record the same scenario again, and compare:"

  /// The conclusion in parts, or `nil` if nothing was evaluated.
  private var outcome: (word: StyledText, text: String, next: NextStep?, label: String)? {
    guard let whole = report.surface?.hitchTime else { return nil }
    if let largest = report.predictions.first, largest.upTo > .zero {
      let part =
        largest.upTo == whole
        ? "all \(Quantity.length(whole)) of hitch time"
        : "\(Quantity.length(largest.upTo)) of \(Quantity.length(whole))"
      // Nobody can change work that is not known, but samples may know it.
      let recording = RecordingAdvice(of: messages.trace).seeWork
      let advice: NextStep? =
        if case .removable(.unrecorded) = largest.subject {
          messages.run.samples == nil
            ? NextStep.advice(recording.prefix(1).lowercased() + recording.dropFirst())
            : messages.steps.command("analyze", ["--full"])
        } else { nil }
      let other = report.predictions.first {
        $0.reason == .notOfTheApp && ($0.attributed ?? .zero) * 2 > whole
      }
      return (
        StyledText("LARGEST", .good),
        "\(largest.speedup == nil ? "without" : "with") \(text(of: largest)), up to"
          + " \(part) is removed"
          + (other.map {
            "; \(Quantity.length($0.attributed ?? .zero)) has another cause: \(text(of: $0))"
          } ?? ""),
        advice
          ?? (other == nil
            ? messages.steps.command("compare", operands: ["AFTER"])
            : messages.steps.command("analyze")),
        advice == nil && other == nil ? Self.proof : "Next:"
      )
    }
    if whole == .zero, let rated = messages.rated, let reason = rated.reason {
      return (
        StyledText(RunMessages.word(for: rated.rating), RunMessages.role(of: rated.rating)),
        "no hitch is known; \(reason.text)", nil, ""
      )
    }
    return whole == .zero
      ? (StyledText("SMOOTH", .good), "there is no hitch time to remove", nil, "")
      : (
        StyledText("NONE", .near),
        report.predictions.contains { $0.speedup != nil }
          ? "that is not enough: the same frames are still late"
          : "no change of the main thread's work removes this hitch time",
        messages.steps.command("analyze"), "Next:"
      )
  }
}
