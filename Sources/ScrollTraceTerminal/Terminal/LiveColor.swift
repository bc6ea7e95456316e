import ScrollTraceKit

/// A color of the live view; a word, position or character always repeats its meaning.
struct LiveColor: Equatable, Sendable {
  /// Its index among 256 and among sixteen colors.
  private let indexed: UInt8, basic: UInt8

  // The colors of the text report, which are distinguishable for everyone.

  /// On time.
  static let good = LiveColor(indexed: 74, basic: 4)
  /// Near the limit.
  static let near = LiveColor(indexed: 214, basic: 3)
  /// Late.
  static let late = LiveColor(indexed: 166, basic: 9)

  /// Work done in advance.
  static let ahead = LiveColor(indexed: 24, basic: 6)
  /// Primary text.
  static let text = LiveColor(indexed: 255, basic: 7)
  /// Secondary text.
  static let quiet = LiveColor(indexed: 246, basic: 7)
  /// Lines.
  static let line = LiveColor(indexed: 240, basic: 8)
  /// The background of the list.
  static let ground = LiveColor(indexed: 234, basic: 0)
  /// The background of the panel.
  static let panel = LiveColor(indexed: 232, basic: 0)
  /// The background of a dragged row.
  static let held = LiveColor(indexed: 237, basic: 8)

  /// Returns the parameter that selects it as text or background color.
  func parameter(_ palette: Palette, isBackground: Bool) -> String {
    switch palette {
    case .none: ""
    case .sixteen: String((basic < 8 ? 30 : 82) + Int(basic) + (isBackground ? 10 : 0))
    case .full: "\(isBackground ? 48 : 38);5;\(indexed)"
    }
  }
}

extension Palette {
  /// Whether backgrounds have their own colors instead of the
  /// terminal's.
  var paintsBackground: Bool { self == .full }
}
