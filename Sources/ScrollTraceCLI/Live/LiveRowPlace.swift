/// Where a row of the list and its parts are on the screen, in cells and half cells.
struct LiveRowPlace {
  /// What is shown there.
  let row: LiveRow
  /// Its upper edge in half cells below the top of the list.
  let top: Double
  /// Its lower edge.
  let bottom: Double
  /// The columns that are the row's.
  let columns: Range<Int>
  /// The columns of its picture.
  let picture: Range<Int>
  /// The height of its picture in half cells.
  let pictureHeight: Double
  /// The columns of its text.
  let text: Range<Int>
  /// The rows of its text, the first for the title.
  let textRows: Range<Int>

  /// The rows in which no text of others can stand.
  var textArea: Range<Int> { Self.cells(top, bottom) }

  /// A place, or `nil` for a row that is out of sight.
  init?(_ row: LiveRow, viewport: Int64, columns count: Int, pixels: Int) {
    let scale = Double(pixels) / Double(max(1, viewport))
    let top = Double(row.top) * scale
    // A picture higher than a hundred screens looks like one of a hundred.
    let height = min(Double(pixels) * 100, Double(row.height) * scale)
    guard top < Double(pixels), top + height > 0, height > 0 else { return nil }
    let besides = Int64(max(1, min(row.columns, max(1, count / 4))))
    guard (0..<besides).contains(Int64(row.column)) else { return nil }
    self.row = row
    self.top = top
    bottom = top + height
    columns =
      count * row.column / Int(besides)..<(count * (row.column + 1) / Int(besides))
    let gap = height >= 3 ? 1.0 : 0
    if besides == 1 {
      (picture, text, pictureHeight, textRows) = Self.beside(
        row, columns, top: top, height: height, gap: gap)
    } else {
      (picture, text, pictureHeight, textRows) = Self.below(
        columns, top: top, height: height, gap: gap)
    }
  }

  private typealias Parts = (Range<Int>, Range<Int>, Double, Range<Int>)

  /// The text to the right of the picture.
  private static func beside(
    _ row: LiveRow, _ columns: Range<Int>, top: Double, height: Double, gap: Double
  ) -> Parts {
    let start = columns.lowerBound + (columns.count >= 60 ? 2 : 1)
    let pictureHeight = row.isPhoto ? height - gap : min(height - gap, 6)
    let wide = row.isPhoto ? pictureHeight * 16 / 9 : pictureHeight * 4 / 3
    let width = Int(min(wide.rounded(), Double(columns.count) * 0.4))
    let picture = start..<max(start, start + width)
    let text = min(picture.upperBound + 2, columns.upperBound)..<columns.upperBound
    let lines = cells(top, top + height)
    let middle = rounded((top + pictureHeight / 2) / 2 - 1)
    let first = min(max(lines.lowerBound, middle), lines.upperBound)
    return (picture, text, pictureHeight, first..<min(first + 2, lines.upperBound))
  }

  /// The text below the picture, as there is little room beside it.
  private static func below(
    _ columns: Range<Int>, top: Double, height: Double, gap: Double
  ) -> Parts {
    let all = cells(top, top + height - gap)
    let count = height >= 10 ? 2 : height >= 6 ? 1 : 0
    let first = max(all.lowerBound, all.upperBound - count)
    let inner = (columns.lowerBound + 1)..<max(columns.lowerBound + 1, columns.upperBound - 1)
    let pictureHeight = height - gap - Double(2 * count)
    return (inner, inner, max(0, pictureHeight), first..<all.upperBound)
  }

  /// The cells that mostly belong to a stretch of half cells.
  private static func cells(_ top: Double, _ bottom: Double) -> Range<Int> {
    let first = rounded(top / 2)
    return first..<max(first, rounded(bottom / 2))
  }

  private static func rounded(_ value: Double) -> Int {
    Int(min(100_000, max(-100_000, value.rounded())))
  }
}
