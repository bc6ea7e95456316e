import ScrollTraceAnalysis
import ScrollTraceModel

/// The document on one or several runs.
enum RunDocument {
  typealias Section = Document.Section

  // MARK: - One run

  /// Returns the sections on one run, without its first screen.
  static func whole(_ messages: RunMessages) -> [Section] {
    [opening(messages), FirstScreen(messages: messages).answer] + body(messages)
      + conclusion(messages)
  }

  /// The selection, what comes before the ratio, the rating, and one sentence on it.
  static func verdict(_ messages: RunMessages) -> [Document.Block] {
    let assumption: [Document.Block] =
      messages.textOfAssumption.map { [.paragraph(.init($0))] } ?? []
    guard messages.surface?.hitchTime != nil else {
      let headline = messages.headline
      return selection(messages)
        + [.statement(word: headline.word, text: StyledText(headline.text.text))] + assumption
    }
    return beforeRating(messages)
      + rating(messages, isNamed: !messages.isOfVerdict, messages.sentenceOnLateness) + assumption
  }

  private static func selection(_ messages: RunMessages) -> [Document.Block] {
    messages.textOfSelection.map { [.paragraph(StyledText($0, .near))] } ?? []
  }

  static func beforeRating(_ messages: RunMessages) -> [Document.Block] {
    let statement = messages.headlineBeforeRatio.map {
      Document.Block.statement(word: $0.word, text: StyledText($0.text))
    }
    return selection(messages) + [statement].compactMap(\.self)
  }

  /// The rating with the ratio, and a sentence on it.
  static func rating(
    _ messages: RunMessages, isNamed: Bool, _ sentence: String
  ) -> [Document.Block] {
    [
      .statement(
        word: messages.headline.word,
        text: StyledText(messages.ratioBesideLimit(isNamed: isNamed))),
      .paragraph(StyledText(sentence)),
    ]
  }

  /// The input, the result and the method.
  static func opening(_ messages: RunMessages) -> Section {
    Section(
      blocks: [.opening(source: messages.source, task: "")] + verdict(messages) + method(messages),
      scope: .brief, part: .verdict)
  }

  /// How the frames were evaluated, and what the screen showed.
  private static func method(_ messages: RunMessages) -> [Document.Block] {
    guard let surface = messages.surface else { return [] }
    return [messages.textOfBasis(surface), messages.ledger(surface)].compactMap { text in
      text.map { .paragraph(StyledText($0, .faint)) }
    }
  }

  /// The sections between the opening and the conclusion.
  private static func body(_ messages: RunMessages) -> [Section] {
    let figures = FrameFigures(messages: messages)
    let work = WorkSections(messages: messages)
    let tables = InteractionTables(messages: messages)
    let hitches = HitchSections(messages: messages)
    let trace = TraceSections(messages: messages)
    let (drawings, graph) = (hitches.drawings, messages.graph)
    func section(
      _ title: String, _ blocks: [Document.Block], _ part: Section.Part = .other,
      scope: Section.Scope = .all
    ) -> Section {
      Section(title: title, blocks: blocks, scope: scope, isDetail: part == .other, part: part)
    }
    return [
      section("Causes", hitches.causes.blocks, .causes),
      section("Findings", FindingSection(messages: messages).blocks, .findings),
      section("Hitches", hitches.hitches(drawings).map { [.hitches($0)] } ?? [], .hitches),
      section("Work around the worst hitches", hitches.blocks(drawings), scope: .extended),
      section(
        graph.map { FrameSeries.title(of: $0.series.kind) } ?? "", graph.map { [.graph($0)] } ?? [],
        .graph),
      section("Deadline utilization", figures.deadlineUtilization.blocks),
      section("Frames", figures.facts.isEmpty ? [] : [.facts(figures.facts)]),
      section("Work", work.work.blocks),
      section("Long tasks", work.longTasks.blocks),
      section("Interactions", tables.interactions.blocks),
      section("States", tables.states.blocks),
      section("Lists", ListFacts(messages: messages).blocks),
      section("Did it run?", ThreadSection(messages: messages).block.blocks),
      section("Samples", SampleSection(messages: messages).blocks),
      section("Other surfaces", tables.otherSurfaces.blocks),
      section("Other processes", work.otherProcesses.blocks),
      section("Open spans", trace.openSpans.blocks),
      section("About the trace", trace.remarks.blocks),
    ]
  }

  /// The limits of ratings, and the next step.
  private static func conclusion(_ messages: RunMessages) -> [Section] {
    let steps = messages.steps
    guard let surface = messages.surface, surface.isEvaluated else {
      return [Section(blocks: [.next(steps.nextWithoutData)], isConclusion: true)]
    }
    let thresholds = Document.Block.paragraph(StyledText(messages.textOfThresholds, .faint))
    let next: [Document.Block] = steps.next(surface).map { [.next($0)] } ?? []
    return [
      Section(
        blocks: [.source(messages.source)] + method(messages), scope: .extended,
        isConclusion: true),
      Section(blocks: [thresholds] + next, isConclusion: true),
    ]
  }

  // MARK: - Several runs

  private static func opening(
    of runs: RunMessagesList, _ scope: Section.Scope = .all
  ) -> Section {
    Section(
      blocks: [.opening(source: nil, task: Quantity.count(runs.count, "run"))], scope: scope)
  }

  /// Returns the sections on several runs: each in a few lines, or in full and collapsible, unless there
  /// are many; then a table of all, the worst first.
  static func sections(onSeveral runs: RunMessagesList) -> [Section] {
    [opening(of: runs, .brief)] + runs.whole.map { summary($0.messages) }
      + [Section(blocks: [.table(table(runs))])] + graphs(runs) + folded(runs) + [conclusion(runs)]
  }

  /// The first screen of a run; of several, all in a line each, and the first screen of the worst.
  static func firstScreen(_ runs: RunMessagesList) -> [Section] {
    if runs.count == 1 { return runs.flatMap { FirstScreen(messages: $0).sections } }
    let table = Section(blocks: [.paragraph(StyledText(ratings(of: runs))), .table(table(runs))])
    let opening = [opening(of: runs), table]
    guard let worst = runs.worstFirst.first.map({ runs[$0] }) else { return opening }
    guard worst.run.isDigest else { return opening + FirstScreen(messages: worst).sections }
    let step = Document.Step(worst.steps.command("analyze"), "the worst run")
    return opening + [Section(blocks: [.steps([step])])]
  }

  /// The graphs of the runs on one time axis and, if they show the same, on one scale.
  private static func graphs(_ runs: RunMessagesList) -> [Section] {
    let drawn = runs.whole.compactMap { run in
      run.messages.graph.map { (messages: run.messages, index: run.index, graph: $0) }
    }
    guard drawn.count > 1, let first = drawn.first?.graph,
      drawn.count <= runs[drawn[0].index].limits.graphs
    else { return [] }
    let isOfOneKind = drawn.allSatisfy {
      $0.graph.series.kind == first.series.kind && $0.graph.series.unit == first.series.unit
    }
    let longest = drawn.map(\.graph.range.length).max() ?? .zero
    let scale = isOfOneKind ? FrameScale(drawn.map(\.graph.series)) : nil
    let graphs = drawn.map { run -> Document.Block in
      var graph = run.graph
      let name = run.messages.nameEnding(run.messages.trace.source.path, 60)
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
        scope: .extended, hasZoom: false)
    ]
  }

  private static func summary(_ messages: RunMessages) -> Section {
    Section(
      blocks: [.source(messages.source)] + verdict(messages)
        + TraceSections(messages: messages).remarks.blocks, scope: .brief)
  }

  /// Returns each run in full, in one collapsible section, or the worst ones; of many runs, none.
  static func folded(_ runs: RunMessagesList) -> [Section] {
    let limit = runs.first?.limits.wholeRuns ?? 0
    let shown = Set(runs.worstFirst.prefix(limit))
    return runs.whole.filter { shown.contains($0.index) }.map { index, messages in
      let all = [opening(messages)] + body(messages)
      let sorted = all.filter { !$0.isDetail } + all.filter(\.isDetail)
      return Section(
        title: "Run \(index + 1): \(messages.nameEnding(messages.trace.source.path, 80))",
        blocks: sorted.flatMap(\.blocks), scope: .extended, isDetail: true)
    }
  }

  /// Returns a table with one run per row, the worst first: by ratio, then as given. Runs without a
  /// ratio are last.
  static func table(_ runs: RunMessagesList) -> Document.Table {
    var table = Document.Table([
      .init(title: "run", isFlexible: true, minimum: 16, isPath: true), .number("ratio"), "rating",
      .number("hitches", expendability: 1), .number("hitch time", expendability: 2),
    ])
    let limit = runs.first?.limits.runs ?? 0
    for messages in runs.worstFirst.prefix(limit).map({ runs[$0] }) {
      let surface = messages.surface
      let losses = messages.trace.losses.isEmpty ? "" : " (data was lost)"
      table.add(
        messages.nameEnding(messages.trace.source.path, 200), messages.text(of: surface?.ratio),
        messages.rated.map { RunMessages.cell($0.rating).appending(losses) }
          ?? StyledText("not measurable" + losses, .near),
        surface?.knownHitchesInMotion.map { "\($0)" } ?? "",
        surface?.hitchTime.map(Quantity.length) ?? "")
    }
    return table.titled("Runs, worst first", note: .more(runs.count - limit))
  }

  /// The number of all runs with each rating, in words.
  private static func ratings(of runs: RunMessagesList) -> String {
    var counts: [Rating: Int] = [:]
    for messages in runs { counts[messages.rated?.rating ?? .notMeasurable, default: 0] += 1 }
    let order: [Rating] = [.severe, .critical, .warning, .good, .uncertain, .notMeasurable]
    let parts = order.compactMap { rating in
      counts[rating].map { "\($0) \(rating.text)" }
    }
    return "\(Quantity.count(runs.count, "run")): " + parts.joined(separator: ", ")
  }

  /// The ratings of the runs, and the next step: examine the worst one.
  private static func conclusion(_ runs: RunMessagesList) -> Section {
    guard let worst = runs.worstFirst.first.map({ runs[$0] }) else {
      return Section(blocks: [.notMeasurable("no trace was read")], isConclusion: true)
    }
    return Section(
      blocks: [
        .paragraph(StyledText(ratings(of: runs))),
        .next(worst.steps.command("analyze")),
      ], scope: .brief, isConclusion: true)
  }
}

/// The texts on several runs. Those of a run are made when they are asked for, because there can be
/// many runs.
struct RunMessagesList: NumberedCollection {
  private let runs: [Analysis]
  private let limits: RowLimits

  /// The messages on `runs`.
  ///
  /// They share the drawings of a single run; with many runs, there are none.
  init(_ runs: [Analysis], limits: RowLimits) {
    self.runs = runs
    var limits = limits
    limits.timelines =
      runs.count > Self.maximumWithDrawings ? 0 : limits.timelines / Swift.max(1, runs.count)
    self.limits = limits
  }

  private static let maximumWithDrawings = 4

  var count: Int { runs.count }

  subscript(index: Int) -> RunMessages {
    RunMessages(
      runs[index], limits: limits, anchor: runs.count > 1 ? "run\(index + 1)-" : "")
  }

  /// The runs that are more than digests, with their positions.
  var whole: [(index: Int, messages: RunMessages)] {
    indices.filter { !runs[$0].isDigest }.map { ($0, self[$0]) }
  }

  /// The positions of the runs, the worst first.
  var worstFirst: [Int] { runs.worstFirst }
}
