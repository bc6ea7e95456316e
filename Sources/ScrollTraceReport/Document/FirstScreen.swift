import ScrollTraceAnalysis
import ScrollTraceModel

/// What a terminal shows of a run unless everything is asked for: how bad it is, why, and what to do.
struct FirstScreen {
  typealias Section = Document.Section

  /// The maximum number of lines of a run with hitches, and of a good one.
  static let lines = 32
  static let linesIfGood = 14
  private static let fixes = 3
  /// How many of them a page has room for above its graph, even on a phone.
  private static let fixesOfPage = 2
  /// The part of the hitch time from which a fix is large.
  private static let largeShare = 0.2
  private static let minimumShare = 0.05
  private static let minimumCauses = 3
  private static let maximumCauses = 5
  /// The columns that the rows of causes have for a name.
  private static let nameWidth = 33

  let messages: RunMessages

  var sections: [Section] {
    let opening = Section(blocks: [.opening(source: messages.shortSource, task: "")])
    var verdict = RunDocument.verdict(messages)
    if messages.surface?.hitchTime == nil, let text = messages.textOfLongestWork {
      verdict.append(.paragraph(StyledText(text)))
    }
    guard let surface = messages.surface, surface.isEvaluated else {
      let next = Document.Block.steps([.init(messages.steps.nextWithoutData, "")])
      return [opening, Section(blocks: verdict), Section(blocks: [next])]
    }
    if let other = messages.run.explainedSurface, other.surface != surface.surface {
      let screen = FirstScreen(
        messages: RunMessages(
          messages.run, surface: other, limits: messages.limits, anchor: messages.anchor))
      return [
        opening, Section(blocks: verdicts(with: screen.messages)),
        Section(blocks: screen.body(other), lineLimit: Self.lines),
      ]
    }
    let isGood = messages.rated?.rating == .good && surface.hitchesInMotion == 0
    let body = body(surface)
    return isGood
      ? [opening, Section(blocks: verdict + body, lineLimit: Self.linesIfGood)]
      : [opening, Section(blocks: verdict), Section(blocks: body, lineLimit: Self.lines)]
  }

  /// The verdict beside that of a worse surface, which comes first if people see it too.
  private func verdicts(with other: RunMessages) -> [Document.Block] {
    let before = RunDocument.beforeRating(messages)
    return other.isContent
      ? before + RunDocument.rating(messages, isNamed: false, messages.sentenceBeforeContent)
        + RunDocument.rating(other, isNamed: true, other.sentenceOnLateness(after: messages))
      : before + RunDocument.rating(other, isNamed: true, other.sentenceOnOwnLateness)
        + RunDocument.rating(messages, isNamed: true, messages.sentenceOnLateness(after: other))
  }

  private func body(_ surface: SurfaceAnalysis) -> [Document.Block] {
    why(surface) + graph + fix(room: Self.fixes) + next(surface)
  }

  /// The verdict, its causes and the first fixes, for a form whose other sections have the rest.
  var answer: Section {
    var blocks: [Document.Block] = [.paragraph(StyledText(messages.shortSource.facts, .faint))]
    blocks += RunDocument.verdict(messages)
    if let surface = messages.surface, surface.isEvaluated {
      blocks += why(surface) + fix(room: Self.fixesOfPage)
    }
    return Section(blocks: blocks, scope: .extended, part: .verdict)
  }

  // MARK: - Why

  /// The causes of at least a twentieth of the hitch time, or the first three, and the rest.
  private func why(_ surface: SurfaceAnalysis) -> [Document.Block] {
    guard surface.hitchesInMotion > 0, surface.hitchTime ?? .zero > .zero else { return [] }
    let known = surface.causes.filter { $0.kind != .unknown && $0.hitchTime > .zero }
    guard !known.isEmpty else {
      let text =
        labels(of: surface)
        ?? "\(HitchSections.unknownCauses) \(RecordingAdvice(of: messages.trace).seeWork)."
      return [.causes([.init(name: text, share: nil, remark: "")])]
    }
    let large = known.prefix(Self.maximumCauses)
      .prefix { surface.share(of: $0.hitchTime) >= Self.minimumShare }
    let shown = large.isEmpty ? known.prefix(Self.minimumCauses) : large
    let thread =
      messages.trace.otherThread(of: surface.surface).map { messages.name($0, 24) }
      ?? "the main thread"
    var rows = shown.map { cause in
      let place = if case .work = cause.kind { "on \(thread), " } else { "" }
      return Document.CauseBar(
        name: ownerName(of: cause.kind, among: shown)
          ?? messages.shortText(of: cause.kind, on: surface, width: Self.nameWidth),
        share: surface.share(of: cause.hitchTime),
        remark:
          "\(place)\(cause.hitchCount) of"
          + " \(Quantity.count(surface.hitchesInMotion, "hitch", "hitches"))")
    }
    let rest = 1 - rows.reduce(0) { $0 + ($1.share ?? 0) }
    if rest >= 0.005 { rows.append(.init(name: "other", share: rest, remark: "")) }
    return [.causes(rows)]
  }

  /// A wait by whom it was for, if others of `causes` differ from it only in that; else `nil`.
  private func ownerName(
    of kind: CauseSummary.Kind, among causes: ArraySlice<CauseSummary>
  ) -> String? {
    guard case .waiting(let wait) = kind, let owner = wait.owner else { return nil }
    let others = causes.compactMap { cause -> Wait? in
      guard case .waiting(let other) = cause.kind, other != wait, other.span == wait.span,
        other.kind == wait.kind
      else { return nil }
      return other
    }
    guard !others.isEmpty else { return nil }
    let isOnlyOfThread = others.allSatisfy { $0.owner?.thread != owner.thread }
    let name = isOnlyOfThread ? owner.thread : owner.work ?? owner.thread
    return "waiting for \(messages.name(name, 16)) ('\(messages.name(wait.span.name ?? "", 24))')"
  }

  /// What the source itself calls most hitches in motion and what to do, or `nil` if it says nothing.
  private func labels(of surface: SurfaceAnalysis) -> String? {
    // What follows a comma is how much of it, or what else.
    let labels = surface.hitches.filter { $0.lengthInMotion > .zero }.compactMap(\.sourceLabel)
    let common = Dictionary(grouping: labels) { $0.prefix { $0 != "," } }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(Self.minimumCauses)
    guard let first = common.first else { return nil }
    let texts = common.map { label, all in
      let isSame = all.allSatisfy { $0 == all.first }
      return "\(messages.name(isSame ? all[0] : String(label), 56)) in \(all.count) of"
        + " \(Quantity.count(surface.hitchesInMotion, "hitch", "hitches"))"
    }
    let advice =
      first.key.lowercased().includes("render")
      ? Self.renderLess : RecordingAdvice(of: messages.trace).seeWork
    return "The source says: \(texts.joined(separator: ", ")). \(advice)."
  }

  /// What to do about hitches that the source itself puts down to drawing, which no profile of the main thread shows.
  private static let renderLess =
    "Draw less, above all offscreen: fewer shadows without a path, masks, clipped corners and blurs"

  // MARK: - Graph

  private var graph: [Document.Block] {
    guard var graph = messages.graph else { return [] }
    graph.title = FrameSeries.title(of: graph.series.kind)
    graph.explanation = ""
    graph.hasAllLanes = false
    return [.graph(graph)]
  }

  // MARK: - Fix

  /// The first findings: what to do, what it is worth, and the command that shows it. Where there is room only for
  /// `room`, large ones are shown too.
  private func fix(room: Int) -> [Document.Block] {
    let texts = FindingText(of: messages.trace, isRounded: true) { messages.name($0) }
    let findings = messages.run.distinctFindings.prefix(Self.fixes).map(\.finding)
    let shares = findings.map { finding in
      let time = finding.removable ?? finding.measures.hitchTime
      return Double(time.nanoseconds) / Double(max(1, finding.whole?.nanoseconds ?? .max))
    }
    let fixes = zip(findings, shares.indices).map { finding, index in
      Document.Fix(
        text: sentence(finding.words.title, texts) + " "
          + Self.firstSentence(of: texts.fix(of: finding)),
        worth: (texts.worth(of: finding)
          ?? finding.words.evidence.first.map { sentence($0, texts) })
          .map { $0 + surfaceSentence(of: finding) } ?? "",
        step: messages.steps.step(showing: finding),
        isLarge: shares[index] >= Self.largeShare
          && shares[..<index].allSatisfy { $0 < 1 - Self.largeShare })
    }
    let shown = fixes.prefix(max(room, (fixes.lastIndex(where: \.isLarge) ?? 0) + 1))
    return shown.isEmpty ? [] : [.fixes(Array(shown))]
  }

  /// The surface of a finding as a sentence, if it is another one than the verdict and the causes are of.
  private func surfaceSentence(of finding: Finding) -> String {
    guard case .surface(let name) = finding.subject, name != messages.surface?.name else {
      return ""
    }
    return " That is of '\(messages.name(name))'."
  }

  /// A phrase as a sentence; a name at its start stays as it is.
  private func sentence(_ phrase: Phrase, _ texts: FindingText) -> String {
    let text = texts.text(of: phrase)
    if case .words = phrase.parts.first { return RunMessages.capitalized(text) + "." }
    return text + "."
  }

  /// The text up to its first period that ends a sentence.
  static func firstSentence(of text: String) -> String {
    var rest = text[...]
    while let period = rest.firstIndex(of: ".") {
      let next = text.index(after: period)
      guard next < text.endIndex else { return text }
      let after = text[next...].drop { $0 == " " }
      if text[next] == " ", after.first?.isUppercase == true { return String(text[...period]) }
      rest = text[next...]
    }
    return text
  }

  // MARK: - Next

  private func next(_ surface: SurfaceAnalysis) -> [Document.Block] {
    let steps = messages.steps
    var shown: [Document.Step] = []
    if let step = steps.next(surface) {
      let frame = steps.nextHitch(surface).map { next in
        let length = next.surface.hitches.first { $0.frame == next.frame }?.length
        return (next.isWorst ? "the worst frame" : "the frame of the first fix")
          + (length.map { ", \(Quantity.rounded($0))" } ?? "")
      }
      let remark =
        if case .command(let arguments, _) = step {
          arguments.contains("--frame")
            ? frame ?? "" : arguments.contains("baseline") ? "a baseline for the gate" : ""
        } else { "" }
      shown.append(.init(step, remark))
    }
    shown.append(
      .init(steps.command("analyze", ["--full"]), "frames, work, interactions, lists"))
    return [.steps(shown)]
  }
}
