import ScrollTraceModel

/// How a text report looks: its width, its glyphs, its colours and how much of it there is.
package struct TextStyle: Sendable {
  /// The narrowest report.
  package static let minimumWidth = 60

  /// The number of columns, at least `minimumWidth`.
  package let width: Int
  package let tier: GraphCharset
  package let palette: Palette
  /// How many hitches are listed for each surface; `nil` for all.
  package let hitchLimit: Int?
  /// Whether a report is complete, rather than its first screen.
  package let isFull: Bool

  /// A style; a width below the minimum becomes the minimum.
  package init(
    width: Int = 80, tier: GraphCharset = .basic, palette: Palette = .none, hitchLimit: Int? = 5,
    isFull: Bool = false
  ) {
    self.width = max(width, Self.minimumWidth)
    self.tier = tier
    self.palette = palette
    self.hitchLimit = hitchLimit
    self.isFull = isFull
  }

  /// The context that names are escaped for.
  var sink: EscapingContext { tier == .ascii ? .asciiTerminal : .terminal }
  var glyphs: Glyphs { Glyphs(tier: tier) }

  /// A text of a document in the characters of this style.
  func text(_ text: String) -> String {
    guard tier == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var result = text
    for (sign, ascii) in Self.asciiSigns where result.includes(sign) {
      result = result.replacingAll(sign, with: ascii)
    }
    return sink.escape(result)
  }

  func line(_ text: StyledText) -> TextLine { TextLine(self.text(text.text), text.role) }

  /// The end of a path in at most `columns`.
  func ending(of path: String, _ columns: Int) -> String {
    VisibleName.end(of: text(path), columns, ellipsis: glyphs.ellipsis)
  }

  private static let asciiSigns = [
    (" · ", ", "), (" › ", " > "), ("…", "..."), ("→", "->"), ("≤", "<="), ("≥", ">="), ("×", "x"),
    ("±", "+-"), ("•", "-"),
  ]
}

/// Which glyphs fonts and logs can be trusted with.
package enum GraphCharset: String, Sendable, CaseIterable {
  case ascii
  /// What every monospaced font has: lines, full and half blocks.
  case basic
  /// Blocks in eighths.
  case blocks
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

extension TextRole {
  /// The parameters of the escape sequence, or `nil` if nothing is to be written.
  package func parameters(in palette: Palette) -> String? {
    switch (palette, self) {
    case (.none, _), (_, .plain): nil
    case (_, .strong): "1"
    case (_, .faint): "2"
    case (.sixteen, .good): "34"
    case (.sixteen, .near): "33"
    case (.sixteen, .late): "91"
    case (.full, .good): "38;5;74"
    case (.full, .near): "38;5;214"
    case (.full, .late): "38;5;166"
    }
  }
}
