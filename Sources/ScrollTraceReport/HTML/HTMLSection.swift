/// One section of a page in HTML.
struct HTMLSection {
  private let section: PageSection
  private let number: Int
  private let hasZoom: Bool

  /// The markup of `section`, the `number`th of its page.
  init(_ section: PageSection, number: Int, hasZoom: Bool) {
    self.section = section
    self.number = number
    self.hasZoom = hasZoom
  }

  /// The section; one that is a detail can be folded.
  var text: String {
    let blocks = section.blocks.enumerated().map { text(of: $1, number: $0 + 1) }.joined()
    guard !section.title.isEmpty else { return "<section>\n\(blocks)</section>\n" }
    let (id, title) = ("section-\(number)", escape(section.title))
    guard section.isDetail else {
      return "<section aria-labelledby=\"\(id)\">\n<h2 id=\"\(id)\">\(title)</h2>\n\(blocks)"
        + "</section>\n"
    }
    return "<details open=\"open\" id=\"\(id)\">\n<summary><h2>\(title)</h2></summary>\n\(blocks)"
      + "</details>\n"
  }

  private func text(of block: PageBlock, number: Int) -> String {
    switch block {
    case .statement(let word, let text):
      "<p class=\"statement\">\(badge(word)) <span>\(escape(text))</span></p>\n"
    case .paragraph(let text, let ink):
      ink == .strong ? "<h3>\(escape(text))</h3>\n" : "<p\(attribute(ink))>\(escape(text))</p>\n"
    case .facts(let facts):
      "<dl>\n"
        + facts.map { "<dt>\(escape($0.label))</dt><dd>\(escape($0.text))</dd>\n" }.joined()
        + "</dl>\n"
    case .table(let titled):
      table(titled) + note(titled.note?.plain)
    case .hitches(let title, let columns, let rows, let note):
      hitches(title, columns, rows) + self.note(note)
    case .findings(let items, let note): findings(items) + self.note(note)
    case .bars(let title, let bars): HTMLTable.bars(title, bars)
    case .list(let items, let note):
      "<ul>\n"
        + items.map { "<li\(attribute($0.ink))>\(escape($0.text))</li>\n" }.joined() + "</ul>\n"
        + self.note(note)
    case .drawing(let lines):
      "<pre class=\"scroll\">\(lines.map { escape($0.plain) }.joined(separator: "\n"))</pre>\n"
    case .graph(let graph, let title, let explanation, let marks):
      (title.isEmpty ? "" : "<h3>\(escape(title))</h3>\n")
        + HTMLGraph(graph, marks: marks, hasZoom: hasZoom).text(
          id: "graph-\(self.number)-\(number)", title: title.isEmpty ? section.title : title,
          explanation: explanation)
    }
  }

  private func table(_ titled: TitledTable) -> String {
    let table = HTMLTable(titled.title, titled.table.columns)
    return table.text(rows: titled.table.rows.map { table.row($0) })
  }

  /// A row for each hitch, and one below it for what filled its time.
  private func hitches(
    _ title: String, _ columns: [TextTable.Column], _ rows: [PageBlock.HitchRow]
  ) -> String {
    let table = HTMLTable(title, columns)
    return table.text(
      rows: rows.map { row in
        let parts = row.parts.map { "<li>\(escape($0))</li>" }.joined()
        return table.row(row.cells, id: row.anchor)
          + (parts.isEmpty
            ? ""
            : "<tr class=\"parts\"><td colspan=\"\(columns.count)\"><ul>\(parts)</ul></td></tr>\n")
      })
  }

  private func findings(_ items: [PageBlock.FindingItem]) -> String {
    let items = items.map { item in
      "<li><h3>\(escape(item.title))</h3>\n"
        + item.sentences.map { "<p>\(escape($0))</p>\n" }.joined()
        + "<p class=\"action\"><strong>Do:</strong> \(escape(item.action))</p></li>\n"
    }
    return "<ol class=\"findings\">\n\(items.joined())</ol>\n"
  }

  private func note(_ text: String?) -> String {
    text.map { "<p class=\"faint\">\(escape($0))</p>\n" } ?? ""
  }

  private func badge(_ line: TextLine) -> String {
    let name = HTMLTable.name(of: line.ink) ?? "plain"
    return "<strong class=\"badge \(name)\">\(escape(line.plain))</strong>"
  }

  private func attribute(_ ink: TextRole) -> String {
    HTMLTable.name(of: ink).map { " class=\"\($0)\"" } ?? ""
  }

  private func escape(_ text: String) -> String { EscapingContext.html.escape(text) }
}
