import ReferenceListEngine
import ScrollTraceKit

/// The list: two lines of text for each row, and a strip that shows what the row has so far.
struct LiveList {
  let state: LiveState
  let rows: Int
  let palette: Palette

  private static let maximumSigns = 400
  private static let stripColumn = 1
  private static let textColumn = 3

  func draw(on canvas: inout LiveCanvas) {
    guard rows > 0, state.viewport > 0 else { return }
    // A dragged row lies above everything else.
    for row in state.rows.filter({ !$0.isHeld }) + state.rows.filter(\.isHeld) {
      draw(row, on: &canvas)
    }
  }

  private func draw(_ row: LiveRow, on canvas: inout LiveCanvas) {
    let lines = lines(of: row)
    if row.isHeld {
      canvas.fill(
        lines.clamped(to: 0..<rows), background: palette.paintsBackground ? .held : nil)
    }
    let (sign, color, note) = Self.appearance(of: row.content)
    // The last line of a higher row stays empty, to separate it from the next.
    for line in lines.dropLast(lines.count > 2 ? 1 : 0).clamped(to: 0..<rows) {
      canvas.write(sign, style(color), row: line, column: Self.stripColumn)
    }
    var column = Self.textColumn
    if let line = lines.first, (0..<rows).contains(line) {
      if row.isHeld {
        column = canvas.write("≡ ", style(.near, isBold: true), row: line, column: column)
      }
      if row.isWrong {
        column = canvas.write("✗ ", style(.late, isBold: true), row: line, column: column)
      }
      column = canvas.write(
        Self.shown(row.title), style(.text, isBold: true), row: line, column: column)
    }
    // Where there is only one line, both texts are in it.
    column = lines.count == 1 ? column + 2 : Self.textColumn
    if let line = lines.prefix(2).last, (0..<rows).contains(line) {
      canvas.write(Self.shown(row.detail) + note, style(.quiet), row: line, column: column)
    }
  }

  /// Returns the lines of a row, which can lie outside the list.
  private func lines(of row: LiveRow) -> Range<Int> {
    let scale = Double(rows) / Double(state.viewport)
    func line(_ y: Double) -> Int {
      Int(min(100_000, max(-100_000, (y * scale).rounded())))
    }
    let first = line(Double(row.top))
    return first..<max(first, line(Double(row.top) + Double(row.height)))
  }

  private static func appearance(
    of content: Cell.Content
  ) -> (sign: String, color: LiveColor, note: String) {
    switch content {
    case .placeholder: ("┊", .line, ", loading")
    case .undecoded: ("▒", .near, ", not decoded")
    case .final: ("█", .good, "")
    }
  }

  private func style(_ color: LiveColor, isBold: Bool = false) -> LiveStyle {
    // Sixteen colors are drawn on the terminal's own background, where its own text color is
    // readable.
    let isOwn = palette.paintsBackground || ![.text, .quiet].contains(color)
    return LiveStyle(foreground: isOwn ? color : nil, isBold: isBold)
  }

  /// Returns a text from any source, limited to the length of a line.
  private static func shown(_ text: String) -> String {
    EscapingContext.terminal.escape(
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumSigns))))
  }
}
