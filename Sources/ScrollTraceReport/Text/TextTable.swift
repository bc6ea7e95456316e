/// A table of lines whose columns line up.
struct TextTable {
  /// One column.
  struct Column {
    /// On which side its cells stand.
    enum Alignment {
      case left
      case right
    }

    let title: String
    var alignment = Alignment.left
    /// Whether the column gives way where the table is too wide; at most one does.
    var isFlexible = false
    /// Whether its cells are lists with commas between their items, of which none is cut in two.
    var isList = false
    /// Columns with a number are left out where the table is still too wide, highest first.
    var expendability = 0
  }

  /// The columns from left to right.
  let columns: [Column]
  /// The rows, each with a cell for each column.
  private(set) var rows: [[TextLine]] = []
  private var naturalWidths: [Int]

  /// An empty table.
  init(_ columns: [Column]) {
    self.columns = columns
    naturalWidths = columns.map { ColumnWidth.of($0.title) }
  }

  /// Adds a row with a cell for each column.
  mutating func add(_ cells: [TextLine]) {
    rows.append(cells)
    for (index, cell) in cells.enumerated() {
      naturalWidths[index] = max(naturalWidths[index], cell.width)
    }
  }

  /// The heading and the rows, two columns from the left, in at most `width` columns.
  func lines(width: Int, ellipsis: String) -> [TextLine] {
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
      line(cells, shown: shown, flexible: flexible, ellipsis: ellipsis)
        .clipped(to: width, ellipsis: ellipsis)
    }
  }

  private let minimumFlexibleWidth = 10
  private let margin = 2

  private func line(
    _ cells: [TextLine], shown: [Int], flexible: Int, ellipsis: String
  ) -> TextLine {
    var line = TextLine()
    var place = 0
    for index in shown {
      line.pad(to: place + margin)
      let width =
        columns[index].isFlexible
        ? min(flexible, naturalWidths[index]) : naturalWidths[index]
      let cell =
        columns[index].isList
        ? cells[index].clippedBetweenItems(to: width, ellipsis: ellipsis)
        : cells[index].clipped(to: width, ellipsis: ellipsis)
      place += margin + width
      if columns[index].alignment == .right { line.pad(to: place - cell.width) }
      line.append(cell)
    }
    return line
  }

  private func totalWidth(of shown: [Int], flexible: Int) -> Int {
    shown.reduce(0) {
      $0 + margin
        + (columns[$1].isFlexible ? min(flexible, naturalWidths[$1]) : naturalWidths[$1])
    }
  }
}
