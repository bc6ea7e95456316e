import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

/// The document on a gate: its limits, the results, and the main cause.
struct GateDocument {
  typealias Section = Document.Section

  /// The maximum number of listed traces, reasons and notes.
  private static let sourceLimit = 3
  private static let reasonLimit = 20
  private static let sentenceLimit = 2

  private let report: Report
  private let verdict: Verdict
  private let runs: RunMessagesList

  init(_ report: Report, _ runs: RunMessagesList) {
    self.report = report
    verdict = report.verdict
    self.runs = runs
  }

  /// The verdict with its reasons, and in long forms the runs.
  func sections(isLong: Bool) -> [Section] {
    guard isLong else { return brief }
    guard !runs.isEmpty else { return brief + extendedVerdicts }
    let runSections: [Section] =
      runs.count == 1
      ? runs.flatMap(RunDocument.whole).filter { $0.scope != .brief }.map(\.extended)
      : [Section(blocks: [.table(RunDocument.table(runs))], scope: .extended)]
        + RunDocument.folded(runs)
    return brief + extendedVerdicts + runSections
  }

  // MARK: - Short forms

  private var brief: [Section] {
    // A warning has a line of its own: a verdict is read at a glance.
    let hasReasons = !verdict.reasons.isEmpty
    let reasons = hasReasons ? verdict.reasons : verdict.sentences
    let warnings: [Document.Block] = (hasReasons ? verdict.warnings : []).map {
      .paragraph(StyledText(VerdictMessages.shown("warning: " + $0), .near))
    }
    let conclusion = Section(
      blocks: [
        .statement(
          word: VerdictMessages.styled(verdict.status),
          text: .init(reasons.map(VerdictMessages.shown).joined(separator: "; ")))
      ] + warnings,
      scope: .brief, isConclusion: true)
    return [
      Section(blocks: [.opening(source: nil, task: "")], scope: .brief), conclusion, sources,
      Section(blocks: limits.blocks, scope: .brief), Section(blocks: cause, scope: .brief),
      Section(blocks: Document.List(items: notes).blocks, scope: .brief),
    ]
  }

  private var sources: Section {
    let more = Quantity.more(runs.count - Self.sourceLimit)
    return Section(
      blocks: runs.prefix(Self.sourceLimit).map { .source($0.source) }
        + (more.map { [.paragraph(StyledText($0, .faint), isInset: true)] } ?? []),
      scope: .brief)
  }

  /// A row for each limit: the value, the limit, the result; `nil` if there are no results.
  private var limits: Document.Table? {
    guard !verdict.results.isEmpty, let first = runs.first else { return nil }
    var table = Document.Table([
      .flexible("metric", minimum: 24), .number("value"), .number("limit"),
      .number("runs", expendability: 1), "result",
    ])
    let blank = [StyledText](repeating: StyledText(), count: table.columns.count)
    var subject = ""
    for result in verdict.results {
      if result.subject != subject {
        subject = result.subject
        let name = subject.isEmpty ? "primary surface" : first.name(subject, 120)
        table.add([StyledText(name, .faint)] + blank.dropLast())
      }
      table.add(
        VerdictMessages.clipped(result.label), VerdictMessages.value(of: result),
        VerdictMessages.limit(of: result, hasTolerance: false), "\(result.runs)", answer(result))
      for (title, cell) in details(of: result) {
        table.add([StyledText("  " + title, .faint), StyledText(cell, .faint)] + blank.dropLast(2))
      }
    }
    let reducer = runs.count > 1 ? " (median of \(Quantity.count(runs.count, "run")))" : ""
    return table.titled("Limits\(reducer)")
  }

  /// The details of the value in separate columns: the range of the runs, and the part in motion.
  private func details(of result: LimitResult) -> [(title: String, cell: String)] {
    var details: [(title: String, cell: String)] = []
    if let range = result.range, range.lowerBound < range.upperBound {
      details.append(("range", GateNumber.text(range, unit: result.unit)))
    }
    if let value = result.valueInMotion {
      details.append(("in motion", GateNumber.text(value, unit: result.unit)))
    }
    return details
  }

  private func answer(_ result: LimitResult) -> StyledText {
    let word = VerdictMessages.word(for: result.status).lowercased()
    let role = VerdictMessages.role(of: result.status)
    let isWarning = result.level == .warn && result.status != .passed
    return isWarning
      ? StyledText(result.status == .failed ? "warn" : "warn: \(word)", .near)
      : StyledText(word, role)
  }

  /// The main cause of the worst run's hitch time; empty if every limit is met.
  private var cause: [Document.Block] {
    guard verdict.results.contains(where: { $0.status != .passed }),
      let (run, surface, cause) = report.mainCause
    else { return [] }
    let worst = RunMessages(run)
    let name = runs.count > 1 ? " of the worst run, \(worst.steps.pathArgument)" : ""
    let isOther = surface.surface != run.evaluatedPrimarySurface?.surface
    let place = isOther ? " in '\(VerdictMessages.clipped(surface.name))'" : ""
    let text = "Main cause\(place)\(name): \(worst.sentence(on: cause, of: surface))"
    let flags = isOther ? worst.steps.surfaceArguments(surface) : []
    return [.paragraph(.init(text)), .next(worst.steps.command("analyze", flags))]
  }

  /// The notes that are not among the verdict's sentences; groups of runs can have one in common.
  private var notes: [StyledText] {
    var known = Set(verdict.reasons + verdict.warnings)
    return report.gateNotes.filter { known.insert($0.text).inserted }.map(Self.text)
  }

  // MARK: - Long forms

  /// The verdict with its first reasons, each group in a line, and the limits with the notes.
  private var extendedVerdicts: [Section] {
    let statement = Document.Block.statement(
      word: VerdictMessages.styled(verdict.status), text: .init(firstSentences)
    )
    let reasons = verdict.groups.isEmpty ? verdict.sentences.dropFirst(Self.sentenceLimit) : []
    let list = Document.List(
      items: reasons.prefix(Self.reasonLimit).map { StyledText(VerdictMessages.shown($0)) },
      style: .bullets, note: Quantity.more(reasons.count - Self.reasonLimit))
    let details =
      list.blocks + results.blocks
      + notes.prefix(Self.reasonLimit).map { Document.Block.paragraph($0) }
    return [
      Section(blocks: [statement], scope: .extended, part: .gate),
      Section(title: "Groups", blocks: groups.blocks, scope: .extended, part: .gate),
      Section(
        title: "Limits", blocks: details, scope: .extended, isDetail: true,
        part: verdict.groups.isEmpty ? .limits : .other),
    ]
  }

  /// A row for each group of runs, or `nil` if there is only one.
  private var groups: Document.Table? {
    guard !verdict.groups.isEmpty else { return nil }
    var table = Document.Table(
      "Groups",
      ["result", "group", .number("runs"), .flexible("reason")])
    for group in verdict.groups {
      let more = Quantity.more(group.reasons.count - 1).map { "; \($0)" } ?? ""
      let prefix = group.name + ": "
      let first = group.reasons.first ?? ""
      let reason = first.hasPrefix(prefix) ? String(first.dropFirst(prefix.count)) : first
      table.add(
        VerdictMessages.styled(group.status),
        VerdictMessages.shown(group.name), "\(group.runs)", VerdictMessages.shown(reason + more))
    }
    return table
  }

  /// A row for the limits of each metric and for each regression; the reason where the numbers do not
  /// say it, each shared one once.
  private var results: Document.Table? {
    guard !verdict.results.isEmpty else { return nil }
    var table = Document.Table([
      "result", "metric", .number("value"), "limit", "difference", .number("runs"),
      .flexible("reason"),
    ])
    let reasons = JointResult.all(verdict.results).reduce(into: [:]) { $0[$1.index] = $1.reason }
    var rows: [[(index: Int, result: LimitResult)]] = []
    for (index, result) in verdict.results.enumerated() {
      let row = rows.firstIndex { row in
        let other = row[0].result
        return !result.isRegression && !other.isRegression
          && (other.metric, other.subject, other.value) == (
            result.metric, result.subject, result.value
          )
      }
      if let row { rows[row].append((index, result)) } else { rows.append([(index, result)]) }
    }
    for row in rows {
      let broken = row.filter { $0.result.status != .passed }
      let deciding = broken.first { $0.result.level == .error } ?? broken.first ?? row[0]
      let result = deciding.result
      let level = result.level == .error || broken.isEmpty ? "" : " (\(result.level.rawValue))"
      let limits = row.map { _, result in
        VerdictMessages.limit(of: result)
          + (row.count > 1 && result.level == .warn ? " (warn)" : "")
      }
      let isClear = !result.isRegression && [.passed, .failed].contains(result.status)
      table.add(
        VerdictMessages.styled(result.status).appending(level),
        VerdictMessages.shown(VerdictMessages.name(of: result)), VerdictMessages.value(of: result),
        limits.joined(separator: ", "), VerdictMessages.interval(of: result), "\(result.runs)",
        isClear ? "" : VerdictMessages.shown(reasons[deciding.index] ?? ""))
    }
    return table.titled("Limits")
  }

  // MARK: - Pieces

  private static func text(of note: VerdictNote) -> StyledText {
    StyledText(
      VerdictMessages.shown("\(note.level.rawValue): \(note.text)"),
      note.level == .note ? .faint : .near)
  }

  /// The first sentences, and how many others there are.
  private var firstSentences: String {
    let sentences = verdict.sentences
    let more = Quantity.more(sentences.count - Self.sentenceLimit).map { [$0] } ?? []
    return (sentences.prefix(Self.sentenceLimit).map(VerdictMessages.shown) + more)
      .joined(separator: "; ")
  }
}

extension Document.Section {
  /// The section for long forms alone.
  fileprivate var extended: Document.Section {
    var section = self
    section.scope = .extended
    return section
  }
}
