/// The glyphs of a tier.
struct Glyphs: Sendable {
  let tier: GraphCharset

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

  /// How many heights a cell can show, nothing aside.
  var levels: Int {
    switch tier {
    case .ascii, .basic: 2
    case .blocks: 8
    }
  }

  /// A cell filled up to `height`, 0 ... `levels`.
  func cell(_ height: Int, isLate: Bool) -> String {
    let height = min(levels, max(0, height))
    switch tier {
    case .ascii: return [" ", ".", isLate ? "#" : "|"][height]
    case .basic: return [" ", "▄", "█"][height]
    case .blocks: return [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][height]
    }
  }

  /// A bar of so many eighths of a cell, in the pieces that there are.
  func bar(eighths: Int) -> String {
    let whole = String(repeating: bar, count: eighths / 8)
    guard tier == .blocks else { return eighths % 8 >= 4 || eighths < 8 ? whole + bar : whole }
    return whole + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
  }
}
