import ScrollTraceAnalysis
import ScrollTraceModel

/// One run as sections of a page.
struct PageRun {
  private let text: TextRun
  private let anchor: String

  /// The sections of `text`, whose anchors begin with `anchor`.
  init(_ text: TextRun, anchor: String) {
    self.text = text
    self.anchor = anchor
  }

  /// The run told in full.
  func sections(verdict: [PageSection]) -> [PageSection] {
    [PageSection(title: "", blocks: head)] + verdict + main + details + [closing]
  }

  /// The run in one section that can be folded away.
  func foldedSections(number: Int) -> [PageSection] {
    let all = head + (main + details).flatMap(\.blocks)
    let path = text.nameEnding(text.trace.source.path, 80)
    return [PageSection(title: "Run \(number): \(path)", blocks: all, isDetail: true)]
  }

  // MARK: - Parts

  private var head: [PageBlock] {
    var blocks: [PageBlock] = []
    if let surface = text.surface, surface.isEvaluated {
      blocks.append(.statement(text.verdictWord, text.summary(of: surface)))
      blocks.append(.paragraph(text.facts(of: surface), .plain))
      blocks.append(.paragraph(text.textOfBasis(surface), .faint))
    } else {
      blocks.append(.statement(TextLine("NOT MEASURABLE", .near), text.reasonForNoData))
      if let assumption = text.textOfAssumption { blocks.append(.paragraph(assumption, .plain)) }
      if let surface = text.surface {
        blocks.append(.paragraph(text.textOfBasis(surface), .faint))
      }
    }
    blocks.append(.paragraph(text.source(in: 200).plain, .faint))
    if let selection = text.textOfSelection { blocks.append(.paragraph(selection, .near)) }
    return blocks
  }

  private var main: [PageSection] {
    [graph, causes, hitches, findings, text.trace.losses.isEmpty ? nil : remarks]
      .compactMap { $0 }
  }

  private var details: [PageSection] {
    let tables: [(String, TitledTable?)] = [
      ("Long tasks", text.longTasks), ("Interactions", text.interactions),
      ("States", text.states),
    ]
    let more: [(String, TitledTable?)] = [
      ("Other surfaces", text.otherSurfaces), ("Other processes", text.otherProcesses),
      ("Open spans", text.unfinished), ("What the source says itself", text.aggregates),
    ]
    func section(_ title: String, _ table: TitledTable?) -> PageSection? {
      table.map { PageSection(title: title, blocks: [.table($0)], isDetail: true) }
    }
    return tables.compactMap(section) + [figures, work, lists].compactMap { $0 }
      + more.compactMap(section)
      + (text.trace.losses.isEmpty && !text.remarks.shown.isEmpty ? [remarks] : [])
  }

  private var graph: PageSection? {
    guard let drawing = text.drawing else { return nil }
    return PageSection(
      title: drawing.title,
      blocks: [
        .graph(
          drawing.graph, title: "", explanation: drawing.explanation,
          marks: marks(on: drawing.graph.series))
      ])
  }

  /// The hitches that are listed, where the graph shows them, in the order of time.
  private func marks(on series: FrameSeries) -> [PageBlock.Mark] {
    guard let surface = text.surface else { return [] }
    let placed = zip(surface.hitches, series.hitches).sorted { $0.0.comesBefore($1.0) }
    let shown = placed.prefix(text.shownHitches(of: surface).count)
    let marks = shown.enumerated().map { index, hitchAndTime in
      let (hitch, time) = hitchAndTime
      let frame = hitch.frame.map { "frame \($0), " } ?? ""
      return PageBlock.Mark(
        time: time,
        text: "\(frame)\(Quantity.length(hitch.length)) late at \(text.instant(hitch.range.start))",
        anchor: anchor(ofHitch: index))
    }
    return marks.stablySorted { $0.time }
  }

  private func anchor(ofHitch index: Int) -> String { "\(anchor)hitch-\(index + 1)" }

  private var causes: PageSection? {
    text.causes.map { PageSection(title: "Causes", blocks: [.table($0)]) }
  }

  private var hitches: PageSection? {
    guard let surface = text.surface, !surface.hitches.isEmpty else { return nil }
    let shown = text.shownHitches(of: surface)
    guard !shown.isEmpty else { return nil }
    let table = text.hitchTable(shown)
    let rows = zip(table.rows, shown).enumerated().map { index, row in
      PageBlock.HitchRow(
        cells: row.0, parts: text.parts(of: row.1), anchor: anchor(ofHitch: index))
    }
    let isUnknown = shown.allSatisfy { $0.attribution == nil }
    return PageSection(
      title: "Hitches",
      blocks: [
        .hitches(
          text.title(ofHitches: shown.count, of: surface), table.columns, rows,
          note: isUnknown ? TextRun.unknownCauses : nil)
      ])
  }

  private var findings: PageSection? {
    let findings = text.run.findings
    guard !findings.isEmpty else { return nil }
    let words = FindingMessages(start: text.trace.range.start) { text.name($0) }
    let limit = text.style.limits.findings
    let items = findings.prefix(limit).map { finding in
      PageBlock.FindingItem(
        title: words.title(of: finding) + text.subject(of: finding),
        sentences: [words.evidence(of: finding)]
          + [words.prediction(for: finding, of: text.surface?.hitchTime)].compactMap { $0 },
        action: words.fix(of: finding))
    }
    let hidden = findings.count - limit
    return PageSection(
      title: "Findings",
      blocks: [
        .findings(items, note: hidden > 0 ? "and \(Quantity.count(hidden, "more finding"))" : nil)
      ])
  }

  private var figures: PageSection? {
    guard let surface = text.surface else { return nil }
    var blocks: [PageBlock] = [.facts(text.factsOfFrames(surface))]
    if !surface.deadlineUtilization.isEmpty {
      blocks.append(
        .bars(
          "Use of the time before the deadline",
          surface.deadlineUtilization.map { ($0.label, $0.count, $0.isLate) }))
    }
    if surface.latenessHistogram.contains(where: { $0.count > 0 }) {
      blocks.append(
        .bars(
          "Hitches by refreshes late",
          surface.latenessHistogram.map { ($0.refreshesLate, $0.count, true) }))
    }
    return PageSection(title: "Frames", blocks: blocks, isDetail: true)
  }

  private var work: PageSection? {
    let work = text.run.work
    guard work.sums.unionBusy > .zero else { return nil }
    return PageSection(
      title: "Work",
      blocks: [
        .paragraph(text.sums(of: work).joined(separator: "; "), .plain),
        .table(text.tracks(work)),
      ], isDetail: true)
  }

  private var lists: PageSection? {
    let told = text.factsOfLists
    guard !told.shown.isEmpty else { return nil }
    let blocks = told.shown.flatMap { list -> [PageBlock] in
      [.paragraph(list.title, .strong), .facts(list.facts)]
    }
    return PageSection(
      title: "Lists", blocks: blocks + (told.note.map { [.paragraph($0, .faint)] } ?? []),
      isDetail: true)
  }

  private var remarks: PageSection {
    PageSection(
      title: "About the trace",
      blocks: [.list(text.remarks.shown, note: text.remarks.note)],
      isDetail: text.trace.losses.isEmpty)
  }

  private var closing: PageSection {
    let profile: [PageBlock] =
      text.surface?.isEvaluated != true ? [] : [.paragraph(text.textOfProfile, .faint)]
    let next = text.nextStep.map { [PageBlock.paragraph("Next: \($0.text)", .plain)] } ?? []
    return PageSection(title: "", blocks: profile + next)
  }
}
