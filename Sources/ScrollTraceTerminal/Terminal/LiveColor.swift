import ScrollTraceCLI
import ScrollTraceKit

/// A color of the live view; a word, position or character always repeats its meaning.
struct LiveColor: Equatable, Sendable {
  /// The components of the color.
  let red: UInt8, green: UInt8, blue: UInt8
  /// Its index among 256 and among sixteen colors, by default the nearest one.
  private var indexed: UInt8?
  private var basic: UInt8?

  /// Creates a color from its components.
  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, indexed: UInt8? = nil, basic: UInt8? = nil) {
    (self.red, self.green, self.blue) = (red, green, blue)
    (self.indexed, self.basic) = (indexed, basic)
  }

  // The colors of the text report, which are distinguishable for everyone.

  /// On time.
  static let good = LiveColor(0x5F, 0xAF, 0xD7, indexed: 74, basic: 4)
  /// Near the limit.
  static let near = LiveColor(0xFF, 0xAF, 0x00, indexed: 214, basic: 3)
  /// Late.
  static let late = LiveColor(0xD7, 0x5F, 0x00, indexed: 166, basic: 9)

  /// Work done in advance.
  static let ahead = LiveColor(0x26, 0x66, 0x8C, indexed: 24, basic: 6)
  /// Primary text.
  static let text = LiveColor(0xEC, 0xED, 0xF0, indexed: 255, basic: 7)
  /// Secondary text.
  static let quiet = LiveColor(0x8E, 0x93, 0xA0, indexed: 246, basic: 7)
  /// Lines.
  static let line = LiveColor(0x4A, 0x4F, 0x5C, indexed: 240, basic: 8)
  /// The background of the list.
  static let ground = LiveColor(0x15, 0x17, 0x1D, indexed: 234, basic: 0)
  /// The background of the panel.
  static let panel = LiveColor(0x0C, 0x0D, 0x11, indexed: 232, basic: 0)
  /// The background of a dragged row.
  static let held = LiveColor(0x34, 0x39, 0x48, indexed: 237, basic: 8)

  /// Returns the parameter that selects it as text or background color.
  func parameter(_ level: ColorLevel, isBackground: Bool) -> String {
    let place = isBackground ? "48" : "38"
    switch level {
    case .none: return ""
    case .sixteen:
      let number = basic ?? nearestBasic
      return String((number < 8 ? 30 : 82) + Int(number) + (isBackground ? 10 : 0))
    case .indexed: return "\(place);5;\(indexed ?? nearestIndexed)"
    case .full: return "\(place);2;\(red);\(green);\(blue)"
    }
  }

  /// Returns the color mixed with a `part` of `other`, 0 to 1.
  func mixed(with other: LiveColor, _ part: Double) -> LiveColor {
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      let value = Double(from) + (Double(to) - Double(from)) * min(1, max(0, part))
      return UInt8(clamping: Int(value.rounded()))
    }
    return LiveColor(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }

  /// The lightness, 0 to 1.
  var lightness: Double {
    (Double(red) * 3 + Double(green) * 6 + Double(blue)) / 2550
  }

  private func distance(to red: Int, _ green: Int, _ blue: Int) -> Int {
    let (r, g, b) = (Int(self.red) - red, Int(self.green) - green, Int(self.blue) - blue)
    return 3 * r * r + 6 * g * g + b * b
  }

  private var nearestIndexed: UInt8 {
    func step(_ part: UInt8) -> Int { part < 48 ? 0 : part < 115 ? 1 : (Int(part) - 35) / 40 }
    func value(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
    let (r, g, b) = (step(red), step(green), step(blue))
    let grey = min(23, max(0, (Int(red) + Int(green) + Int(blue) - 9) / 30))
    let shade = 8 + 10 * grey
    let isGrey =
      distance(to: shade, shade, shade) < distance(to: value(r), value(g), value(b))
    return UInt8(clamping: isGrey ? 232 + grey : 16 + 36 * r + 6 * g + b)
  }

  private var nearestBasic: UInt8 {
    let colors = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205),
      (0, 205, 205), (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
      (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]
    var nearest = (index: 0, distance: Int.max)
    for (index, color) in colors.enumerated() {
      let distance = distance(to: color.0, color.1, color.2)
      if distance < nearest.distance { nearest = (index, distance) }
    }
    return UInt8(clamping: nearest.index)
  }
}

/// The number of colors for images.
enum ColorLevel: Sendable, CaseIterable {
  /// None, or no color is requested.
  case none
  /// The sixteen colors of every terminal.
  case sixteen
  /// 256 colors: a color cube and a gray ramp.
  case indexed
  /// 24-bit colors.
  case full

  /// Creates the level that the variables of `environment` indicate.
  init(_ environment: CommandEnvironment) {
    let term = environment["TERM"] ?? ""
    let depth = environment["COLORTERM"] ?? ""
    if term == "dumb" || environment.palette == .none {
      self = .none
    } else if depth == "truecolor" || depth == "24bit" || term.hasSuffix("-direct") {
      self = .full
    } else {
      self = environment.palette == .full ? .indexed : .sixteen
    }
  }

  /// A Boolean value indicating whether backgrounds have their own colors instead of the
  /// terminal's.
  var paintsBackground: Bool { self == .indexed || self == .full }
}
