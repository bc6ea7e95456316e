import ScrollTraceModel

struct MarkdownSection {
  let section: Document.Section

  /// The section, each block after an empty line; folded where it is a detail.
  var text: String {
    let blocks = section.blocks.map { "\n" + text(of: $0) }.joined()
    guard !section.title.isEmpty else { return blocks }
    guard section.isDetail else { return "\n#### \(escape(section.title))\n" + blocks }
    return "\n<details><summary>\(section.title.html)</summary>\n\(blocks)\n</details>\n"
  }

  private func text(of block: Document.Block) -> String {
    switch block {
    case .opening(let source, _): source.map { paragraph($0.text) } ?? ""
    case .flame, .lines, .steps: ""
    case .causes(let causes): list(causes.map(Self.text))
    case .fixes(let fixes):
      list(fixes.map { "Fix: \($0.text) \($0.worth) See: \($0.step.text())" })
    case .source(let source): paragraph(source.text)
    case .statement(let word, let text): "**\(escape(word.text))** \(escape(text.text))\n"
    case .side(let label, let word, let text, let source):
      "**\(escape(word.text))** \(escape("\(label): \(text.text)"))\n\n"
        + paragraph(source.text)
    case .paragraph(let text, _): paragraph(text.text)
    case .heading(let text): "**\(escape(text))**\n"
    case .facts(let facts):
      facts.map { "- \(escape($0.label)): \(escape($0.text))\n" }.joined()
    case .table(let table): self.table(table)
    case .hitches(let hitches): self.hitches(hitches) + note(hitches.note)
    case .findings(let findings): self.findings(findings.items) + note(findings.note)
    case .bars(let bars):
      title(bars.title)
        + table(
          [("", true), ("", false)],
          bars.rows.map {
            let label = $0.remark.isEmpty ? $0.label : "\($0.label) (\($0.remark))"
            return [escape(label), escape($0.value ?? "\($0.count)")]
          })
    case .list(let list): self.list(list.items.map(\.text) + (list.note.map { [$0] } ?? []))
    case .timeline(let timeline): self.timeline(timeline)
    case .graph(let graph):
      title(graph.title) + code(FrameGraph(graph: Self.plain(graph), style: Self.style).lines())
        + note(
          (graph.letters.map { "\($0.letter): \($0.text)." } + [graph.explanation])
            .joined(separator: " "))
    case .next(let step, let label): paragraph("\(label) \(step.text())")
    }
  }

  private static let style = TextStyle(width: 100)

  /// A graph for a block of code, in which names cannot be escaped: they have only letters, digits and
  /// spaces, and the letters of causes are explained below.
  private static func plain(_ graph: Document.Graph) -> Document.Graph {
    var graph = graph
    graph.letters = []
    graph.interactions = graph.interactions.map { interaction in
      .init(
        range: interaction.range,
        name: String(interaction.name.map { $0.isLetter || $0.isNumber ? $0 : " " }))
    }
    return graph
  }

  private func list(_ items: [String]) -> String { items.map { "- \(escape($0))\n" }.joined() }

  private static func text(of cause: Document.CauseBar) -> String {
    let share = cause.share.map { " \(Quantity.share($0))" } ?? ""
    return cause.name + share + (cause.remark.isEmpty ? "" : ", \(cause.remark)")
  }

  private func paragraph(_ text: String) -> String { "\(startOfLine(escape(text)))\n" }

  private func note(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    return "\n\(escape(text))\n"
  }

  /// The title of a block, unless the section has just said it.
  private func title(_ text: String) -> String {
    text.isEmpty || text == section.title ? "" : "**\(escape(text))**\n\n"
  }

  private func timeline(_ timeline: Document.Timeline) -> String {
    let chart = FrameChart(timeline, style: Self.style)
    return code(chart.drawing)
      + [chart.legendTexts.joined(separator: "; "), timeline.hidden].filter { !$0.isEmpty }
      .map { "\n" + paragraph($0) }.joined()
  }

  /// Lines in a block of code, whose fence is longer than any inside.
  private func code(_ lines: [TextLine]) -> String {
    let text = lines.map { $0.text(in: .none) }.joined(separator: "\n")
    var fence = "```"
    while text.includes(fence) { fence += "`" }
    return "\(fence)text\n\(text)\n\(fence)\n"
  }

  private func table(_ table: Document.Table) -> String {
    let rows = table.rows.map { $0.map { escape($0.text) } }
    return (table.lead.map { paragraph($0) + "\n" } ?? "") + title(table.title)
      + self.table(headings(table.columns), rows) + note(table.note?.text)
  }

  private func hitches(_ hitches: Document.HitchList) -> String {
    let cells = hitches.rows.map { row in
      let remarks = row.cells.last?.text ?? ""
      let parts = (remarks.isEmpty ? [] : [remarks]) + row.parts.texts()
      return row.cells.dropLast().map { escape($0.text) } + [escape(parts.joined(separator: "; "))]
    }
    return title(hitches.title)
      + table(headings(hitches.columns.dropLast()) + [("what filled its time", false)], cells)
  }

  private func findings(_ items: [Document.FindingList.Item]) -> String {
    items.enumerated().map { index, item in
      "\(index + 1). **\(escape(item.title))**. \(item.evidence.map { escape($0) + "." }.joined(separator: " "))"
        + " *Fix:* \(escape(item.fix)) *See:* \(escape(item.step.text()))\n"
    }.joined()
  }

  private func headings(
    _ columns: some Sequence<Document.Table.Column>
  ) -> [(title: String, isNumber: Bool)] {
    columns.map { (escape($0.title), $0.alignment == .right) }
  }

  /// A table of cells that are escaped already.
  private func table(
    _ columns: [(title: String, isNumber: Bool)], _ rows: [[String]]
  ) -> String {
    let rule = columns.map { $0.isNumber ? "--:" : ":--" }
    return ([columns.map(\.title), rule] + rows)
      .map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// Text that may start with a name, and must not start a list, a rule or a block of code.
  private func startOfLine(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    let rest = text.unicodeScalars.drop { ("0"..."9").contains($0) }
    let isNumber = rest.startIndex > text.startIndex && (rest.first == "." || rest.first == ")")
    let isListed = isNumber && [" ", nil].contains(rest.dropFirst().first)
    guard isListed || "-+= ".unicodeScalars.contains(first) else { return text }
    return "&#\(first.value);" + String(text.unicodeScalars.dropFirst())
  }

  private func escape(_ text: String) -> String { EscapingContext.markdown.escape(text) }
}
