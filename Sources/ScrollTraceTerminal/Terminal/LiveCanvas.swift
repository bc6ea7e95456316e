import ScrollTraceKit

/// A screen of cells that is drawn into and then written line by line.
struct LiveCanvas {
  let columns: Int
  let rows: Int
  private var cells: [Cell]

  /// A cell; the second half of a wide character has no text.
  private struct Cell {
    var text = " "
    var style = LiveStyle()
  }

  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// Fills rows with spaces on `background`.
  mutating func fill(_ range: Range<Int>, background: LiveColor?) {
    for row in range.clamped(to: 0..<rows) {
      for column in 0..<columns {
        cells[row * columns + column] = Cell(style: LiveStyle(background: background))
      }
    }
  }

  /// Draws one single-column character into a cell, or nothing outside the canvas.
  mutating func set(_ text: String, _ style: LiveStyle, row: Int, column: Int) {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
    let index = row * columns + column
    // Half of a wide character would push the rest of its line to the right.
    if cells[index].text.isEmpty, column > 0 { cells[index - 1].text = " " }
    if column + 1 < columns, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
    cells[index] = Cell(text: text, style: style)
  }

  /// Writes `text`, at most `width` columns of it, and returns the column after it.
  ///
  /// The text contains no control characters. The previous background stays unless `style` has one.
  @discardableResult
  mutating func write(
    _ text: String, _ style: LiveStyle, row: Int, column: Int, width: Int = .max
  ) -> Int {
    let room = min(width, columns - column)
    guard (0..<rows).contains(row), column >= 0, room > 0 else { return column }
    var next = column
    for scalar in ColumnWidth.clip(text, to: room, ellipsis: "…").unicodeScalars {
      let text = String(scalar)
      let size = ColumnWidth.of(text)
      if size == 0 {
        // A combining mark belongs to the previous character.
        if next > column {
          let index = row * columns + next - 1
          cells[cells[index].text.isEmpty ? index - 1 : index].text += text
        }
        continue
      }
      for part in 0..<size {
        var own = style
        if own.background == nil {
          own.background = cells[row * columns + next + part].style.background
        }
        set(part == 0 ? text : " ", own, row: row, column: next + part)
      }
      if size == 2 { cells[row * columns + next + 1].text = "" }
      next += size
    }
    return next
  }

  /// Returns self-contained lines; without colors, trailing spaces are removed.
  func lines(_ palette: Palette) -> [String] {
    (0..<rows).map { row in
      let line = cells[(row * columns)..<((row + 1) * columns)]
      return palette == .none ? Self.bare(line) : Self.colored(line, palette)
    }
  }

  private static func bare(_ line: ArraySlice<Cell>) -> String {
    let end = line.lastIndex { $0.text != " " }
    return end.map { line[...$0].map(\.text).joined() } ?? ""
  }

  private static func colored(_ line: ArraySlice<Cell>, _ palette: Palette) -> String {
    var result = ""
    var style = LiveStyle()
    for cell in line where !cell.text.isEmpty {
      if cell.style != style {
        result += cell.style.sequence(after: style, palette)
        style = cell.style
      }
      result += cell.text
    }
    return style == LiveStyle() ? result : result + "\u{1B}[0m"
  }
}

struct LiveStyle: Equatable, Sendable {
  /// The color of the text, or `nil` for the terminal's own.
  var foreground: LiveColor?
  /// The color of the background, or `nil` for the terminal's own.
  var background: LiveColor?
  var isBold = false

  /// Returns the escape sequence that changes `previous` to this style, without unchanged
  /// properties.
  func sequence(after previous: LiveStyle, _ palette: Palette) -> String {
    // Removing one property removes all, the only behavior common to all terminals.
    let isLess =
      (previous.isBold && !isBold) || (previous.foreground != nil && foreground == nil)
      || (previous.background != nil && background == nil)
    let before = isLess ? LiveStyle() : previous
    var parameters = isLess ? "0" : ""
    func add(_ parameter: String) {
      parameters += parameters.isEmpty ? parameter : ";" + parameter
    }
    if isBold, !before.isBold { add("1") }
    if let foreground, foreground != before.foreground {
      add(foreground.parameter(palette, isBackground: false))
    }
    if let background, background != before.background {
      add(background.parameter(palette, isBackground: true))
    }
    return "\u{1B}[\(parameters)m"
  }
}

/// A segment of a line in several colors.
struct LiveText {
  private var runs: [(text: String, style: LiveStyle)] = []
  private(set) var width = 0

  init() {}

  /// Creates a text in one color; `text` contains no control characters.
  init(_ text: String, _ color: LiveColor, isBold: Bool = false) {
    append(text, color, isBold: isBold)
  }

  /// Appends `text`, which contains no control characters.
  mutating func append(_ text: String, _ color: LiveColor, isBold: Bool = false) {
    runs.append((text, LiveStyle(foreground: color, isBold: isBold)))
    width += ColumnWidth.of(text)
  }

  /// Returns the text with `text` behind it, which contains no control characters.
  func appending(_ text: String, _ color: LiveColor, isBold: Bool = false) -> LiveText {
    var result = self
    result.append(text, color, isBold: isBold)
    return result
  }

  mutating func append(_ other: LiveText) {
    runs += other.runs
    width += other.width
  }

  /// Writes the text from `column` on; a text that is too long ends in an ellipsis.
  func draw(on canvas: inout LiveCanvas, row: Int, column: Int) {
    var next = column
    for run in runs { next = canvas.write(run.text, run.style, row: row, column: next) }
  }
}

extension [LiveText] {
  /// Returns as many segments as fit in `columns`, separated by spaces; those with the greatest
  /// `ranks` are dropped first.
  ///
  /// - Parameters:
  ///   - ranks: The order in which segments are dropped; those with rank 0 stay.
  ///   - gap: The minimum number of spaces, unless only rank 0 remains.
  func joined(fitting columns: Int, ranks: [Int], gap minimum: Int = 1) -> LiveText {
    var kept = Array<Int>(indices)
    func width(_ gap: Int) -> Int {
      kept.reduce(0) { $0 + self[$1].width } + gap * Swift.max(0, kept.count - 1)
    }
    while width(minimum) > columns {
      let last = kept.max { (ranks[$0], $0) < (ranks[$1], $1) }
      guard let last, ranks[last] > 0 else { break }
      kept.removeAll { $0 == last }
    }
    let gap = [3, 2].first { width($0) <= columns } ?? 1
    var result = LiveText()
    for (number, index) in kept.enumerated() {
      if number > 0 { result.append(String(repeating: " ", count: gap), .quiet) }
      result.append(self[index])
    }
    return result
  }
}

/// A color of the live view; a word, position or character always repeats its meaning.
struct LiveColor: Equatable, Sendable {
  /// Its index among 256 and among sixteen colors.
  private let indexed: UInt8, basic: UInt8

  // The colors of the text report, which are distinguishable for everyone.

  static let good = LiveColor(indexed: 74, basic: 4)
  static let near = LiveColor(indexed: 214, basic: 3)
  static let late = LiveColor(indexed: 166, basic: 9)

  /// Work done in advance.
  static let ahead = LiveColor(indexed: 24, basic: 6)
  static let text = LiveColor(indexed: 255, basic: 7)
  /// Secondary text.
  static let quiet = LiveColor(indexed: 246, basic: 7)
  static let line = LiveColor(indexed: 240, basic: 8)
  /// The background of the list.
  static let ground = LiveColor(indexed: 234, basic: 0)
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
