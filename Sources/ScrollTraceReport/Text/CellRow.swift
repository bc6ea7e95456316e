/// A row of cells that are written in any order.
struct CellRow {
  private var cells: [(text: String, ink: TextRole)]

  init(count: Int) {
    cells = Array(repeating: (" ", .plain), count: count)
  }

  /// Whether nothing was written to these cells, as far as they are in the row.
  func isBlank(_ range: Range<Int>) -> Bool {
    range.clamped(to: 0..<cells.count).allSatisfy { cells[$0].text == " " }
  }

  func holds(_ text: String, at index: Int) -> Bool { cells[index].text == text }

  /// Writes `text` from `index` on; what does not fit is left out.
  mutating func write(_ text: String, at index: Int, _ ink: TextRole) {
    var position = index
    var last: Int?
    for character in text {
      let width = ColumnWidth.of(String(character))
      if width == 0 {
        if let last { cells[last].text.append(character) }
        continue
      }
      guard position >= 0, position + width <= cells.count else { return }
      cells[position] = (String(character), ink)
      for rest in (position + 1)..<max(position + 1, position + width) { cells[rest] = ("", ink) }
      last = position
      position += width
    }
  }

  mutating func color(_ range: Range<Int>, _ ink: TextRole) {
    for index in range.clamped(to: 0..<cells.count) { cells[index].ink = ink }
  }

  var line: TextLine {
    var line = TextLine()
    for cell in cells { line.append(cell.text, cell.ink) }
    return line
  }
}
