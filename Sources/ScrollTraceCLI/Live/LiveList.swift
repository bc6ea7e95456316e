import ScrollTraceKit

/// The list: a picture and two lines of text for each row, moved by half cells and less.
struct LiveList {
  /// What is shown.
  let state: LiveState
  /// The rows of the screen there are for it.
  let rows: Int
  /// The colours there are.
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
    // What somebody holds lies above everything else.
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
      // As whole cells, as its text must be read on it.
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

  /// Paints `color` of every pixel in a rectangle; it gets the distance from the upper left corner.
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

  /// Grey with a light that wanders over it.
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
    // Sixteen colours are drawn on the terminal's own background, its own text can be read there.
    let isOwn = level.paintsBackground || color == .near || color == .late
    return LiveStyle(foreground: isOwn ? color : nil, isBold: isBold)
  }

  /// Text from anywhere, and not more of it than a line could hold.
  private static func shown(_ text: String) -> String {
    EscapingContext.terminal.escape(String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostSigns))))
  }
}
