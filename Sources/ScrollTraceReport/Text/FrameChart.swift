import ScrollTraceAnalysis
import ScrollTraceModel

/// The work around one frame over time: the main track by nesting, other tracks a row each.
struct FrameChart {
  private let timeline: Document.Timeline
  private let axis: TimeAxis
  private let marks: [(cell: Int, word: String)]
  private let deadline: Int?
  private let style: TextStyle
  private let gutter: Int
  private let rows: [Row]
  /// The label of each bar that is too short for its name, in the order of their signs.
  private let legend: [(sign: String, name: String)]
  private let signs: [LabelID: String]

  private struct Row {
    let title: String
    let work: [FrameWork]
    let bars: [BarRow.Bar]
    let isMain: Bool
  }

  private static let signCharacters = Array("123456789abcdefghijklmnopqrstuvwxyz").map(String.init)
  private static let otherSign = "*"

  private var glyphs: Glyphs { style.glyphs }

  init(_ timeline: Document.Timeline, style: TextStyle) {
    let shown = timeline.shownRange
    let widest = timeline.rows.map { ColumnWidth.of(style.text($0.title)) }.max() ?? 0
    gutter = min(max(widest, 6), style.width / 5) + 3
    let axis = TimeAxis(range: shown, cells: style.width - gutter)
    self.axis = axis
    self.timeline = timeline
    self.style = style
    deadline = timeline.deadline.map(axis.cell)
    marks = Self.marks(timeline.timestamps, on: axis)
    let rows = timeline.rows.map { row in
      Row(
        title: style.text(row.title), work: row.work,
        bars: BarRow(row.work.map(\.range), on: axis).bars, isMain: row.isMain)
    }
    self.rows = rows
    let labels = Self.legend(rows) { timeline.names($0, $1).map(style.text) }
    signs = Dictionary(labels.map { ($0.label, $0.sign) }) { first, _ in first }
    legend = labels.map { (sign: $0.sign, name: style.text($0.name)) }
  }

  /// The chart, from the names of the instants to the time axis, then what signs stand for and
  /// what is not drawn.
  func lines() -> [TextLine] {
    drawing + TextLine.pieces(legendTexts, after: TextLine("  "), style)
      + (timeline.hidden.isEmpty
        ? []
        : .wrapping(
          style.text(timeline.hidden), width: style.width, first: 2, indent: 2, ink: .faint,
          ellipsis: glyphs.ellipsis))
  }

  /// The chart without its legend.
  var drawing: [TextLine] { markRows() + rows.map(line) + [axisLine()] }

  /// What the signs stand for, one text for each.
  var legendTexts: [String] {
    legend.map { "\($0.sign) \($0.name)" } + (hasOthers ? ["* others"] : [])
  }

  private func names(_ work: FrameWork) -> [String] {
    timeline.names(work.label, work.item).map(style.text)
  }

  /// Whether some bars have a sign that stands for many names.
  private var hasOthers: Bool {
    rows.contains { row in
      row.bars.contains { bar in
        let work = row.work[bar.index]
        return Self.fitting(names(work), bar.cells.count) == nil && signs[work.label] == nil
      }
    }
  }

  // MARK: - Bars

  private func line(_ row: Row) -> TextLine {
    var cells = CellRow(count: axis.cells)
    for bar in row.bars { write(bar, of: row, to: &cells) }
    for mark in marks {
      if cells.isBlank(mark.cell..<(mark.cell + 1)) {
        cells.write(glyphs.edge, at: mark.cell, .faint)
      } else if cells.holds(glyphs.line, at: mark.cell) {
        cells.write(glyphs.crossing, at: mark.cell, ink(at: mark.cell, row))
      }
    }
    return start(row.title) + cells.line
  }

  private func write(_ bar: BarRow.Bar, of row: Row, to cells: inout CellRow) {
    let work = row.work[bar.index]
    let count = bar.cells.count
    let name = Self.fitting(names(work), count)
    let sign = signs[work.label] ?? Self.otherSign
    let open = work.range.start < axis.range.start ? "<" : "["
    let close = work.range.end > axis.range.end ? ">" : "]"
    let text: String
    if count == 1 {
      text = sign
    } else if count == 2 {
      text = sign + close
    } else {
      let inner = name ?? sign
      let fill = String(repeating: glyphs.line, count: max(0, count - 2 - ColumnWidth.of(inner)))
      text = open + inner + fill + close
    }
    let first = bar.cells.lowerBound
    cells.write(text, at: first, .good)
    if row.isMain, let deadline, deadline < bar.cells.upperBound {
      cells.color(max(first, deadline)..<bar.cells.upperBound, .late)
    }
  }

  private func ink(at cell: Int, _ row: Row) -> TextRole {
    row.isMain && deadline.map { cell >= $0 } ?? false ? .late : .good
  }

  /// The longest name that fits into a bar of this number of cells, or the front of the shortest.
  private static func fitting(_ names: [String], _ cells: Int) -> String? {
    if let name = names.first(where: { ColumnWidth.of($0) <= cells - 2 }) { return name }
    guard cells >= 8, let last = names.last else { return nil }
    return ColumnWidth.clip(last, to: cells - 2, ellipsis: "..")
  }

  /// Signs for the labels of bars without a name, those that last longest; in order of appearance.
  private static func legend(
    _ rows: [Row], _ names: Document.Timeline.Names
  ) -> [(sign: String, label: LabelID, name: String)] {
    var order: [(label: LabelID, name: String)] = []
    var times: [LabelID: TimeSpan] = [:]
    for row in rows {
      for bar in row.bars {
        let work = row.work[bar.index]
        guard fitting(names(work.label, work.item), bar.cells.count) == nil else { continue }
        if times[work.label] == nil {
          // A label stands for work on many items.
          order.append((work.label, names(work.label, nil).first ?? ""))
        }
        times[work.label, default: .zero] += work.range.length
      }
    }
    let longest = order.stablySorted { TimeSpan.zero - (times[$0.label] ?? .zero) }
    let kept = Set(longest.prefix(signCharacters.count).map(\.label))
    return zip(signCharacters, order.filter { kept.contains($0.label) }).map {
      (sign: $0, label: $1.label, name: $1.name)
    }
  }

  // MARK: - Instants

  /// The instants by cell; those of one cell share a name.
  private static func marks(
    _ timestamps: [Document.Timeline.Instant], on axis: TimeAxis
  ) -> [(cell: Int, word: String)] {
    var marks: [(cell: Int, word: String)] = []
    for instant in timestamps.stablySorted(by: { $0.time }) {
      let cell = axis.cell(of: instant.time)
      if let last = marks.last, last.cell == cell {
        marks[marks.count - 1].word = last.word + ", " + instant.word
      } else {
        marks.append((cell, instant.word))
      }
    }
    return marks
  }

  /// The names of the instants, each with a line down to the bars. The rightmost stand lowest, so
  /// that no line runs through a name as long as there is room to the right.
  private func markRows() -> [TextLine] {
    var fitted: [(cell: Int, text: String, start: Int, level: Int)] = []
    for mark in marks.reversed() {
      let text = glyphs.edge + mark.word
      let width = ColumnWidth.of(text)
      let fits = mark.cell + width <= axis.cells
      let start = fits ? mark.cell : max(0, mark.cell + 1 - width)
      let reach = start..<(start + width + 1)
      let level =
        fitted.filter { other in
          reach.overlaps(other.start..<(other.start + ColumnWidth.of(other.text) + 1))
        }.map { $0.level + 1 }.max() ?? 0
      fitted.append(
        (mark.cell, fits ? text : mark.word + glyphs.edge, start, level))
    }
    let top = fitted.map(\.level).max() ?? -1
    guard top >= 0 else { return [] }
    return (0...top).reversed().map { level in
      var cells = CellRow(count: axis.cells)
      for mark in fitted where mark.level > level {
        cells.write(glyphs.edge, at: mark.cell, .faint)
      }
      for mark in fitted where mark.level == level {
        cells.write(mark.text, at: mark.start, .strong)
      }
      return start("") + cells.line
    }
  }

  // MARK: - Edges

  private func start(_ title: String) -> TextLine {
    var line = TextLine(glyphs.edge)
    line.append(ColumnWidth.clip(title, to: gutter - 3, ellipsis: glyphs.ellipsis))
    line.pad(to: gutter - 1)
    line.append(glyphs.tick)
    return line
  }

  private func axisLine() -> TextLine {
    var cells = CellRow(count: axis.cells)
    cells.write(String(repeating: glyphs.line, count: axis.cells), at: 0, .faint)
    for tick in axis.ticks(from: timeline.origin, room: 12) {
      // A label that would be cut off would say another time.
      let cell = axis.cell(of: tick.time)
      guard cell + 1 + tick.label.count <= axis.cells else { continue }
      cells.write(glyphs.upTick, at: cell, .faint)
      cells.write(tick.label, at: cell + 1, .plain)
    }
    let corner = glyphs.corner + String(repeating: glyphs.line, count: gutter - 1)
    return TextLine(corner, .faint) + cells.line
  }
}

/// Time ranges that do not overlap, drawn as bars in one row of cells. Each has at least a part of a cell.
struct BarRow {
  /// A bar: the range it stands for, and its cells.
  struct Bar {
    /// The position of the range.
    let index: Int
    /// The cells it takes.
    var cells: Range<Int>
  }

  /// The bars from left to right. A range that is shorter than a cell has one, or shares it with
  /// a longer one.
  let bars: [Bar]

  /// `ranges` as bars on `axis`.
  ///
  /// Short ones choose first: a long one has cells to spare at its ends.
  init(_ ranges: [TimeRange], on axis: TimeAxis) {
    let claims = ranges.indices.map { Self.claim(ranges[$0], on: axis) }
    let order = ranges.indices.sorted { left, right in
      (claims[left].count, ranges[right].length, left)
        < (claims[right].count, ranges[left].length, right)
    }
    var owners: [Int?] = Array(repeating: nil, count: axis.cells)
    for index in order {
      let free = claims[index].filter { owners[$0] == nil }
      for cell in free { owners[cell] = index }
      guard free.isEmpty else { continue }
      // All of its cells are taken: the longest of those that share a cell stands for all.
      let taken = claims[index].first { cell in
        owners[cell].map { ranges[$0].length < ranges[index].length } ?? false
      }
      if let taken { owners[taken] = index }
    }
    var bars: [Bar] = []
    for (cell, owner) in owners.enumerated() {
      guard let owner else { continue }
      if let last = bars.last, last.index == owner, last.cells.upperBound == cell {
        bars[bars.count - 1].cells = last.cells.lowerBound..<(cell + 1)
      } else {
        bars.append(Bar(index: owner, cells: cell..<(cell + 1)))
      }
    }
    self.bars = bars
  }

  /// The cells that a range reaches into; of those of a range shorter than a cell the fuller one.
  private static func claim(_ range: TimeRange, on axis: TimeAxis) -> Range<Int> {
    let (begin, end) = (axis.position(of: range.start), axis.position(of: range.end))
    let first = min(axis.cells - 1, Int(begin))
    let last = min(axis.cells - 1, max(first, Int(end.rounded(.up)) - 1))
    guard end - begin < 1, last > first else { return first..<(last + 1) }
    let cell = end - Double(last) > Double(last) - begin ? last : first
    return cell..<(cell + 1)
  }
}
