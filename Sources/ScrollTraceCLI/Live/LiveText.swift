import ScrollTraceKit

/// A piece of a line in several colours.
struct LiveText {
  private var runs: [(text: String, style: LiveStyle)] = []
  /// The columns it takes.
  private(set) var width = 0

  /// Nothing yet.
  init() {}

  /// `text`, which holds no controls, in one colour.
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
