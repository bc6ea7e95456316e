import ScrollTraceAnalysis
import ScrollTraceModel

/// The document on one or several runs.
enum RunDocument {
  typealias Section = Document.Section

  // MARK: - One run

  /// Returns the full sections on one run.
  static func sections(_ words: RunMessages) -> [Section] {
    [briefOpening(words)] + extendedOpening(words) + body(words) + conclusion(words)
  }

  /// The input and, in one sentence, the result.
  static func briefOpening(_ words: RunMessages) -> Section {
    let headline = words.headline
    var blocks: [Document.Block] = [.opening(source: words.source, task: "")]
    blocks += selection(words)
    blocks.append(.statement(word: headline.word, text: headline.text))
    if let assumption = words.textOfAssumption { blocks.append(.paragraph(.init(assumption))) }
    if let surface = words.surface { blocks += method(words, surface) }
    return Section(title: "", blocks: blocks, scope: .brief)
  }

  /// The result, its components, and the input.
  private static func extendedOpening(_ words: RunMessages) -> [Section] {
    var blocks: [Document.Block] = []
    if let surface = words.surface, surface.isEvaluated {
      blocks.append(
        .statement(word: words.headline.word, text: StyledText(words.summary(of: surface))))
      blocks.append(.paragraph(words.headline.text))
    } else {
      blocks.append(
        .statement(word: words.headline.word, text: StyledText(words.headline.text.text)))
      if let assumption = words.textOfAssumption { blocks.append(.paragraph(.init(assumption))) }
    }
    if let surface = words.surface {
      blocks.append(.paragraph(StyledText(words.textOfBasis(surface), .faint)))
      if let ledger = words.ledger(surface) {
        blocks.append(.paragraph(StyledText(ledger, .faint)))
      }
    }
    blocks.append(.source(words.source))
    blocks += words.textOfSelection.map { [.paragraph(StyledText($0, .near))] } ?? []
    return [Section(title: "", blocks: blocks, scope: .extended)]
  }

  /// The method of evaluation, and the ledger of refreshes in motion.
  private static func method(_ words: RunMessages, _ surface: SurfaceAnalysis) -> [Document.Block] {
    [.paragraph(.init(words.textOfBasis(surface)))]
      + (words.ledger(surface).map { [.paragraph(.init($0), isInset: true)] } ?? [])
  }

  private static func selection(_ words: RunMessages) -> [Document.Block] {
    words.textOfSelection.map { [.paragraph(StyledText($0))] } ?? []
  }

  /// The sections between the opening and the conclusion.
  private static func body(_ words: RunMessages) -> [Section] {
    let figures = FrameFigures(words)
    let work = WorkSections(words)
    let tables = InteractionTables(words)
    let hitches = HitchSections(words)
    let trace = TraceSections(words)
    var sections: [Section] = []
    func add(_ title: String, _ block: Document.Block?, isDetail: Bool = true) {
      guard let block else { return }
      sections.append(Section(title: title, blocks: [block], isDetail: isDetail))
    }
    if let graph = words.graph {
      add(FrameSeries.title(of: graph.series.kind), .graph(graph), isDetail: false)
    }
    if let bars = figures.deadlineUtilization {
      sections.append(
        Section(title: bars.title, blocks: [.bars(bars)], isDetail: true, isNarrow: true))
    }
    let facts = figures.facts
    if !facts.isEmpty {
      sections.append(
        Section(
          title: "Frames",
          blocks: [.facts(facts)] + (figures.lateness.map { [.bars($0)] } ?? []), isDetail: true))
    }
    add("Work", work.work.map { .table($0) })
    add("Long tasks", work.longTasks.map { .table($0) })
    add("Interactions", tables.interactions.map { .table($0) })
    add("States", tables.states.map { .table($0) })
    let lists = ListFacts(words).blocks
    if !lists.isEmpty { sections.append(Section(title: "Lists", blocks: lists, isDetail: true)) }
    add("Causes", hitches.causes.map { .table($0) }, isDetail: false)
    add("Did it run?", ThreadSection(words).block.map { .bars($0) }, isDetail: false)
    let stacks = SampleSection(words).blocks
    if !stacks.isEmpty { sections.append(Section(title: "Samples", blocks: stacks)) }
    add("Hitches", hitches.hitches.map { .hitches($0) }, isDetail: false)
    sections += FindingSection(words).sections
    add("Other surfaces", tables.otherSurfaces.map { .table($0) })
    add("Other processes", work.otherProcesses.map { .table($0) })
    add("Open spans", trace.openSpans.map { .table($0) })
    add("Source metrics", trace.aggregates.map { .table($0) })
    add(
      "About the trace", trace.remarks.map { .list($0) }, isDetail: words.trace.losses.isEmpty)
    return sections
  }

  /// The most important facts, and the next step.
  private static func conclusion(_ words: RunMessages) -> [Section] {
    let steps = RunSteps(words)
    guard let surface = words.surface, surface.isEvaluated else {
      let next: [Document.Block] = [.next(steps.nextWithoutData)]
      let statement = Document.Block.statement(
        word: words.headline.word, text: words.headline.text)
      return [
        Section(title: "", blocks: [statement] + next, scope: .brief, isConclusion: true),
        Section(title: "", blocks: next, scope: .extended, isConclusion: true),
      ]
    }
    let thresholds = Document.Block.paragraph(
      StyledText(words.textOfThresholds, .faint), isInset: true)
    let next: [Document.Block] = steps.next(surface).map { [.next($0)] } ?? []
    let statement = Document.Block.statement(
      word: words.headline.word, text: StyledText(words.summary(of: surface)))
    return [
      Section(
        title: "", blocks: [thresholds, statement] + next, scope: .brief, isConclusion: true),
      Section(title: "", blocks: [thresholds] + next, scope: .extended, isConclusion: true),
    ]
  }

  // MARK: - Several runs

  /// Returns the sections on several runs: each in a few lines, or in full and collapsible.
  static func sections(onSeveral runs: [RunMessages]) -> [Section] {
    [Section(title: "", blocks: [.opening(source: nil, task: "")], scope: .brief)]
      + runs.map(summary) + [Section(title: "", blocks: [.table(table(runs))], scope: .extended)]
      + folded(runs) + [conclusion(runs)]
  }

  /// A run in a few lines.
  private static func summary(_ words: RunMessages) -> Section {
    let headline = words.headline
    var blocks: [Document.Block] = [.source(words.source)] + selection(words)
    blocks.append(.statement(word: headline.word, text: headline.text))
    if let graph = words.graph { blocks.append(.sparkline(graph)) }
    if let remarks = TraceSections(words).remarks { blocks.append(.list(remarks)) }
    return Section(title: "", blocks: blocks, scope: .brief)
  }

  /// Returns each run in full, in one collapsible section.
  static func folded(_ runs: [RunMessages]) -> [Section] {
    runs.enumerated().map { index, words in
      let all = extendedOpening(words) + body(words).filter { $0.scope != .brief }
      let sorted = all.filter { !$0.isDetail } + all.filter(\.isDetail)
      return Section(
        title: "Run \(index + 1): \(words.nameEnding(words.trace.source.path, 80))",
        blocks: sorted.flatMap(\.blocks), scope: .extended, isDetail: true)
    }
  }

  /// Returns a table with one run per row.
  static func table(_ runs: [RunMessages]) -> Document.Table {
    var table = Document.Table(
      "Runs",
      [
        .init(title: "run"), .init(title: "ratio", alignment: .right), .init(title: "rating"),
        .init(title: "hitches", alignment: .right), .init(title: "hitch time", alignment: .right),
      ])
    for words in runs {
      let surface = words.surface
      table.add([
        StyledText(words.nameEnding(words.trace.source.path, 80)),
        StyledText(words.text(of: surface?.ratio)), words.cell(words.rated?.rating),
        StyledText(surface.map { "\($0.hitchesInMotion)" } ?? ""),
        StyledText(surface?.hitchTime.map(Quantity.length) ?? ""),
      ])
    }
    return table
  }

  /// The headlines of the runs in order, and the next step: examine the worst one.
  private static func conclusion(_ runs: [RunMessages]) -> Section {
    guard let first = runs.first else {
      let statement = Document.Block.statement(
        word: StyledText("NOT MEASURABLE", .near), text: StyledText("no trace was read", .near))
      return Section(title: "", blocks: [statement], isConclusion: true)
    }
    let ratios = runs.map { $0.surface?.ratio?.millisecondsPerSecond ?? -1 }
    let worst = zip(runs, ratios).first { $1 == ratios.max() }?.0 ?? first
    let most = 8
    let verdicts = runs.prefix(most).map { words in
      words.surface?.ratio.map { _ in
        "\(words.headline.word.text) \(words.text(of: words.surface?.ratio))"
          + (words.wordsOnLosses.map { " (\($0))" } ?? "")
      } ?? "NOT MEASURABLE"
    }
    let more = runs.count > most ? " and \(runs.count - most) more" : ""
    let text = "\(Quantity.count(runs.count, "run")): \(verdicts.joined(separator: ", "))\(more)"
    return Section(
      title: "",
      blocks: [.paragraph(.init(text)), .next(RunSteps(worst).command("analyze"))], scope: .brief,
      isConclusion: true)
  }
}
