import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTracePrediction

/// A report as sections, from which forms that are scrolled are printed: Markdown and HTML.
///
/// It says what the text report says, in the same words, and has room for more rows.
struct ReportPage {
  /// The page in a few words.
  let title: String
  /// The parts from top to bottom.
  let sections: [PageSection]

  /// The page of `report`.
  ///
  /// - Parameters:
  ///   - style: How much of everything there is, and the looks of graphs made of text.
  ///   - frame: The number of the frame that is looked at closely, in place of all.
  init(_ report: Report, style: TextStyle, frame: UInt64? = nil) {
    let verdict = Self.verdict(report)
    if let frame {
      title = "frame \(frame)"
      sections = report.runs.flatMap {
        PageFrame(TextRun($0, style: style), number: frame).sections
      }
    } else if let comparison = report.comparison {
      title = "comparison"
      sections = Self.comparison(TextComparison(comparison, style: style), verdict: verdict)
    } else if !report.predictions.isEmpty {
      title = "predictions"
      sections =
        zip(report.runs, report.predictions).flatMap {
          PagePrediction(TextPrediction($0, $1, style: style)).sections
        } + verdict
    } else if report.runs.count == 1, let run = report.runs.first {
      let text = TextRun(run, style: style)
      title = text.nameEnding(run.trace.source.path, 80)
      sections = PageRun(text, anchor: "").sections(verdict: verdict)
    } else {
      title = Quantity.count(report.runs.count, "run")
      sections = Self.several(report.runs, verdict: verdict, style: style)
    }
  }

  private static func several(
    _ runs: [Analysis], verdict: [PageSection], style: TextStyle
  ) -> [PageSection] {
    let texts = runs.map { TextRun($0, style: style) }
    var table = TextTable([
      .init(title: "run"), .init(title: "ratio", alignment: .right), .init(title: "band"),
      .init(title: "hitches", alignment: .right), .init(title: "late", alignment: .right),
    ])
    for text in texts {
      let surface = text.surface
      table.add([
        TextLine(text.nameEnding(text.trace.source.path, 80)),
        TextLine(text.text(of: surface?.ratio)), text.cell(surface?.rated(by: text.profile).rating),
        TextLine(surface.map { "\($0.hitchesInMotion)" } ?? ""),
        TextLine(surface?.hitchTime.map(Quantity.length) ?? ""),
      ])
    }
    let runsTable = PageSection(
      title: "", blocks: [.table(TitledTable(title: "Runs", table: table))])
    return verdict + [runsTable]
      + texts.enumerated().flatMap { index, text in
        PageRun(text, anchor: "run\(index + 1)-").foldedSections(number: index + 1)
      }
  }

  private static func verdict(_ report: Report) -> [PageSection] {
    let verdict = report.verdict
    guard verdict != .withoutBudget else { return [] }
    let statement = PageBlock.statement(
      TextLine(
        VerdictMessages.word(for: verdict.status), VerdictMessages.ink(of: verdict.status)),
      verdict.reasons.prefix(20).map(VerdictMessages.shown).joined(separator: "; "))
    let table = VerdictMessages.table(of: verdict.results).map { [PageBlock.table($0)] } ?? []
    let notes = report.gateNotes.prefix(20).map { note in
      PageBlock.paragraph(
        VerdictMessages.shown("\(note.level.rawValue): \(note.text)"),
        note.level == .note ? .faint : .near)
    }
    return [PageSection(title: "Verdict", blocks: [statement] + table + notes)]
  }

  private static func comparison(
    _ text: TextComparison, verdict: [PageSection]
  ) -> [PageSection] {
    guard let shown = text.shown else {
      let reason = "a side of the comparison has no run"
      return [
        PageSection(title: "", blocks: [.statement(TextLine("NOT MEASURABLE", .near), reason)])
      ]
    }
    let tables = ComparisonTables(text)
    var head: [PageBlock] = [.statement(text.outcome.word, text.outcome.text)]
    if !text.caution.isEmpty { head.append(.paragraph(text.caution, .faint)) }
    if text.comparison.isOfSingleRuns {
      head += [("base", shown.base), ("new", shown.new)].flatMap { label, run in
        let headline = text.headline(of: run)
        return [
          PageBlock.statement(headline.word, "\(label): \(headline.text)"),
          .paragraph(run.source(in: 200).plain, .faint),
        ]
      }
    } else {
      let rows = text.tableOfRuns
      head.append(
        .table(
          TitledTable(
            title: "Runs, medians are compared", table: rows.table, note: rows.notes.first)))
    }
    if let surface = shown.base.surface {
      head.append(.paragraph(shown.base.textOfBasis(surface), .faint))
    }
    head += text.textsOfNotes.map { .paragraph("note: \($0)", .near) }
    var sections = [PageSection(title: "", blocks: head)] + verdict
    if let drawing = text.drawing(shown.base, shown.new) {
      let graphs = drawing.graphs.map { label, graph in
        graph.map {
          PageBlock.graph($0, title: label, explanation: "", marks: [])
        } ?? .paragraph(label, .plain)
      }
      sections.append(
        PageSection(title: drawing.title, blocks: [.paragraph(drawing.note, .faint)] + graphs))
    }
    let work =
      (text.categories.map { [PageBlock.table($0)] } ?? [])
      + (text.textsOfMoved.isEmpty
        ? [] : [.list(text.textsOfMoved.map { ($0, .plain) }, note: nil)])
    let causes = text.causes(shown.base).map { [PageBlock.table($0)] } ?? []
    sections.append(
      PageSection(
        title: "Difference",
        blocks: tables.titled.map { .table($0) } + causes + work
          + (tables.note.map { [.paragraph($0, .faint)] } ?? [])))
    return sections
  }
}
