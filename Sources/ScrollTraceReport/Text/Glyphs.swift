/// The glyphs of a tier.
struct Glyphs: Sendable {
  let tier: GraphCharset

  /// The glyphs of `tier`.
  init(_ tier: GraphCharset) {
    self.tier = tier
  }

  private var isASCII: Bool { tier == .ascii }

  var edge: String { isASCII ? "|" : "│" }
  var tick: String { isASCII ? "+" : "┤" }
  var corner: String { isASCII ? "+" : "└" }
  var endCorner: String { isASCII ? "+" : "┘" }
  var line: String { isASCII ? "-" : "─" }
  var crossing: String { isASCII ? "+" : "┼" }
  var upTick: String { isASCII ? "+" : "┴" }
  /// A piece of the line of the budget.
  var dash: String { isASCII ? "-" : "┄" }
  var beyond: String { isASCII ? "^" : "▲" }
  /// Running, waiting and idle.
  var shades: [String] { isASCII ? ["#", "w", "."] : ["█", "▒", "·"] }
  var bar: String { isASCII ? "#" : "█" }
  var ellipsis: String { isASCII ? "..." : "…" }
  var separator: String { isASCII ? "," : " ·" }
  var bullet: String { isASCII ? "-" : "•" }
  var atMost: String { isASCII ? "<=" : "≤" }

  /// How many pieces of data stand beside each other in one cell.
  var columnsPerCell: Int { tier == .braille ? 2 : 1 }

  /// How many heights a cell can show, nothing aside.
  var levels: Int {
    switch tier {
    case .ascii, .basic: 2
    case .blocks: 8
    case .braille: 4
    }
  }

  /// A cell of columns filled up to `heights`, each 0 ... `levels`, one for each column of the cell.
  func cell(_ heights: [Int], isLate: Bool) -> String {
    let height = min(levels, max(0, heights.first ?? 0))
    switch tier {
    case .ascii: return [" ", ".", isLate ? "#" : "|"][height]
    case .basic: return [" ", "▄", "█"][height]
    case .blocks: return [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][height]
    case .braille: return Self.braille(height, min(levels, max(0, heights.last ?? 0)))
    }
  }

  /// A cell of the budget's row, crossed by a late column or not.
  func budgetCell(isCrossed: Bool) -> String {
    isCrossed ? cell([levels, levels], isLate: true) : dash
  }

  /// A bar of so many eighths of a cell, in the pieces that there are.
  func bar(eighths: Int) -> String {
    let whole = String(repeating: bar, count: eighths / 8)
    guard tier == .blocks else { return eighths % 8 >= 4 || eighths < 8 ? whole + bar : whole }
    return whole + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
  }

  private static func braille(_ left: Int, _ right: Int) -> String {
    guard left + right > 0 else { return " " }
    let leftDots: [UInt32] = [0x00, 0x40, 0x44, 0x46, 0x47]
    let rightDots: [UInt32] = [0x00, 0x80, 0xA0, 0xB0, 0xB8]
    guard let scalar = Unicode.Scalar(0x2800 + leftDots[left] + rightDots[right]) else {
      return " "
    }
    return String(scalar)
  }
}
