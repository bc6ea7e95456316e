/// One section of a page in HTML.
struct HTMLSection {
  private let section: Document.Section
  private let number: Int
  private let hasZoom: Bool

  /// The markup of `section`, the `number`th of its page.
  init(_ section: Document.Section, number: Int, hasZoom: Bool) {
    self.section = section
    self.number = number
    self.hasZoom = hasZoom
  }

  /// The section, collapsible if it is a detail.
  var text: String {
    let blocks = self.blocks
    guard !section.title.isEmpty else { return "<section>\n\(blocks)</section>\n" }
    let (id, title) = ("section-\(number)", escape(section.title))
    guard section.isDetail else {
      return "<section aria-labelledby=\"\(id)\">\n<h2 id=\"\(id)\">\(title)</h2>\n\(blocks)"
        + "</section>\n"
    }
    return "<details id=\"\(id)\">\n<summary><h2>\(title)</h2></summary>\n\(blocks)"
      + "</details>\n"
  }

  /// The blocks; graphs that follow each other are side by side if there is room.
  private var blocks: String {
    var (text, beside) = ("", [String]())
    func drawings() -> String {
      beside.count > 1
        ? "<div class=\"beside\">\n" + beside.map { "<div>\n\($0)</div>\n" }.joined() + "</div>\n"
        : beside.joined()
    }
    for (index, block) in section.blocks.enumerated() {
      let next = self.text(of: block, number: index + 1)
      if case .graph = block {
        beside.append(next)
      } else {
        text += drawings() + next
        beside = []
      }
    }
    return text + drawings()
  }

  private func text(of block: Document.Block, number: Int) -> String {
    switch block {
    case .opening(let source, _): source.map { paragraph(Self.text(of: $0)) } ?? ""
    case .causes, .fixes, .steps: ""
    case .source(let source): paragraph(Self.text(of: source))
    case .statement(let word, let text): statement(word, text.text)
    case .side(let label, let word, let text, let source):
      statement(word, "\(label): \(text.text)") + paragraph(Self.text(of: source))
    case .paragraph(let text, _): paragraph(text)
    case .heading(let text): "<h3>\(escape(text))</h3>\n"
    case .facts(let facts):
      "<dl>\n"
        + facts.map { "<dt>\(escape($0.label))</dt><dd>\(escape($0.text))</dd>\n" }.joined()
        + "</dl>\n"
    case .table(let table):
      (table.lead.map { paragraph(StyledText($0)) } ?? "") + self.table(table)
        + note(table.note?.text)
    case .hitches(let hitches): self.hitches(hitches) + note(hitches.note)
    case .findings(let findings): self.findings(findings.items) + note(findings.note)
    case .bars(let bars): HTMLTable.bars(bars)
    case .flame(let flame): HTMLFlame(flame).text
    case .list(let list):
      "<ul>\n"
        + list.items.map { "<li\(attribute($0.role))>\(escape($0.text))</li>\n" }.joined()
        + "</ul>\n" + note(list.note)
    case .timeline(let timeline): HTMLTimeline(timeline).text
    case .graph(let graph):
      (graph.title.isEmpty ? "" : "<h3>\(escape(graph.title))</h3>\n")
        + HTMLGraph(graph, hasZoom: hasZoom && section.scope != .wide).text(
          id: "graph-\(self.number)-\(number)",
          title: graph.title.isEmpty ? section.title : graph.title)
    case .next(let step, let label): paragraph(StyledText("\(label) \(step.text())"))
    }
  }

  private func statement(_ word: StyledText, _ text: String) -> String {
    "<p class=\"statement\">\(badge(word)) <span>\(escape(text))</span></p>\n"
  }

  private func paragraph(_ text: StyledText) -> String {
    "<p\(attribute(text.role))>\(escape(text.text))</p>\n"
  }

  private static func text(of source: Document.Source) -> StyledText {
    let room = 200 - 2 - source.facts.count
    return StyledText("\(VisibleName.end(of: source.path, room))  \(source.facts)", .faint)
  }

  private func table(_ table: Document.Table) -> String {
    let markup = HTMLTable(table.title, table.columns)
    return markup.text(rows: table.rows.map { markup.row($0) })
  }

  /// A row for each hitch, with a row for its causes below it.
  private func hitches(_ hitches: Document.HitchList) -> String {
    let table = HTMLTable(hitches.title, hitches.columns)
    return table.text(
      rows: hitches.rows.map { row in
        let link = row.timelineAnchor.map { "<li><a href=\"#\($0)\">timeline</a></li>" } ?? ""
        let parts = row.parts.texts().map { "<li>\(escape($0))</li>" }.joined() + link
        return table.row(row.cells, id: row.anchor)
          + (parts.isEmpty
            ? ""
            : "<tr class=\"parts\"><td colspan=\"\(hitches.columns.count)\"><ul>\(parts)</ul></td></tr>\n")
      })
  }

  private func findings(_ items: [Document.FindingList.Item]) -> String {
    let items = items.map { item in
      "<li><h3>\(escape(item.title))</h3>\n"
        + item.evidence.map { "<p>\(escape($0))</p>\n" }.joined()
        + "<p class=\"action\"><strong>Fix:</strong> \(escape(item.fix))</p>\n"
        + "<p class=\"faint\">See: <code>\(escape(item.step.text()))</code></p></li>\n"
    }
    return "<ol class=\"findings\">\n\(items.joined())</ol>\n"
  }

  private func note(_ text: String?) -> String {
    text.map { "<p class=\"faint\">\(escape($0))</p>\n" } ?? ""
  }

  private func badge(_ word: StyledText) -> String {
    let name = HTMLTable.name(of: word.role) ?? "plain"
    return "<strong class=\"badge \(name)\">\(escape(word.text))</strong>"
  }

  private func attribute(_ role: TextRole) -> String {
    HTMLTable.name(of: role).map { " class=\"\($0)\"" } ?? ""
  }

  private func escape(_ text: String) -> String { EscapingContext.html.escape(text) }
}
