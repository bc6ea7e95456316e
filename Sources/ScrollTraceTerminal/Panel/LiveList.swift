import ScrollTraceCLI
import ScrollTraceKit

/// The list: an image and two lines of text for each row, moved by half cells and less.
struct LiveList {
  /// The state to draw.
  let state: LiveState
  /// The rows of the screen for the list.
  let rows: Int
  /// The available colors.
  let level: ColorLevel

  private static let mostSigns = 400

  /// Draws it into the upper rows of `canvas`.
  func draw(on canvas: inout LiveCanvas) {
    guard rows > 0, state.viewport > 0 else { return }
    var pixels = LivePixels(
      columns: canvas.columns, rows: rows * 2, background: level.paintsBackground ? .ground : nil)
    let places = state.rows.compactMap { row in
      LiveRowPlace(row, viewport: state.viewport, columns: canvas.columns, pixels: rows * 2)
    }
    // A dragged row lies above everything else.
    let held = places.filter(\.row.isHeld)
    let others = places.filter { !$0.row.isHeld }
    for place in others + held { paint(place, on: &pixels) }
    pixels.draw(on: &canvas, level)
    for place in others { write(place, below: held, on: &canvas) }
    for place in held { write(place, below: [], on: &canvas) }
  }

  // MARK: - Pictures

  private func paint(_ place: LiveRowPlace, on pixels: inout LivePixels) {
    if place.row.isHeld {
      // As whole cells, because its text must be readable.
      let area = place.textArea
      paint(
        place.columns, Double(area.lowerBound * 2), Double(area.upperBound * 2), on: &pixels
      ) { _, _ in LivePixels.Pixel(color: .held) }
    }
    let (top, bottom) = (place.top, place.top + place.pictureHeight)
    let columns = place.picture
    guard !columns.isEmpty, top < bottom else { return }
    let picture = LivePicture(of: place.row.item)
    let height = bottom - top
    let aspect = Double(columns.count) / height
    paint(columns, top, bottom, on: &pixels) { x, y in
      if place.row.isWrong, isFrame(x: x, y: y, columns.count, height) {
        return LivePixels.Pixel(color: .late, sign: "X")
      }
      switch place.row.content {
      case .placeholder: return placeholder(x: x, y: Int(y))
      case .undecoded:
        let isLine = (x + Int(y)) % 4 < 2
        let color = isLine ? LiveColor(0x62, 0x66, 0x70) : LiveColor(0x3A, 0x3D, 0x46)
        return LivePixels.Pixel(color: color, sign: "╱")
      case .final:
        let color = picture.color(
          x: (Double(x) + 0.5) / Double(columns.count), y: y / height, aspect: aspect,
          detail: height)
        return LivePixels.Pixel(color: color, sign: Self.sign(of: color))
      }
    }
  }

  /// Paints `color` of every pixel in a rectangle; it receives the distance from the upper left
  /// corner.
  private func paint(
    _ columns: Range<Int>, _ top: Double, _ bottom: Double, on pixels: inout LivePixels,
    _ color: (_ x: Int, _ y: Double) -> LivePixels.Pixel
  ) {
    let first = Int(max(0, top.rounded(.down)))
    let end = Int(min(Double(pixels.rows), bottom.rounded(.up)))
    guard first < end else { return }
    for y in first..<end {
      let coverage = min(bottom, Double(y + 1)) - max(top, Double(y))
      for x in columns {
        let distance = min(bottom - top, max(0, Double(y) + 0.5 - top))
        pixels.paint(
          color(x - columns.lowerBound, distance), x: x, y: y, coverage: coverage,
          isSmooth: level == .full)
      }
    }
  }

  private func isFrame(x: Int, y: Double, _ width: Int, _ height: Double) -> Bool {
    x == 0 || x == width - 1 || y < 1 || y >= height - 1
  }

  /// Returns gray with a moving highlight.
  private func placeholder(x: Int, y: Int) -> LivePixels.Pixel {
    let place = ((x + y - state.frames / 2) % 28 + 28) % 28
    let light = Double(max(0, 6 - abs(place - 14))) / 6
    let color = LiveColor(0x2A, 0x2D, 0x35).mixed(with: LiveColor(0x4C, 0x50, 0x5B), light)
    return LivePixels.Pixel(color: color, sign: "·")
  }

  private static func sign(of color: LiveColor) -> String {
    ["░", "▒", "▓", "█"][min(3, Int(color.lightness * 4))]
  }

  // MARK: - Text

  private func write(
    _ place: LiveRowPlace, below held: [LiveRowPlace], on canvas: inout LiveCanvas
  ) {
    let lines = place.textRows
    func isCovered(_ row: Int) -> Bool {
      held.contains { $0.textArea.contains(row) && $0.columns.overlaps(place.columns) }
    }
    if let row = lines.first, (0..<rows).contains(row), !isCovered(row) {
      var column = place.text.lowerBound
      if place.row.isHeld {
        column = canvas.write("≡ ", style(.near, isBold: true), row: row, column: column)
      }
      if place.row.isWrong {
        column = canvas.write("✗ ", style(.late, isBold: true), row: row, column: column)
      }
      canvas.write(
        Self.shown(place.row.title), style(.text, isBold: true), row: row, column: column,
        width: place.text.upperBound - column)
    }
    if let row = lines.dropFirst().first, (0..<rows).contains(row), !isCovered(row) {
      canvas.write(
        Self.shown(place.row.detail), style(.quiet), row: row, column: place.text.lowerBound,
        width: place.text.count)
    }
  }

  private func style(_ color: LiveColor, isBold: Bool = false) -> LiveStyle {
    // Sixteen colors are drawn on the terminal's own background, where its own text color is
    // readable.
    let isOwn = level.paintsBackground || color == .near || color == .late
    return LiveStyle(foreground: isOwn ? color : nil, isBold: isBold)
  }

  /// Returns a text from any source, limited to the length of a line.
  private static func shown(_ text: String) -> String {
    EscapingContext.terminal.escape(
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostSigns))))
  }
}

/// The position of a row and its parts on the screen, in cells and half cells.
struct LiveRowPlace {
  /// The row.
  let row: LiveRow
  /// Its upper edge in half cells below the top of the list.
  let top: Double
  /// Its lower edge.
  let bottom: Double
  /// The columns of the row.
  let columns: Range<Int>
  /// The columns of its image.
  let picture: Range<Int>
  /// The height of its image in half cells.
  let pictureHeight: Double
  /// The columns of its text.
  let text: Range<Int>
  /// The rows of its text, the first for the title.
  let textRows: Range<Int>

  /// The rows in which no text of others can be drawn.
  var textArea: Range<Int> { Self.cells(top, bottom) }

  /// Creates a place, or returns `nil` for a row out of view.
  init?(_ row: LiveRow, viewport: Int64, columns count: Int, pixels: Int) {
    let scale = Double(pixels) / Double(max(1, viewport))
    let top = Double(row.top) * scale
    // An image higher than a hundred screens looks like one of a hundred.
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

  /// Returns the text area to the right of the image.
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

  /// Returns the text area below the image, because there is little space beside it.
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

  /// Returns the cells that mostly belong to a range of half cells.
  private static func cells(_ top: Double, _ bottom: Double) -> Range<Int> {
    let first = rounded(top / 2)
    return first..<max(first, rounded(bottom / 2))
  }

  private static func rounded(_ value: Double) -> Int {
    Int(min(100_000, max(-100_000, value.rounded())))
  }
}
