import ScrollTraceCLI

/// The image of an item: a small landscape derived from the item's number.
///
/// Images differ visibly between items, so that an image in the wrong row is noticed.
struct LivePicture {
  /// The item of the image.
  let item: UInt64
  private let scene: Scene

  /// The colors of a landscape.
  private struct Scene {
    let sky: LiveColor, horizon: LiveColor, sun: LiveColor, far: LiveColor, near: LiveColor
  }

  /// Creates the image of `item`.
  init(of item: UInt64) {
    self.item = item
    scene = Self.scenes[Int(Self.scattered(item, 0) % UInt64(Self.scenes.count))]
  }

  private static let scenes = [
    scene(0x1B2A5C, 0xF2A65A, 0xFFE08A, 0x6B3F69, 0x2E1F45),
    scene(0x3D7EC9, 0xCFE8F5, 0xFFF7C9, 0x5F9E7A, 0x2C6B4F),
    scene(0x0B1030, 0x3C4F9E, 0xF3F1E0, 0x28356B, 0x121A3C),
    scene(0xB83B5E, 0xF6C065, 0xFFF0B5, 0x7A2C4E, 0x42183A),
    scene(0x2A9D8F, 0xE9E2B0, 0xFFFFFF, 0x3F7F8C, 0x1F4B5E),
    scene(0x8FB8DE, 0xF7E3E3, 0xFFFFFF, 0xA7A3C9, 0x666A9A),
    scene(0xE07A5F, 0xF4D9A8, 0xFFFBE6, 0xC2593F, 0x7C2F2B),
    scene(0x4B2E83, 0xE58FB5, 0xFFE3F1, 0x6D3B8E, 0x2F1B57),
    scene(0x6BA368, 0xE7F0B8, 0xFFF4A3, 0x4A8259, 0x24523A),
  ]

  private static func scene(
    _ sky: UInt32, _ horizon: UInt32, _ sun: UInt32, _ far: UInt32, _ near: UInt32
  ) -> Scene {
    func color(_ value: UInt32) -> LiveColor {
      LiveColor(
        UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value))
    }
    return Scene(
      sky: color(sky), horizon: color(horizon), sun: color(sun), far: color(far),
      near: color(near))
  }

  /// Returns a pseudorandom number for each item and `salt`.
  private static func scattered(_ item: UInt64, _ salt: UInt64) -> UInt64 {
    var value = item &* 0x9E37_79B9_7F4A_7C15 &+ salt &* 0xD1B5_4A32_D192_ED03
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  private func chance(_ salt: UInt64) -> Double {
    Double(Self.scattered(item, salt) % 1024) / 1024
  }

  /// Returns the color at one point of the image.
  ///
  /// - Parameters:
  ///   - x: The distance from the left edge, 0 to 1.
  ///   - y: The distance from the upper edge, 0 to 1.
  ///   - aspect: The ratio of width to height.
  ///   - detail: The height in pixels, so that edges become as soft as a pixel.
  func color(x: Double, y: Double, aspect: Double, detail: Double) -> LiveColor {
    var color = scene.sky.mixed(with: scene.horizon, y * 1.4)
    let (sunX, sunY) = (0.2 + 0.6 * chance(1), 0.18 + 0.27 * chance(2))
    let (dx, dy) = ((x - sunX) * aspect, y - sunY)
    let distance = (dx * dx + dy * dy).squareRoot()
    color = color.mixed(with: scene.sun, 0.35 * max(0, 1 - distance / 0.55))
    color = color.mixed(with: scene.sun, (0.15 - distance) * detail + 0.5)
    let far = 0.5 + 0.16 * Self.wave(x * (0.8 + chance(3)) + chance(4))
    color = color.mixed(with: scene.far, (y - far) * detail + 0.5)
    let near = 0.7 + 0.18 * Self.wave(x * (0.5 + 0.6 * chance(5)) + chance(6))
    return color.mixed(with: scene.near, (y - near) * detail + 0.5)
  }

  /// Returns a smooth wave of length 1 between 0 and 1; polynomials make it the same on every
  /// machine.
  private static func wave(_ place: Double) -> Double {
    let part = place - place.rounded(.down)
    let hill = part * (1 - part) * 4
    return hill * hill * (3 - 2 * hill)
  }
}

/// Half cells, two in each cell, used as pixels of images.
struct LivePixels {
  /// The number of pixels in a row.
  let columns: Int
  /// The number of pixels in a column.
  let rows: Int
  private var pixels: [Pixel?]

  /// A pixel, and the character that represents it without colors.
  struct Pixel: Equatable {
    /// The color.
    var color: LiveColor
    /// The character, or `nil` for a background, which is not drawn without colors.
    var sign: String?
  }

  /// Creates empty pixels, or pixels of `background`.
  init(columns: Int, rows: Int, background: LiveColor?) {
    self.columns = columns
    self.rows = rows
    pixels = Array(
      repeating: background.map { Pixel(color: $0) }, count: max(0, columns) * max(0, rows))
  }

  /// Paints a pixel; `coverage` is the painted share, 0 to 1.
  ///
  /// If `isSmooth`, edges between pixels are mixed with the background.
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
