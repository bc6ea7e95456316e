/// A table of lines whose columns line up.
struct TextTable {
  private let columns: [Document.Table.Column]
  private var rows: [[TextLine]] = []
  private var naturalWidths: [Int]
  private let style: TextStyle

  /// An empty table.
  init(_ columns: [Document.Table.Column], _ style: TextStyle) {
    self.columns = columns
    self.style = style
    naturalWidths = columns.map { ColumnWidth.of($0.title) }
  }

  init(_ table: Document.Table, _ style: TextStyle) {
    self.init(table.columns, style)
    for row in table.rows {
      let cells = row.map(style.line)
      rows.append(cells)
      for (index, cell) in cells.enumerated() where index < naturalWidths.count {
        naturalWidths[index] = max(naturalWidths[index], cell.width)
      }
    }
  }

  /// Makes the columns at least as wide as those of a table with the same columns.
  mutating func widen(by other: TextTable) {
    naturalWidths = zip(naturalWidths, other.naturalWidths).map(max)
  }

  /// The heading and the rows, two columns from the left, in at most `width` columns.
  func lines(width: Int) -> [TextLine] {
    var shown = Array(columns.indices)
    while totalWidth(of: shown, flexible: minimumFlexibleWidth) > width,
      let dropped = shown.filter({ columns[$0].expendability > 0 })
        .max(by: { columns[$0].expendability < columns[$1].expendability })
    {
      shown.removeAll { $0 == dropped }
    }
    let rest = totalWidth(of: shown, flexible: 0)
    let flexible = max(minimumFlexibleWidth, width - rest)
    let titles = columns.map { TextLine($0.title, .faint) }
    let hasTitles = columns.contains { !$0.title.isEmpty }
    return ((hasTitles ? [titles] : []) + rows).map { cells in
      line(cells, shown: shown, flexible: flexible)
        .clipped(to: width, ellipsis: style.glyphs.ellipsis)
    }
  }

  private var minimumFlexibleWidth: Int { columns.first(where: \.isFlexible)?.minimum ?? 0 }
  private let margin = 2

  private func line(_ cells: [TextLine], shown: [Int], flexible: Int) -> TextLine {
    var line = TextLine()
    var position = 0
    for index in shown {
      line.pad(to: position + margin)
      let width =
        columns[index].isFlexible
        ? min(flexible, naturalWidths[index]) : naturalWidths[index]
      let cell = clipped(cells[index], columns[index], to: width)
      position += margin + width
      if columns[index].alignment == .right { line.pad(to: position - cell.width) }
      line.append(cell)
    }
    return line
  }

  private func clipped(
    _ cell: TextLine, _ column: Document.Table.Column, to width: Int
  ) -> TextLine {
    let ellipsis = style.glyphs.ellipsis
    if column.isList { return cell.clippedBetweenItems(to: width, ellipsis: ellipsis) }
    if column.isCallPath, cell.width > width {
      return TextLine(CallPathText.shortened(cell.plain, to: width, ellipsis), cell.ink)
    }
    guard column.isPath, cell.width > width else {
      return cell.clipped(to: width, ellipsis: ellipsis)
    }
    return TextLine(style.ending(of: cell.plain, width), cell.ink)
  }

  private func totalWidth(of shown: [Int], flexible: Int) -> Int {
    shown.reduce(0) {
      $0 + margin
        + (columns[$1].isFlexible ? min(flexible, naturalWidths[$1]) : naturalWidths[$1])
    }
  }
}
