import ScrollTraceCLI
import ScrollTraceKit

/// A screen of cells that is drawn on and then written line by line.
struct LiveCanvas {
  /// The number of cells beside each other.
  let columns: Int
  /// The number of cells above each other.
  let rows: Int
  private var cells: [Cell]

  /// A cell; the second half of a wide character holds no text.
  private struct Cell {
    var text = " "
    var style = LiveStyle()
  }

  /// A canvas of spaces.
  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// Makes rows spaces on `background`.
  mutating func fill(_ range: Range<Int>, background: LiveColor?) {
    for row in range.clamped(to: 0..<rows) {
      for column in 0..<columns {
        cells[row * columns + column] = Cell(style: LiveStyle(background: background))
      }
    }
  }

  /// Puts one character of one column into a cell; outside of the canvas nothing happens.
  mutating func set(_ text: String, _ style: LiveStyle, row: Int, column: Int) {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
    let place = row * columns + column
    // What is left of a wide character would push the rest of its line to the right.
    if cells[place].text.isEmpty, column > 0 { cells[place - 1].text = " " }
    if column + 1 < columns, cells[place + 1].text.isEmpty { cells[place + 1].text = " " }
    cells[place] = Cell(text: text, style: style)
  }

  /// Writes `text`, at most `width` columns of it, and gives the column behind it.
  ///
  /// The text holds no controls. What is behind it stays unless `style` has a background.
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
        // A mark belongs to the character before it.
        if next > column {
          let place = row * columns + next - 1
          cells[cells[place].text.isEmpty ? place - 1 : place].text += text
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

  /// The lines, each complete in itself; where there is no color they end where their ink does.
  func lines(_ level: ColorLevel) -> [String] {
    (0..<rows).map { row in
      let line = cells[(row * columns)..<((row + 1) * columns)]
      return level == .none ? Self.bare(line) : Self.colored(line, level)
    }
  }

  private static func bare(_ line: ArraySlice<Cell>) -> String {
    let end = line.lastIndex { $0.text != " " }
    return end.map { line[...$0].map(\.text).joined() } ?? ""
  }

  private static func colored(_ line: ArraySlice<Cell>, _ level: ColorLevel) -> String {
    var result = ""
    var style = LiveStyle()
    for cell in line where !cell.text.isEmpty {
      if cell.style != style {
        result += cell.style.sequence(after: style, level)
        style = cell.style
      }
      result += cell.text
    }
    return style == LiveStyle() ? result : result + "\u{1B}[0m"
  }
}

/// How a cell of the screen is written.
struct LiveStyle: Hashable, Sendable {
  /// The color of the text; the terminal's own where there is none.
  var foreground: LiveColor?
  /// The color behind the text; the terminal's own where there is none.
  var background: LiveColor?
  /// Whether the text is bold.
  var isBold = false

  /// The escape sequence that makes `previous` this; what stays the same is not said again.
  func sequence(after previous: LiveStyle, _ level: ColorLevel) -> String {
    // Taking something away takes all away, as far as all terminals agree.
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
      add(foreground.parameter(level, isBackground: false))
    }
    if let background, background != before.background {
      add(background.parameter(level, isBackground: true))
    }
    return "\u{1B}[\(parameters)m"
  }
}

/// A piece of a line in several colors.
struct LiveText {
  private var runs: [(text: String, style: LiveStyle)] = []
  /// The columns it takes.
  private(set) var width = 0

  /// Nothing yet.
  init() {}

  /// `text`, which holds no controls, in one color.
  init(_ text: String, _ color: LiveColor, isBold: Bool = false) {
    append(text, color, isBold: isBold)
  }

  /// Adds `text`, which holds no controls.
  mutating func append(_ text: String, _ color: LiveColor, isBold: Bool = false) {
    runs.append((text, LiveStyle(foreground: color, isBold: isBold)))
    width += ColumnWidth.of(text)
  }

  /// Adds another piece.
  mutating func append(_ other: LiveText) {
    runs += other.runs
    width += other.width
  }

  /// Writes it from `column` on; what is too long ends in an ellipsis.
  func draw(on canvas: inout LiveCanvas, row: Int, column: Int) {
    var next = column
    for run in runs { next = canvas.write(run.text, run.style, row: row, column: next) }
  }
}

extension [LiveText] {
  /// As many of the pieces as fit into `columns`, with spaces between; the greatest `ranks` go first.
  ///
  /// - Parameters:
  ///   - ranks: How soon each piece goes; those of 0 stay.
  ///   - gap: The least number of spaces, unless all that is left stays.
  func joined(fitting columns: Int, ranks: [Int], gap least: Int = 1) -> LiveText {
    var kept = Array<Int>(indices)
    func width(_ gap: Int) -> Int {
      kept.reduce(0) { $0 + self[$1].width } + gap * Swift.max(0, kept.count - 1)
    }
    while width(least) > columns {
      let last = kept.max { (ranks[$0], $0) < (ranks[$1], $1) }
      guard let last, ranks[last] > 0 else { break }
      kept.removeAll { $0 == last }
    }
    let gap = [3, 2].first { width($0) <= columns } ?? 1
    var result = LiveText()
    for (place, index) in kept.enumerated() {
      if place > 0 { result.append(String(repeating: " ", count: gap), .quiet) }
      result.append(self[index])
    }
    return result
  }
}
