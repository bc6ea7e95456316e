/// How a text report looks: its width, its glyphs, its colours and how much of it there is.
package struct TextStyle: Sendable {
  /// The narrowest report.
  package static let minimumWidth = 60

  /// The number of columns, at least `minimumWidth`.
  package let width: Int
  /// The glyphs that graphs are drawn with.
  package let tier: GraphCharset
  /// The colours there are.
  package let palette: Palette
  /// How many hitches are listed for each surface; `nil` for all.
  package let hitchLimit: Int?
  /// How many rows of other kinds are listed.
  var limits = RowLimits()

  /// A style; a width below the minimum becomes the minimum.
  package init(
    width: Int = 80, tier: GraphCharset = .basic, palette: Palette = .none, hitchLimit: Int? = 5
  ) {
    self.width = max(width, Self.minimumWidth)
    self.tier = tier
    self.palette = palette
    self.hitchLimit = hitchLimit
  }

  /// Where names go in this style.
  var sink: EscapingContext { tier == .ascii ? .asciiTerminal : .terminal }
  var glyphs: Glyphs { Glyphs(tier) }
}

/// Which glyphs fonts and logs can be trusted with.
package enum GraphCharset: String, Sendable, CaseIterable {
  /// ASCII only.
  case ascii
  /// What every monospaced font has: lines, full and half blocks.
  case basic
  /// Blocks in eighths.
  case blocks
  /// Dots, twice as many columns; many fonts lack them.
  case braille
}

/// How many colours a terminal has.
package enum Palette: Sendable {
  /// None: no escape sequence is written.
  case none
  /// The sixteen of every terminal.
  case sixteen
  /// 256, which has the colours of Okabe and Ito that stay apart for every eye.
  case full
}
