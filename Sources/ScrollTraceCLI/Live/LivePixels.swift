/// Half cells, two above each other in each cell, that pictures are painted with.
struct LivePixels {
  /// The number of pixels beside each other.
  let columns: Int
  /// The number of pixels above each other.
  let rows: Int
  private var pixels: [Pixel?]

  /// A pixel, and the sign it is drawn with where there are no colours.
  struct Pixel: Hashable {
    /// Its colour.
    var color: LiveColor
    /// Its sign; `nil` for a background, which is then not drawn.
    var sign: String?
  }

  /// Pixels of nothing, or of `background`.
  init(columns: Int, rows: Int, background: LiveColor?) {
    self.columns = columns
    self.rows = rows
    pixels = Array(
      repeating: background.map { Pixel(color: $0) }, count: max(0, columns) * max(0, rows))
  }

  /// Paints a pixel; `coverage` says how much of it, 0 ... 1.
  ///
  /// Edges that lie between pixels are mixed with what is behind them if `isSmooth`.
  mutating func paint(_ pixel: Pixel, x: Int, y: Int, coverage: Double, isSmooth: Bool) {
    guard (0..<columns).contains(x), (0..<rows).contains(y) else { return }
    var pixel = pixel
    if isSmooth, coverage < 0.99, let behind = pixels[y * columns + x] {
      guard coverage > 0.01 else { return }
      pixel.color = behind.color.mixed(with: pixel.color, coverage)
    } else if coverage < 0.5 {
      return
    }
    pixels[y * columns + x] = pixel
  }

  /// Draws all pixels into the upper rows of `canvas`.
  func draw(on canvas: inout LiveCanvas, _ level: ColorLevel) {
    for row in 0..<(rows / 2) {
      for column in 0..<columns {
        let upper = pixels[2 * row * columns + column]
        let lower = pixels[(2 * row + 1) * columns + column]
        let (text, style) =
          level == .none ? Self.bare(upper, lower) : Self.colored(upper?.color, lower?.color)
        canvas.set(text, style, row: row, column: column)
      }
    }
  }

  private static func colored(_ upper: LiveColor?, _ lower: LiveColor?) -> (String, LiveStyle) {
    switch (upper, lower) {
    case (nil, nil): (" ", LiveStyle())
    case (let upper?, nil): ("▀", LiveStyle(foreground: upper))
    case (nil, let lower?): ("▄", LiveStyle(foreground: lower))
    case (let upper?, let lower?):
      upper == lower
        ? (" ", LiveStyle(background: upper))
        : ("▀", LiveStyle(foreground: upper, background: lower))
    }
  }

  private static func bare(_ upper: Pixel?, _ lower: Pixel?) -> (String, LiveStyle) {
    switch (upper?.sign, lower?.sign) {
    case (nil, nil): (" ", LiveStyle())
    case (_?, nil): ("▀", LiveStyle())
    case (nil, _?): ("▄", LiveStyle())
    case (let upper?, _): (upper, LiveStyle())
    }
  }
}
