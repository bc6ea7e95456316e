/// One section of a page in HTML.
struct HTMLSection {
  let section: Document.Section
  let number: Int
  let zoomPoints: Int
  let anchors: Set<String>

  /// The names of the rows and drawings of `section` that other parts link to.
  static func anchors(in section: Document.Section) -> [String] {
    section.blocks.flatMap { block -> [String] in
      switch block {
      case .hitches(let hitches): hitches.rows.map(\.anchor)
      case .timeline(let timeline): [timeline.anchor]
      default: []
      }
    }
  }

  /// The section, collapsible if it is a detail.
  var text: String {
    let blocks = self.blocks
    guard !section.title.isEmpty else { return "<section>\n\(blocks)</section>\n" }
    let (id, title) = ("section-\(number)", section.title.html)
    guard section.isDetail else {
      return "<section aria-labelledby=\"\(id)\">\n<h2 id=\"\(id)\">\(title)</h2>\n\(blocks)"
        + "</section>\n"
    }
    return "<details id=\"\(id)\">\n<summary><h2>\(title)</h2></summary>\n\(blocks)"
      + "</details>\n"
  }

  /// The blocks; graphs that follow each other are side by side if there is room. If they share a time
  /// axis, they are first, below one another.
  private var blocks: String {
    var (text, beside) = ("", [String]())
    let graphs = section.blocks.filter { if case .graph = $0 { true } else { false } }
    let isShared = graphs.contains {
      if case .graph(let graph) = $0 { !graph.hasAxis } else { false }
    }
    let others = section.blocks.filter { if case .graph = $0 { false } else { true } }
    func drawings() -> String {
      beside.count > 1
        ? "<div class=\"beside\(isShared ? " together" : "")\">\n"
          + beside.map { "<div>\n\($0)</div>\n" }.joined() + "</div>\n" : beside.joined()
    }
    for (index, block) in (isShared ? graphs + others : section.blocks).enumerated() {
      let next = self.text(of: block, number: index + 1, isLow: isShared)
      if case .graph = block {
        beside.append(next)
      } else {
        text += drawings() + next
        beside = []
      }
    }
    return text + drawings()
  }

  private func text(of block: Document.Block, number: Int, isLow: Bool) -> String {
    switch block {
    case .opening(let source, _): source.map { paragraph(StyledText($0.text, .faint)) } ?? ""
    case .causes(let causes): self.causes(causes)
    case .fixes(let fixes): fixes.map(fix).joined()
    case .steps: ""
    case .source(let source): paragraph(StyledText(source.text, .faint))
    case .statement(let word, let text): statement(word, text.text)
    case .side(let label, let word, let text, let source):
      statement(word, "\(label), \(VisibleName.end(of: source.path, 60)): \(text.text)")
    case .paragraph(let text, _): paragraph(text)
    case .heading(let text): "<h3>\(text.html)</h3>\n"
    case .facts(let facts):
      "<dl>\n" + facts.map { "<dt>\($0.label.html)</dt><dd>\($0.text.html)</dd>\n" }.joined()
        + "</dl>\n"
    case .table(let table):
      (table.lead.map { paragraph(StyledText($0)) } ?? "") + self.table(table)
        + note(table.note?.text)
    case .hitches(let hitches): self.hitches(hitches) + note(hitches.note)
    case .findings(let findings): self.findings(findings.items) + note(findings.note)
    case .bars(let bars): HTMLTable.bars(bars, isTitled: bars.title != section.title)
    case .lines(let lines): HTMLLines(lines: lines).text
    case .flame(let flame): HTMLFlame(flame: flame).text
    case .list(let list):
      "<ul>\n" + list.items.map { "<li\(attribute($0.role))>\($0.text.html)</li>\n" }.joined()
        + "</ul>\n" + note(list.note)
    case .timeline(let timeline): HTMLTimeline(timeline).text
    case .graph(let graph):
      (graph.title.isEmpty ? "" : "<h3>\(graph.title.html)</h3>\n")
        + HTMLGraph(graph, zoomPoints: section.hasZoom ? zoomPoints : 0, isLow: isLow).text(
          id: "graph-\(self.number)-\(number)",
          title: graph.title.isEmpty ? section.title : graph.title)
    case .next(let step, let label): next(step, label: label)
    }
  }

  private func next(_ step: NextStep, label: String) -> String {
    switch step {
    case .command: "<p>\(label.html) \(text(of: step))</p>\n"
    case .advice(let text): paragraph(StyledText("\(label) \(text)"))
    }
  }

  /// A link to the part of the page that shows the same, or the command.
  private func text(of step: NextStep) -> String {
    guard let link = step.link, anchors.contains(link.anchor) else {
      return "<code class=\"command\">\(step.text().html)</code>"
    }
    let drawing = "\(link.anchor)-lanes"
    return "<a href=\"#\(anchors.contains(drawing) ? drawing : link.anchor)\">\(link.text.html)</a>"
  }

  private func causes(_ causes: [Document.CauseBar]) -> String {
    guard causes.contains(where: { $0.share != nil }) else {
      return causes.map { paragraph(StyledText($0.name)) }.joined()
    }
    return HTMLTable.bars(
      Document.Bars(
        title: "Why",
        rows: causes.map { cause in
          let share = cause.share ?? 0
          return .init(
            label: cause.name, count: Int(max(0, min(1, share)) * 1_000), isLate: true,
            value: cause.share.map(Quantity.percent) ?? "", remark: cause.remark)
        }))
  }

  private func fix(_ fix: Document.Fix) -> String {
    "<p class=\"action\"><strong>Fix:</strong> \(fix.text.html)"
      + " <span class=\"faint\">\(fix.worth.html)</span> See \(text(of: fix.step)).</p>\n"
  }

  private func statement(_ word: StyledText, _ text: String) -> String {
    "<p class=\"statement\">\(badge(word)) <span>\(text.html)</span></p>\n"
  }

  private func paragraph(_ text: StyledText) -> String {
    "<p\(attribute(text.role))>\(text.text.html)</p>\n"
  }

  private func table(_ table: Document.Table) -> String {
    let markup = HTMLTable(
      caption: table.title, columns: table.columns, isTitled: table.title != section.title)
    return markup.text(rows: table.rows.map { markup.row($0) })
  }

  /// A row for each hitch, with a row for its causes below it.
  private func hitches(_ hitches: Document.HitchList) -> String {
    let table = HTMLTable(caption: hitches.title, columns: hitches.columns)
    return table.text(
      rows: hitches.rows.map { row in
        let link = row.timelineAnchor.map { "<li><a href=\"#\($0)\">timeline</a></li>" } ?? ""
        let parts = row.parts.texts().map { "<li>\($0.html)</li>" }.joined() + link
        return table.row(row.cells, id: row.anchor)
          + (parts.isEmpty
            ? ""
            : "<tr class=\"parts\"><td colspan=\"\(hitches.columns.count)\"><ul>\(parts)</ul></td></tr>\n")
      })
  }

  private func findings(_ items: [Document.FindingList.Item]) -> String {
    let items = items.map { item in
      "<li><h3>\(item.title.html)</h3>\n" + item.evidence.map { "<p>\($0.html)</p>\n" }.joined()
        + "<p class=\"action\"><strong>Fix:</strong> \(item.fix.html)</p>\n"
        + "<p class=\"faint\">See \(text(of: item.step))</p></li>\n"
    }
    return "<ol class=\"findings\">\n\(items.joined())</ol>\n"
  }

  private func note(_ text: String?) -> String {
    text.map { "<p class=\"faint\">\($0.html)</p>\n" } ?? ""
  }

  private func badge(_ word: StyledText) -> String {
    let name = HTMLTable.name(of: word.role) ?? "plain"
    return "<strong class=\"badge \(name)\">\(word.text.html)</strong>"
  }

  private func attribute(_ role: TextRole) -> String {
    HTMLTable.name(of: role).map { " class=\"\($0)\"" } ?? ""
  }
}
