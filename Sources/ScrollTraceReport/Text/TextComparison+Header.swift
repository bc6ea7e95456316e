import ScrollTraceAnalysis
import ScrollTraceModel

extension TextComparison {
  private static let labelWidth = 6
  private static let runLimit = 12

  /// What is compared, and the headline of each side.
  func header(_ base: TextRun, _ new: TextRun) -> [TextLine] {
    var title = TextRun.title
    guard comparison.isOfSingleRuns else {
      let runs = Quantity.count(comparison.base.runs.count, "run")
      title.append("  medians over \(runs) of base, \(comparison.new.runs.count) of new")
      let rows = tableOfRuns
      return [title] + base.lines(rows.table) + rows.notes.map { TextLine("  \($0.plain)") }
        + surface(base)
    }
    title.append("  one run against another")
    return [title] + side("base", base) + side("new", new) + surface(base)
  }

  private func side(_ label: String, _ run: TextRun) -> [TextLine] {
    var start = TextLine(label, .strong)
    start.pad(to: Self.labelWidth)
    let headline = headline(of: run)
    start.append(headline.word)
    var lines = run.sentence(headline.text, behind: start)
    var source = TextLine(String(repeating: " ", count: Self.labelWidth))
    source.append(run.source(in: style.width - Self.labelWidth))
    lines.append(source)
    return lines
  }

  /// The band of a side's run that is shown, and what it is made of.
  func headline(of run: TextRun) -> (word: TextLine, text: String) {
    guard let surface = run.surface, surface.isEvaluated else {
      let reason =
        run.surface == nil && run.run.isEvaluated
        ? comparison.surface.map { "no surface '\(name($0))'" } : nil
      return (TextLine("NO DATA", .near), reason ?? run.reasonForNoData)
    }
    // Where deadlines are not known, nothing but the hitches would be said again.
    let facts =
      [run.facts(of: surface)] + (surface.counts.deadlineMisses == nil ? [] : run.missed(surface))
    return (run.verdictWord, facts.joined(separator: "; "))
  }

  /// The surface and how the base was judged; where the new side was not judged like it, notes tell.
  private func surface(_ run: TextRun) -> [TextLine] {
    guard let surface = run.surface else { return [] }
    let rates = surface.refreshIntervals.prefix(4).map { Quantity.rate($0.refreshInterval) }
    let rate = rates.isEmpty ? "" : "; \(rates.joined(separator: ", "))"
    let label = surface.name.isEmpty ? "frames" : name(surface.name)
    return wrapped("\(label): judged by \(run.wording.text(of: surface.basis))\(rate)", indent: 2)
  }

  /// Every run of both sides, and which of them stand for their side.
  var tableOfRuns: (table: TextTable, notes: [TextLine]) {
    var table = TextTable([
      .init(title: ""), .init(title: "run", isFlexible: true),
      .init(title: "ratio", alignment: .right), .init(title: "band", expendability: 1),
      .init(title: "hitches", alignment: .right),
      .init(title: "late", alignment: .right, expendability: 2),
      .init(title: "missed", alignment: .right, expendability: 3), .init(title: ""),
    ])
    var hidden: [TextLine] = []
    for (label, side) in [("base", comparison.base), ("new", comparison.new)] {
      for (index, run) in side.runs.enumerated() {
        guard index < Self.runLimit || index == side.shownIndex else { continue }
        let text = TextRun(run, telling: side.surfaces[index], style: style)
        let surface = side.surfaces[index]
        table.add([
          TextLine(label, .strong),
          TextLine(text.nameEnding(Self.fileName(run), max(10, style.width - 64))),
          TextLine(text.text(of: surface?.ratio)), text.cell(text.rating(of: surface?.ratio)),
          TextLine(surface?.isEvaluated == true ? "\(surface?.hitchesInMotion ?? 0)" : ""),
          TextLine(surface?.hitchTime.map(Quantity.length) ?? ""),
          TextLine(surface?.counts.deadlineMisses.map { "\($0)" } ?? ""),
          TextLine(index == side.shownIndex ? "shown" : "", .faint),
        ])
      }
      let more = side.runs.count - Self.runLimit
      if more > 0 { hidden.append(TextLine("and \(more) more of \(label)")) }
    }
    return (table, hidden)
  }

  /// The last part of a run's path, which tells the runs of a side apart.
  private static func fileName(_ run: Analysis) -> String {
    run.trace.source.path.split(separator: "/").last.map(String.init) ?? "(no file)"
  }

  /// What keeps the two from being compared without reserve.
  var notes: [TextLine] {
    textsOfNotes.flatMap { wrapped("note: \($0)", first: 2, indent: 8, ink: .near) }
  }

  /// The same as sentences.
  var textsOfNotes: [String] {
    comparison.notes.map { shown?.base.sentence(Messages.text(of: $0)) ?? "" }
  }
}
