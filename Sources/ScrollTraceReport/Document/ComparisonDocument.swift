import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

/// The document on the differences between two sides.
struct ComparisonDocument {
  typealias Section = Document.Section

  private static let moveLimit = 3
  private static let runLimit = 12
  private static let firstScreenRows = 3

  private let comparison: Comparison
  private let verdict: Verdict
  private let limits: RowLimits
  private let base: RunMessages
  private let new: RunMessages

  /// The sections of what a terminal shows unless everything is asked for, or of all.
  static func sections(
    _ comparison: Comparison, _ verdict: Verdict, limits: RowLimits, isFirstScreen: Bool
  ) -> [Section] {
    var limits = limits
    if isFirstScreen { (limits.differences, limits.findings) = (firstScreenRows, firstScreenRows) }
    func messages(_ side: ComparisonSide) -> RunMessages? {
      side.shown.map { RunMessages($0, surface: side.shownSurface, limits: limits) }
    }
    guard let base = messages(comparison.base), let new = messages(comparison.new) else {
      return [Section(blocks: [.notMeasurable("a side of the comparison has no run")])]
    }
    let document = ComparisonDocument(
      comparison: comparison, verdict: verdict, limits: limits, base: base, new: new)
    return isFirstScreen ? document.firstScreen : document.sections
  }

  private var sections: [Section] {
    let numbers = ComparisonTables(comparison, base: base, new: new)
    func section(_ title: String, _ blocks: [Document.Block]) -> Section {
      Section(title: title, blocks: blocks, isDetail: !title.isEmpty && title != "Frames")
    }
    let note = numbers.note.map { Document.Block.paragraph(StyledText($0, .faint), isInset: true) }
    return [
      opening, Section(blocks: answer, scope: .brief), briefSides, extendedOpening,
      section("", notes),
    ] + graphs(isExplained: true) + method + [
      section("Frames", numbers.frames.blocks),
      section("Work", numbers.work.blocks),
      section("Work by category", categories.blocks + Document.List(items: textsOfMoved).blocks),
      section("Causes", causes.blocks),
      section("Findings", FindingDifference(comparison: comparison, base: base, new: new).blocks),
      section("Stacks", StackDifference(comparison: comparison, messages: base).blocks),
    ] + numbers.lists.map { section("Lists", [.table($0)]) } + [
      section("", [note].compactMap(\.self)),
      Section(blocks: [.next(new.steps.command("analyze"))], scope: .brief),
    ]
  }

  /// The outcome, both sides, the largest differences and both graphs.
  private var firstScreen: [Section] {
    let more = Document.Block.paragraph(
      StyledText("Add --full for frames, work, causes, findings, stacks and lists.", .faint))
    return [opening, Section(blocks: answer), Section(blocks: sides + notes)]
      + [Section(blocks: differences)] + graphs(isExplained: false)
      + [Section(blocks: [.steps([.init(new.steps.command("analyze"), "the new side")]), more])]
  }

  /// The causes of hitches that differ most, or the main-thread work if no cause does, each in a sentence.
  static func changes(_ comparison: Comparison, in messages: RunMessages) -> [String] {
    func change(_ value: ComparedValue) -> String {
      [value.base, value.new].map { Quantity.value($0, in: messages.thresholds) }
        .joined(separator: " → ")
    }
    let causes = comparison.causes.filter { !$0.hitchTime.isSame }
    if causes.isEmpty {
      let work = comparison.categories.filter { !$0.main.isSame }
      return work.prefix(firstScreenRows).map { row in
        let name = row.category.map { messages.name(messages.label($0), 30) } ?? ""
        return "\(name.isEmpty ? "(no category)" : name), \(change(row.main)) on the main thread"
      }
    }
    return causes.prefix(firstScreenRows).map { cause in
      let hitches = cause.hitches.isSame ? "" : " in \(change(cause.hitches)) hitches"
      let name = cause.kind.map(messages.text) ?? "unknown"
      return "\(name), \(change(cause.hitchTime)) of hitch time" + hitches
    }
  }

  /// The causes of hitches that differ, or the work if neither side has hitches, and the findings.
  private var differences: [Document.Block] {
    var work = causes.blocks
    if work.isEmpty { work = StackDifference(comparison: comparison, messages: base).tables }
    if work.isEmpty { work = categories.blocks }
    return work + FindingDifference(comparison: comparison, base: base, new: new).blocks
  }

  // MARK: - Opening

  private var opening: Section {
    let runs = Quantity.count(comparison.base.runs.count, "run")
    let task =
      comparison.isOfSingleRuns
      ? "one run per side" : "medians of \(runs) of base, \(comparison.new.runs.count) of new"
    return Section(blocks: [.opening(source: nil, task: task)], scope: .brief)
  }

  /// The outcome and what it rests on.
  private var answer: [Document.Block] {
    [.statement(word: outcome.word, text: .init(outcome.text))]
      + (caution.isEmpty ? [] : [.paragraph(StyledText(caution, .faint))])
  }

  private var notes: [Document.Block] {
    let notes = comparison.notes.map {
      StyledText("note: \(base.sentence(Messages.text(of: $0)))", .near)
    }
    return Document.List(items: notes, style: .remarks).blocks
  }

  private var briefSides: Section {
    var blocks =
      comparison.isOfSingleRuns
      ? sides : [.table(tableOfRuns.titled("", note: tableOfRuns.note))]
    if let surface = base.surface {
      let rates = surface.refreshIntervals.prefix(4).map { Quantity.rate($0.refreshInterval) }
      let rate = rates.isEmpty ? "" : "; \(rates.joined(separator: ", "))"
      let label = surface.name.isEmpty ? "frames" : base.name(surface.name)
      blocks.append(
        .paragraph("\(label): evaluated against \(base.wording.text(of: surface.basis))\(rate)"))
    }
    return Section(blocks: blocks, scope: .brief)
  }

  private var extendedOpening: Section {
    Section(
      blocks: answer + (comparison.isOfSingleRuns ? sides : [.table(tableOfRuns)]),
      scope: .extended)
  }

  private var method: [Section] {
    guard let surface = base.surface else { return [] }
    let text = StyledText(base.textOfBasis(surface), .faint)
    return [Section(blocks: [.paragraph(text)], scope: .extended)]
  }

  private var sides: [Document.Block] {
    [("base", base), ("new", new)].map { label, messages in
      let headline = headline(of: messages)
      return .side(
        label: label, word: headline.word, text: .init(headline.text), source: messages.source)
    }
  }

  private func headline(of messages: RunMessages) -> (word: StyledText, text: String) {
    guard let surface = messages.surface, surface.isEvaluated else {
      let reason =
        messages.surface == nil && messages.run.isEvaluated
        ? comparison.surface.map { "no surface '\(base.name($0))'" } : nil
      return (messages.noDataWord, reason ?? messages.headline.text.text)
    }
    return (messages.headline.word, messages.verdictSentence)
  }

  private var tableOfRuns: Document.Table {
    var table = Document.Table([
      "", .init(title: "run", isFlexible: true, isPath: true), .number("ratio"),
      .init(title: "rating", expendability: 1), .number("hitches"),
      .number("hitch time", expendability: 2), .number("missed", expendability: 3), "",
    ])
    var hidden: [String] = []
    for (label, side) in [("base", comparison.base), ("new", comparison.new)] {
      for (index, run) in side.runs.enumerated() {
        guard index < Self.runLimit || index == side.shownIndex else { continue }
        let messages = RunMessages(run, surface: side.surfaces[index], limits: limits)
        let surface = side.surfaces[index]
        table.add(
          StyledText(label, .strong), messages.nameEnding(Self.fileName(run), 80),
          messages.text(of: surface?.ratio), RunMessages.cell(messages.rated?.rating),
          surface?.knownHitchesInMotion.map { "\($0)" } ?? "",
          surface?.hitchTime.map(Quantity.length) ?? "",
          surface?.counts.deadlineMisses.map { "\($0)" } ?? "",
          StyledText(index == side.shownIndex ? "shown" : "", .faint))
      }
      let more = side.runs.count - Self.runLimit
      if more > 0 { hidden.append("and \(more) more of \(label)") }
    }
    return table.titled(
      "Runs (medians are compared)",
      note: hidden.isEmpty ? nil : StyledText(hidden.joined(separator: ", ")))
  }

  /// The last component of a run's path, which distinguishes the runs of a side.
  private static func fileName(_ run: Analysis) -> String {
    let name = run.trace.source.path.fileName
    return name.isEmpty ? "(no file)" : name
  }

  // MARK: - Graphs

  /// The frames of both sides on the same time axis and scale (S-9).
  private func graphs(isExplained: Bool) -> [Section] {
    let sides = [("base", base), ("new", new)].map { label, messages in
      (
        label: label, messages: messages,
        series: messages.surface.flatMap { FrameSeries($0, in: messages.trace) }
      )
    }
    let drawn = sides.compactMap(\.series)
    guard let first = drawn.first else { return [] }
    let isOfOneKind = drawn.allSatisfy {
      $0.kind == first.kind && ($0.kind != .frameSpacing || $0.unit == first.unit)
    }
    let scale = isOfOneKind ? FrameScale(drawn) : nil
    let ranges = axes
    let blocks = sides.enumerated().map { index, side -> Document.Block in
      guard let series = side.series else {
        return .heading("\(side.label): nothing can be drawn to scale")
      }
      let kind =
        isOfOneKind && isExplained ? "" : ": \(FrameSeries.title(of: series.kind).lowercased())"
      var graph = side.messages.graph(of: series, in: index == 0 ? ranges.base : ranges.new)
      graph.title = side.label + kind
      graph.scale = scale
      graph.hasAxis = index == 1 || sides[1].series == nil
      return .graph(graph)
    }
    var section = Section(
      title: "\(FrameSeries.title(of: first.kind)), base and new", blocks: blocks)
    if isExplained {
      let note = explanation(
        of: first, hasBlanks: sides.contains { !$0.messages.blanks.isEmpty },
        hasOneScale: isOfOneKind)
      section.blocks.insert(.paragraph(StyledText(note, .faint)), at: 0)
    }
    return [section]
  }

  private func explanation(
    of series: FrameSeries, hasBlanks: Bool, hasOneScale: Bool
  ) -> String {
    let scale = hasOneScale ? "scale and time axis" : "time axis"
    let sentences = [
      series.explanation(hasBlanks: hasBlanks), "Both graphs have the same \(scale).",
      comparison.isOfSingleRuns ? nil : "Each side shows its run with the median ratio.", shift,
    ]
    return sentences.compactMap(\.self).joined(separator: " ")
  }

  /// The displayed range of each trace. Both are equally long, and their first interactions start
  /// at the same position.
  private var axes: (base: TimeRange, new: TimeRange) {
    let begins = begins
    let length = max(
      base.trace.range.end - begins.base, new.trace.range.end - begins.new, .zero)
    return (
      TimeRange(start: begins.base, end: begins.base + length),
      TimeRange(start: begins.new, end: begins.new + length)
    )
  }

  private var begins: (base: Timestamp, new: Timestamp) {
    let (baseBegin, newBegin) = (base.trace.range.start, new.trace.range.start)
    guard let baseLead = lead(base), let newLead = lead(new) else { return (baseBegin, newBegin) }
    let lead = min(baseLead, newLead)
    return (baseBegin + (baseLead - lead), newBegin + (newLead - lead))
  }

  /// The side that is not displayed from its start, or `nil` if this is not visible.
  private var shift: String? {
    let begins = begins
    let skipped = [
      ("Base", begins.base - base.trace.range.start), ("New", begins.new - new.trace.range.start),
    ]
    return skipped.first { $0.1 >= .milliseconds(10) }.map {
      "\($0.0) starts at \(Quantity.instant($0.1)), so that both start moving at the same position."
    }
  }

  /// The time before the first interaction, or `nil` if there is none.
  private func lead(_ messages: RunMessages) -> TimeSpan? {
    messages.surface?.interactions.first.map { $0.range.start - messages.trace.range.start }
  }

  // MARK: - Work and causes

  private var textsOfMoved: [StyledText] {
    comparison.movedWork.prefix(Self.moveLimit).map { work in
      let main = Quantity.length(work.main.magnitude)
      let background = Quantity.length(work.background.magnitude)
      let (verb, change) =
        work.main < .zero
        ? ("left the main thread", "more in the background")
        : ("came to the main thread", "less in the background")
      return StyledText("\(main) of \(label(work.category)) \(verb); \(background) \(change)")
    }
  }

  /// The categories whose work changed, largest first, with the others combined in one row.
  private var categories: Document.Table? {
    let changed = comparison.categories.filter { !$0.isSame }
    guard !changed.isEmpty else { return nil }
    var table = Document.Table([
      .flexible("self time"), .number("main base", expendability: 1),
      .number("new", expendability: 1), .number("difference"), .number("bg base", expendability: 2),
      .number("new", expendability: 2), .number("bg change"),
    ])
    // A single further row is better than a row about omitted ones.
    let limit =
      changed.count == limits.differences + 1 ? changed.count : limits.differences
    let rest = changed.dropFirst(limit)
    let rows = changed.prefix(limit) + (rest.isEmpty ? [] : [CategoryComparison.sum(rest)])
    for row in rows {
      let name = row.category.map { label($0) } ?? Quantity.count(rest.count, "other")
      table.add(
        name.isEmpty ? "(no category)" : name, text(row.main.base), text(row.main.new),
        ComparisonTables.cell(row.main, goodSign: -1), text(row.background.base),
        text(row.background.new),
        ComparisonTables.cell(row.background, goodSign: 0))
    }
    return table.titled("Work by category, main thread and background (bg)")
  }

  private var causes: Document.Table? {
    let causes = comparison.causes.filter {
      ($0.hitchTime.base?.sign ?? 0) != 0 || ($0.hitchTime.new?.sign ?? 0) != 0
    }
    guard !causes.isEmpty else { return nil }
    var table = Document.Table([
      .number("base"), .number("new"), .number("difference"), .number("hitches", expendability: 1),
      "", .flexible("cause"),
    ])
    let limit =
      causes.count == limits.differences + 1 ? causes.count : limits.differences
    let rest = causes.dropFirst(limit)
    for cause in causes.prefix(limit) + (rest.isEmpty ? [] : [CauseComparison.sum(rest)]) {
      let hitches = [cause.hitches.base, cause.hitches.new].compactMap { $0.map { text($0) } }
      let status = cause.status.map { $0 == .gone ? "gone" : "new" } ?? ""
      table.add(
        text(cause.hitchTime.base), text(cause.hitchTime.new),
        ComparisonTables.cell(cause.hitchTime, goodSign: -1), hitches.joined(separator: " → "),
        StyledText(status, status == "gone" ? .good : .late),
        cause.kind.map(base.text) ?? Quantity.count(rest.count, "other"))
    }
    return table.titled("Hitch time by cause")
  }

  private func label(_ category: String) -> String { base.name(base.label(category), 30) }

  private func text(_ value: MetricValue?) -> String { Quantity.value(value, in: base.thresholds) }

  // MARK: - Outcome

  private var outcome: (word: StyledText, text: String) {
    var sentences = ["hitch time ratio \(change(.hitchTimeRatio, unit: " ms/s"))"]
    if comparison[.deadlineMisses].difference != nil {
      sentences.append(change(.deadlineMisses, noun: " deadline misses"))
    }
    if comparison.hasBlankTime {
      sentences.append("blank time \(change(.blankRatio, unit: " ms/s"))")
    }
    // By the system's count, or else in wall time.
    if comparison[.mainCPUPerFrame].difference != nil {
      sentences.append("CPU time per frame \(change(.mainCPUPerFrame, unit: " ms"))")
    } else if comparison[.mainBusy].difference != nil {
      sentences.append("wall time of main work \(change(.mainBusy, unit: " ms"))")
    }
    return (wordOfOutcome, sentences.joined(separator: "; "))
  }

  /// The reason for the outcome, and what these runs can show.
  private var caution: String {
    verdict.outcome == .tooFewRuns
      ? "Record at least \(RunStatistics.minimumRuns) runs per side; with fewer, noise looks like change."
      : base.sentence((verdict.sentences + rareEvents).joined(separator: "; "))
  }

  /// What happened in so few runs that it is no warning, and the medians hide it.
  private var rareEvents: [String] {
    verdict.notes.filter { $0.kind == .overLimit && $0.level == .note }.map(\.text)
  }

  private var wordOfOutcome: StyledText {
    switch verdict.outcome {
    case .worse: StyledText("WORSE", .late)
    case .better: StyledText("BETTER", .good)
    case .noRegression: "NO REGRESSION"
    case .tooFewRuns: StyledText("TOO FEW RUNS", .near)
    case .notEvaluated: StyledText("NOT EVALUATED", .near)
    }
  }

  /// Returns `31.88 → 0.00 ms/s`, with a single unit, or a single number if both sides are equal.
  private func change(_ metric: Metric, unit: String = "", noun: String = "") -> String {
    let value = comparison[metric]
    let (base, new) = (text(value.base), text(value.new))
    guard base != new else { return "\(base)\(noun) on both sides" }
    let isShared = base.hasSuffix(unit) && new.hasSuffix(unit)
    return "\(isShared ? String(base.dropLast(unit.count)) : base) → \(new)\(noun)"
  }
}
