import ScrollTraceAnalysis
import ScrollTraceModel

/// What differs between two sides, as sections of lines; each aspect is in a file of its own.
struct TextComparison {
  let comparison: Comparison
  let style: TextStyle
  /// The run that stands for the base, and the one that stands for the new side.
  let shown: (base: TextRun, new: TextRun)?

  /// The sections of `comparison` in `style`.
  init(_ comparison: Comparison, style: TextStyle) {
    self.comparison = comparison
    self.style = style
    func run(_ side: ComparisonSide) -> TextRun? {
      side.shown.map { TextRun($0, telling: side.shownSurface, style: style) }
    }
    if let base = run(comparison.base), let new = run(comparison.new) {
      shown = (base, new)
    } else {
      shown = nil
    }
  }

  /// The whole report.
  var sections: [[TextLine]] {
    guard let shown else {
      return [[TextLine("NO DATA  a side of the comparison has no run", .near)]]
    }
    let tables = ComparisonTables(self)
    return [header(shown.base, shown.new), notes, graphs(shown.base, shown.new)] + tables.frames
      + tables.work + [shown.base.lines(categories) + moved, shown.base.lines(causes(shown.base))]
      + tables.lists
      + [closing(shown.new)]
  }

  // MARK: - Pieces that the aspects share

  var glyphs: Glyphs { style.glyphs }
  var profile: RatingThresholds { shown?.base.profile ?? .scroll }

  /// A name of a trace as this report can show it.
  func name(_ text: String, _ columns: Int = 40) -> String { shown?.base.name(text, columns) ?? "" }

  /// Text broken into lines.
  func wrapped(_ text: String, first: Int = 0, indent: Int, ink: TextRole = .plain) -> [TextLine] {
    .wrapping(
      text, width: style.width, first: first, indent: indent, ink: ink, ellipsis: glyphs.ellipsis)
  }

  /// The lines of a table in the report's width.
  func lines(_ table: TextTable) -> [TextLine] {
    table.lines(width: style.width, ellipsis: glyphs.ellipsis)
  }

  /// A heading.
  func heading(_ text: String) -> TextLine { TextLine(text, .strong) }

  /// A number as text.
  func text(_ value: MetricValue?) -> String { Quantity.value(value, in: profile) }

  /// A difference in the ink of what it means, where less (-1) or more (1) is better.
  func cell(_ value: ComparedValue, goodSign: Int) -> TextLine {
    let sign = value.difference?.sign ?? 0
    let meaning = sign * goodSign
    return TextLine(
      Quantity.difference(value.difference), meaning > 0 ? .good : meaning < 0 ? .late : .plain)
  }
}
