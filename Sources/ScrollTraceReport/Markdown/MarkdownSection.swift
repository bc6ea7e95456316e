/// One section of a page in Markdown.
struct MarkdownSection {
  private let section: PageSection

  /// The text of `section`.
  init(_ section: PageSection) {
    self.section = section
  }

  /// The section, each block after an empty line; folded where it is a detail.
  var text: String {
    let blocks = section.blocks.map { "\n" + text(of: $0) }.joined()
    guard !section.title.isEmpty else { return blocks }
    guard section.isDetail else { return "\n#### \(escape(section.title))\n" + blocks }
    let summary = EscapingContext.html.escape(section.title)
    return "\n<details><summary>\(summary)</summary>\n\(blocks)\n</details>\n"
  }

  private func text(of block: PageBlock) -> String {
    switch block {
    case .statement(let word, let text): "**\(escape(word.plain))** \(escape(text))\n"
    case .paragraph(let text, let ink):
      ink == .strong ? "**\(escape(text))**\n" : "\(beginningOfLine(escape(text)))\n"
    case .facts(let facts):
      facts.map { "- \(escape($0.label)): \(escape($0.text))\n" }.joined()
    case .table(let titled): table(titled)
    case .hitches(let title, let columns, let rows, let note):
      hitches(title, columns, rows) + (note.map { "\n\(escape($0))\n" } ?? "")
    case .findings(let items, let note): findings(items) + (note.map { "\n\(escape($0))\n" } ?? "")
    case .bars(let title, let bars):
      "**\(escape(title))**\n\n"
        + table([("", true), ("", false)], bars.map { [escape($0.label), "\($0.count)"] })
    case .list(let items, let note):
      items.map { "- \(escape($0.text))\n" }.joined() + (note.map { "- \(escape($0))\n" } ?? "")
    case .drawing(let lines): code(lines)
    case .graph(let graph, let title, let explanation, _):
      (title.isEmpty ? "" : "**\(escape(title))**\n\n") + code(graph.lines())
        + (explanation.isEmpty ? "" : "\n\(escape(explanation))\n")
    }
  }

  /// Lines in a block of code, whose fence is longer than any inside.
  private func code(_ lines: [TextLine]) -> String {
    let text = lines.map { $0.text(in: .none) }.joined(separator: "\n")
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    return "\(fence)text\n\(text)\n\(fence)\n"
  }

  private func table(_ titled: TitledTable) -> String {
    let head = titled.title == section.title ? "" : "**\(escape(titled.title))**\n\n"
    let rows = titled.table.rows.map { $0.map { escape($0.plain) } }
    return head + table(headings(titled.table.columns), rows)
      + (titled.note.map { "\n\(escape($0.plain))\n" } ?? "")
  }

  private func hitches(
    _ title: String, _ columns: [TextTable.Column], _ rows: [PageBlock.HitchRow]
  ) -> String {
    let cells = rows.map { row in
      let remarks = row.cells.last?.plain ?? ""
      let parts = (remarks.isEmpty ? [] : [remarks]) + row.parts
      return row.cells.dropLast().map { escape($0.plain) } + [escape(parts.joined(separator: "; "))]
    }
    return "**\(escape(title))**\n\n"
      + table(headings(columns.dropLast()) + [("what filled its time", false)], cells)
  }

  private func findings(_ items: [PageBlock.FindingItem]) -> String {
    items.enumerated().map { index, item in
      "\(index + 1). **\(escape(item.title))**. \(item.sentences.map { escape($0) + "." }.joined(separator: " "))"
        + " *Do:* \(escape(item.action))\n"
    }.joined()
  }

  private func headings(
    _ columns: some Sequence<TextTable.Column>
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

  /// Text that may begin with a name, and must not begin a list, a rule or a block of code.
  private func beginningOfLine(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    let rest = text.unicodeScalars.drop { ("0"..."9").contains($0) }
    let isNumber = rest.startIndex > text.startIndex && (rest.first == "." || rest.first == ")")
    let isListed = isNumber && [" ", nil].contains(rest.dropFirst().first)
    guard isListed || "-+= ".unicodeScalars.contains(first) else { return text }
    return "&#\(first.value);" + String(text.unicodeScalars.dropFirst())
  }

  private func escape(_ text: String) -> String { EscapingContext.markdown.escape(text) }
}
