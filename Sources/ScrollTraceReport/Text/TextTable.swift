import ScrollTraceModel

/// A table of lines whose columns line up.
struct TextTable {
  private let columns: [Document.Table.Column]
  private var rows: [[TextLine]] = []
  private var naturalWidths: [Int]
  private let style: TextStyle

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
    // The start of a name says more than that of a result, which would be cut instead.
    let flexible = max(min(minimumFlexibleWidth, Self.narrowestName), width - rest)
    let titles = columns.map { TextLine($0.title, .faint) }
    let hasTitles = columns.contains { !$0.title.isEmpty }
    return ((hasTitles ? [titles] : []) + rows).map { cells in
      line(cells, shown: shown, flexible: flexible)
        .clipped(to: width, ellipsis: style.glyphs.ellipsis)
    }
  }

  /// The width below which a name says nothing.
  private static let narrowestName = 10
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

/// Call paths as narrow forms show them.
enum CallPathText {
  private static let separators = [" › ", " > ", " … ", " ... "]
  /// The columns to which the names of called functions are shortened before that of the first one is.
  private static let minimumColumns = 12

  /// Returns a call path in at most `columns`: its longest names are shortened, so that each function that it
  /// names is still there, and the first one, which is the app's, keeps most.
  static func shortened(_ path: String, to columns: Int, _ ellipsis: String) -> String {
    let indent = path.prefix { $0 == " " }
    var (names, between) = ([String](), [String]())
    var rest = path.dropFirst(indent.count)
    while let (range, separator) = next(in: rest) {
      names.append(String(rest[..<range.lowerBound]))
      between.append(separator)
      rest = rest[range.upperBound...]
    }
    names.append(String(rest))
    let room = columns - indent.count - between.reduce(0) { $0 + ColumnWidth.of($1) }
    var widths = names.map { ColumnWidth.of($0) }
    while widths.reduce(0, +) > room, let index = longest(of: widths) { widths[index] -= 1 }
    var text = String(indent)
    for (index, name) in names.enumerated() {
      text += ColumnWidth.clip(name, to: widths[index], ellipsis: ellipsis)
      if index < between.count { text += between[index] }
    }
    return ColumnWidth.clip(text, to: columns, ellipsis: ellipsis)
  }

  /// The first separator of a path.
  private static func next(in path: Substring) -> (Range<Substring.Index>, String)? {
    separators.compactMap { separator in
      path.firstOccurrence(of: separator).map { ($0, separator) }
    }.min { $0.0.lowerBound < $1.0.lowerBound }
  }

  /// The position of the name that gives way next, or `nil` if none can.
  private static func longest(of widths: [Int]) -> Int? {
    let called = widths.indices.dropFirst().filter { widths[$0] > minimumColumns }
    let candidates = called.isEmpty ? widths.indices.filter { widths[$0] > 1 } : called
    return candidates.max { widths[$0] < widths[$1] }
  }
}
