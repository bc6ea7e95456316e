import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceSummary

/// The lines of a document in a terminal: where things stand, not what they say.
struct TextLayout {
  private static let labelColumns = 15

  private let document: Document
  /// The maximum number of short findings.
  private let fixLimit: Int
  private let style: TextStyle
  /// The tables whose columns line up, by the name they share.
  private let groups: [String: TextTable]

  init(_ document: Document, fixLimit: Int = .max, style: TextStyle) {
    self.document = document
    self.fixLimit = fixLimit
    self.style = style
    var groups: [String: TextTable] = [:]
    for block in document.sections.flatMap(\.blocks) {
      guard case .table(let table) = block, let name = table.group else { continue }
      groups[name, default: TextTable(table.columns, style)].widen(by: TextTable(table, style))
    }
    self.groups = groups
  }

  var sections: [[TextLine]] {
    document.sections.map { lines(of: $0) }
  }

  private var glyphs: Glyphs { style.glyphs }

  private func lines(of section: Document.Section) -> [TextLine] {
    let hasTitle = !section.title.isEmpty && !(section.blocks.first.map(isTitled) ?? false)
    return (hasTitle ? [heading(section.title)] : [])
      + section.blocks.flatMap { lines(of: $0) }
  }

  /// Whether a block has a heading of its own.
  private func isTitled(_ block: Document.Block) -> Bool {
    switch block {
    case .table, .hitches, .bars, .heading: true
    case .graph(let graph): !graph.title.isEmpty
    default: false
    }
  }

  // MARK: - Blocks

  private func lines(of block: Document.Block) -> [TextLine] {
    switch block {
    case .opening(let source, let task): opening(source, task)
    case .source(let source): [line(of: source, in: style.width)]
    case .statement(let word, let text): sentence(text, behind: style.line(word))
    case .side(let label, let word, let text, let source): side(label, word, text, source)
    case .paragraph(let text, let isInset):
      wrapped(text, first: isInset ? 2 : 0, indent: isInset ? 2 : 0)
    case .heading(let text): [heading(text)]
    case .facts(let facts): lines(of: facts)
    case .table(let table): lines(of: table)
    case .hitches(let hitches): lines(of: hitches)
    case .findings(let findings): lines(of: findings)
    case .causes(let causes): lines(of: causes)
    case .fixes(let fixes): lines(of: fixes)
    case .steps(let steps): lines(of: steps)
    case .bars(let bars): lines(of: bars)
    case .flame, .lines: []
    case .list(let list): lines(of: list)
    case .graph(let graph): lines(of: graph)
    case .timeline(let timeline): FrameChart(timeline, style: style).lines()
    case .next(let step, let label): lines(of: step, label: label)
    }
  }

  private func heading(_ text: String) -> TextLine { style.line(StyledText(text, .strong)) }

  /// Text broken into lines, with these columns to the left of the first and of the others.
  private func wrapped(
    _ text: StyledText, first: Int = 0, indent: Int, width: Int? = nil
  ) -> [TextLine] {
    .wrapping(
      style.text(text.text), width: width ?? style.width, first: first, indent: indent,
      ink: text.role, ellipsis: glyphs.ellipsis)
  }

  /// A sentence after a word; further lines leave room for the word.
  private func sentence(_ text: StyledText, behind word: TextLine) -> [TextLine] {
    let start = word + TextLine("  ")
    return wrapped(text, indent: 0, width: style.width - start.width).behind(start)
  }

  // MARK: - Openings

  /// The tool and the input, on one line if there is room.
  private func opening(_ source: Document.Source?, _ task: String) -> [TextLine] {
    let tool = "\(ToolIdentity.name) \(ToolIdentity.version)"
    let room = style.width - tool.count - 2
    var line =
      source.map { self.line(of: $0, in: room) }
      ?? TextLine(style.text(task), task.isEmpty ? .plain : .strong)
    line.pad(to: style.width - tool.count)
    line.append(tool, .faint)
    return [line]
  }

  private func line(of source: Document.Source, in columns: Int) -> TextLine {
    let facts = style.text(" · " + source.facts)
    let room = columns - ColumnWidth.of(facts)
    return TextLine(style.ending(of: source.path, room), .strong) + TextLine(facts)
  }

  private func side(
    _ label: String, _ word: StyledText, _ text: StyledText, _ source: Document.Source
  ) -> [TextLine] {
    let column = 6
    var start = TextLine(label, .strong)
    start.pad(to: column)
    start.append(style.line(word))
    let margin = TextLine(String(repeating: " ", count: column))
    return sentence(text, behind: start) + [margin + line(of: source, in: style.width - column)]
  }

  // MARK: - Facts and tables

  /// Facts with their labels to the left.
  private func lines(of facts: [Document.Fact]) -> [TextLine] {
    facts.flatMap { fact in
      var start = TextLine("  " + style.text(fact.label))
      start.pad(to: Self.labelColumns)
      return wrapped(.init(fact.text), indent: 0, width: style.width - Self.labelColumns)
        .behind(start)
    }
  }

  private func lines(of table: Document.Table) -> [TextLine] {
    var layout = TextTable(table, style)
    if let name = table.group, let group = groups[name] { layout.widen(by: group) }
    let lead = table.lead.map { wrapped(.init($0), first: 2, indent: 2) } ?? []
    return (table.title.isEmpty ? [] : [heading(table.title)]) + lead
      + layout.lines(width: style.width) + note(table.note)
  }

  private func note(_ text: StyledText?) -> [TextLine] {
    text.map { [style.line(StyledText("  " + $0.text, $0.role))] } ?? []
  }

  /// Each row with the work that filled its time below it.
  private func lines(of hitches: Document.HitchList) -> [TextLine] {
    var table = Document.Table("", hitches.columns)
    for row in hitches.rows { table.add(row.cells) }
    let all = TextTable(table, style).lines(width: style.width)
    var result = [heading(hitches.title)] + all.prefix(1)
    for (line, row) in zip(all.dropFirst(), hitches.rows) {
      result.append(line)
      result += lines(of: row.parts)
    }
    return result
      + (hitches.note.map { wrapped(StyledText($0, .faint), first: 2, indent: 2) } ?? [])
  }

  private func lines(of parts: HitchParts) -> [TextLine] {
    let indent = 8
    // As many causes as fit into one line; if not even one does, several lines.
    let choices = (1...HitchParts.maximum).reversed().map {
      parts.texts(maximum: $0).map(style.text)
    }
    let room = style.width - indent
    let texts =
      choices.first { ColumnWidth.of($0.joined(separator: glyphs.separator)) <= room }
      ?? choices[0]
    var start = TextLine(glyphs.edge)
    start.pad(to: indent)
    return TextLine.pieces(texts, after: start, style)
  }

  private func lines(of bars: Document.Bars) -> [TextLine] {
    let maximum = max(1, bars.rows.map(\.count).max() ?? 1)
    let values = bars.rows.map { $0.value ?? String($0.count) }
    let digits = values.map(ColumnWidth.of).max() ?? 0
    let labels = bars.rows.map { ColumnWidth.of($0.label) }.max() ?? 0
    let room = max(8, 40 - 2 - labels - 2 - digits - 2)
    return [heading(bars.title)]
      + zip(bars.rows, values).map { row, value in
        var line = TextLine("  " + style.text(row.label))
        line.pad(to: 2 + labels + 2)
        line.append(String(repeating: " ", count: digits - ColumnWidth.of(value)) + value + "  ")
        let length = Int((Double(row.count) / Double(maximum) * Double(room)).rounded(.down))
        let bar = String(repeating: glyphs.bar, count: row.count > 0 ? max(1, length) : 0)
        line.append(bar, row.isLate ? .late : .good)
        if !row.remark.isEmpty { line.append("  " + style.text(row.remark)) }
        return line
      }
  }

  // MARK: - Lists

  private func lines(of list: Document.List) -> [TextLine] {
    let (bullet, indent) =
      switch list.style {
      case .plain: ("", 4)
      case .bullets: ("\(glyphs.bullet) ", 4)
      case .remarks: ("", 8)
      }
    return list.items.flatMap {
      wrapped(StyledText(bullet + $0.text, $0.role), first: 2, indent: indent)
    } + note(list.note.map { StyledText($0) })
  }

  private func lines(of findings: Document.FindingList) -> [TextLine] {
    findings.items.enumerated().flatMap { index, item in
      let number = "  \(index + 1)  "
      let margin = number.utf8.count
      let title = StyledText(item.title, .strong)
      var lines = wrapped(title, indent: 0, width: style.width - margin).behind(TextLine(number))
      lines += item.evidence.flatMap { wrapped(.init($0), first: margin, indent: margin) }
      lines += wrapped("Fix: \(item.fix)", first: margin, indent: margin + 5)
      return lines + self.lines(of: item.step, label: "See:", indent: margin)
    } + note(findings.note.map { StyledText($0) })
  }

  /// A step after its label; a command is never broken, so that it can be copied: one that is too
  /// long gets a line of its own.
  private func lines(of step: NextStep, label: String, indent: Int = 2) -> [TextLine] {
    switch step {
    case .advice(let text): return wrapped("\(label) \(text)", first: indent, indent: indent + 6)
    case .command:
      let text = step.text(for: style.sink)
      let line = TextLine(String(repeating: " ", count: indent) + "\(label) \(text)")
      if line.width <= style.width { return [line] }
      return wrapped(.init(label), first: indent, indent: indent + 6)
        + [TextLine("  \(text)").uncut]
    }
  }

  // MARK: - The first screen

  private static let firstColumn = 7
  private static let causeBarCells = 16
  /// The columns of "5 of 5 hitches".
  private static let hitchWords = 15

  /// A bar for each cause: its name, its share, and in which hitches it was.
  private func lines(of causes: [Document.CauseBar]) -> [TextLine] {
    let rest = Self.firstColumn + 2 + 4 + 2 + Self.causeBarCells + 1
    let widest = causes.filter { $0.share != nil }.map { ColumnWidth.of(style.text($0.name)) }
    let room = max(20, style.width - rest - Self.hitchWords)
    let names = min(room, max(12, widest.max() ?? 0))
    return causes.enumerated().flatMap { index, cause -> [TextLine] in
      var line = TextLine(index == 0 ? "Why" : "", .strong)
      line.pad(to: Self.firstColumn)
      guard let share = cause.share else {
        return wrapped(.init(cause.name), indent: 0, width: style.width - Self.firstColumn).behind(
          line)
      }
      line.append(clipped(style.text(cause.name), to: names))
      line.pad(to: Self.firstColumn + names + 2)
      let percent = Quantity.percent(share)
      line.append(String(repeating: " ", count: max(0, 4 - percent.count)) + percent + "  ")
      let eighths = Int((min(1, max(0, share)) * Double(Self.causeBarCells * 8)).rounded())
      line.append(glyphs.bar(eighths: max(1, eighths)), .late)
      let remark = style.text(cause.remark)
      guard !remark.isEmpty else { return [line] }
      line.pad(to: Self.firstColumn + names + 8 + Self.causeBarCells)
      if line.width + 1 + ColumnWidth.of(remark) <= style.width {
        line.append(" " + remark, .faint)
      } else if let short = remark.split(separator: ",").last.map(String.init),
        line.width + 1 + ColumnWidth.of(short) <= style.width
      {
        line.append(short.first == " " ? short : " " + short, .faint)
      }
      return [line]
    }
  }

  /// A cause without its explanation, or the start of it, where it is too long.
  private func clipped(_ name: String, to columns: Int) -> String {
    guard ColumnWidth.of(name) > columns else { return name }
    let short = String(name.prefix { $0 != "(" && $0 != "," })
    return ColumnWidth.clip(short, to: columns, ellipsis: glyphs.ellipsis)
  }

  /// Each finding in a sentence, with what it is worth and the command that shows it.
  private func lines(of fixes: [Document.Fix]) -> [TextLine] {
    let shown = fixes.prefix(fixLimit)
    guard !shown.isEmpty else { return [] }
    return [heading("Fix")]
      + shown.enumerated().flatMap { index, fix -> [TextLine] in
        let number = " \(index + 1)  "
        let indent = number.count
        let text = wrapped(.init(fix.text), indent: 0, width: style.width - indent)
          .behind(TextLine(number, .strong))
        let step = shortened(fix.step, to: style.width - indent)
        var worth = wrapped(.init(fix.worth), first: indent, indent: indent)
        if let last = worth.last {
          let short = shortened(fix.step, to: style.width - last.width - 2)
          if last.width + 2 + ColumnWidth.of(short) <= style.width {
            var line = last
            line.pad(to: style.width - ColumnWidth.of(short))
            line.append(short, .faint)
            worth[worth.count - 1] = line
            return text + worth
          }
        }
        let line = TextLine(String(repeating: " ", count: indent)) + TextLine(step, .faint)
        return text + worth + [line.uncut]
      } + more(fixes.dropFirst(fixLimit).count(where: \.isLarge))
  }

  /// A line on large fixes for which there is no room.
  private func more(_ count: Int) -> [TextLine] {
    count > 0 ? [TextLine("    \(count) more: --full", .faint)] : []
  }

  /// Commands under each other, and what each shows.
  private func lines(of steps: [Document.Step]) -> [TextLine] {
    let room = style.width - Self.firstColumn
    let texts = steps.map { step in
      if case .advice(let text) = step.step { return text }
      return shortened(step.step, to: room)
    }
    let widest = texts.map { ColumnWidth.of($0) }.max() ?? 0
    return zip(steps, texts).enumerated().flatMap { index, pair -> [TextLine] in
      let (step, text) = pair
      var line = TextLine(index == 0 ? "Next" : "", .strong)
      line.pad(to: Self.firstColumn)
      if case .advice = step.step {
        return wrapped(.init(text), indent: 0, width: room).behind(line)
      }
      line.append(text)
      let remark = style.text(step.remark)
      if !remark.isEmpty, Self.firstColumn + widest + 2 + ColumnWidth.of(remark) <= style.width {
        line.pad(to: Self.firstColumn + widest + 2)
        line.append(remark, .faint)
      }
      return [line.uncut]
    }
  }

  /// A command, with `FILE` in place of its trace where it is too long.
  private func shortened(_ step: NextStep, to columns: Int) -> String {
    let text = step.text(for: style.sink)
    guard ColumnWidth.of(text) > columns, case .command(var arguments, _) = step,
      arguments.first == "scrolltrace", arguments.count > 2
    else { return text }
    arguments[2] = "FILE"
    return NextStep.command(arguments).text(for: style.sink)
  }

  // MARK: - Graphs

  private func lines(of graph: Document.Graph) -> [TextLine] {
    (graph.title.isEmpty ? [] : [heading(graph.title)])
      + (graph.explanation.isEmpty
        ? [] : wrapped(StyledText(graph.explanation, .faint), indent: 0))
      + FrameGraph(graph: graph, style: style).lines()
  }
}
