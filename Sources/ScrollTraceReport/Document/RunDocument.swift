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
        .statement(
          word: words.headline.word, text: StyledText(words.summary(of: surface, isAlone: false))))
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
    let drawings = hitches.drawings
    if !drawings.isEmpty {
      sections.append(
        Section(
          title: "Work around the worst hitches", blocks: hitches.blocks(drawings),
          scope: .extended, isDetail: true))
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
    add("Hitches", hitches.hitches(drawings).map { .hitches($0) }, isDetail: false)
    sections += FindingSection(words).sections
    add("Other surfaces", tables.otherSurfaces.map { .table($0) })
    add("Other processes", work.otherProcesses.map { .table($0) })
    add("Open spans", trace.openSpans.map { .table($0) })
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
      word: words.headline.word, text: StyledText(words.summary(of: surface, isAlone: true)))
    return [
      Section(
        title: "", blocks: [thresholds, statement] + next, scope: .brief, isConclusion: true),
      Section(title: "", blocks: [thresholds] + next, scope: .extended, isConclusion: true),
    ]
  }

  // MARK: - Several runs

  /// Returns the sections on several runs: each in a few lines, or in full and collapsible, unless there
  /// are many; then a table of all, the worst first.
  static func sections(onSeveral runs: RunMessagesList) -> [Section] {
    let table = Document.Block.table(table(runs))
    let opening = Section(
      title: "", blocks: [.opening(source: nil, task: Quantity.count(runs.count, "run"))],
      scope: .brief)
    return [opening] + runs.whole.map { summary($0.words) }
      + [Section(title: "", blocks: [table])] + graphs(runs) + folded(runs) + [conclusion(runs)]
  }

  /// More graphs cannot be compared at a glance.
  private static let mostGraphs = 8

  /// The graphs of the runs on one time axis and, if they show the same, on one scale.
  private static func graphs(_ runs: RunMessagesList) -> [Section] {
    let drawn = runs.whole.compactMap { run in
      run.words.graph.map { (words: run.words, index: run.index, graph: $0) }
    }
    guard 2...mostGraphs ~= drawn.count, let first = drawn.first?.graph else { return [] }
    let isOfOneKind = drawn.allSatisfy {
      $0.graph.series.kind == first.series.kind && $0.graph.series.unit == first.series.unit
    }
    let longest = drawn.map(\.graph.range.length).max() ?? .zero
    let scale = isOfOneKind ? FrameScale(drawn.map(\.graph.series)) : nil
    let graphs = drawn.map { run -> Document.Block in
      var graph = run.graph
      let name = run.words.nameEnding(run.words.trace.source.path, 60)
      let kind = isOfOneKind ? "" : ", \(FrameSeries.title(of: graph.series.kind).lowercased())"
      graph.title = "Run \(run.index + 1): \(name)\(kind)"
      if isOfOneKind { graph.explanation = "" }
      graph.scale = scale
      graph.range = TimeRange(start: graph.range.start, end: graph.range.start + longest)
      return .graph(graph)
    }
    let note =
      isOfOneKind
      ? "\(first.explanation) All graphs have the same scale and time axis."
      : "All graphs have the same time axis."
    return [
      Section(
        title: "Runs side by side", blocks: [.paragraph(StyledText(note, .faint))] + graphs,
        scope: .wide)
    ]
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

  /// Returns each run in full, in one collapsible section; of many runs, none.
  static func folded(_ runs: RunMessagesList) -> [Section] {
    runs.whole.map { index, words in
      let all = extendedOpening(words) + body(words).filter { $0.scope != .brief }
      let sorted = all.filter { !$0.isDetail } + all.filter(\.isDetail)
      return Section(
        title: "Run \(index + 1): \(words.nameEnding(words.trace.source.path, 80))",
        blocks: sorted.flatMap(\.blocks), scope: .extended, isDetail: true)
    }
  }

  /// Returns a table with one run per row, the worst first: by ratio, then as given. Runs without a
  /// ratio are last.
  static func table(_ runs: RunMessagesList) -> Document.Table {
    var table = Document.Table([
      .init(title: "run", isFlexible: true, minimum: 16, isPath: true),
      .init(title: "ratio", alignment: .right), .init(title: "rating"),
      .init(title: "hitches", alignment: .right, expendability: 1),
      .init(title: "hitch time", alignment: .right, expendability: 2),
    ])
    let limit = runs.first?.limits.runs ?? 0
    for words in runs.worstFirst.prefix(limit).map({ runs[$0] }) {
      let surface = words.surface
      let losses = words.wordsOnLosses.map { " (\($0))" } ?? ""
      table.add([
        StyledText(words.nameEnding(words.trace.source.path, 200)),
        StyledText(words.text(of: surface?.ratio)),
        words.rated.map { RunMessages.cell($0.rating).appending(losses) }
          ?? StyledText("not measurable" + losses, .near),
        StyledText(surface?.knownHitchesInMotion.map { "\($0)" } ?? ""),
        StyledText(surface?.hitchTime.map(Quantity.length) ?? ""),
      ])
    }
    let hidden = runs.count - limit
    return table.titled(
      "Runs, worst first", note: hidden > 0 ? StyledText("and \(hidden) more", .faint) : nil)
  }

  /// The number of all runs with each rating, in words.
  private static func ratings(of runs: RunMessagesList) -> String {
    var counts: [Rating: Int] = [:]
    for words in runs { counts[words.rated?.rating ?? .notMeasurable, default: 0] += 1 }
    let order: [Rating] = [.severe, .critical, .warning, .good, .uncertain, .notMeasurable]
    let words = order.compactMap { rating in
      counts[rating].map { "\($0) \(rating.text)" }
    }
    return "\(Quantity.count(runs.count, "run")): " + words.joined(separator: ", ")
  }

  /// The ratings of the runs, and the next step: examine the worst one.
  private static func conclusion(_ runs: RunMessagesList) -> Section {
    guard let worst = runs.worstFirst.first.map({ runs[$0] }) else {
      let statement = Document.Block.statement(
        word: StyledText("NOT MEASURABLE", .near), text: StyledText("no trace was read", .near))
      return Section(title: "", blocks: [statement], isConclusion: true)
    }
    return Section(
      title: "",
      blocks: [
        .paragraph(StyledText(ratings(of: runs))), .next(RunSteps(worst).command("analyze")),
      ], scope: .brief, isConclusion: true)
  }
}
