import ScrollTraceAnalysis
import ScrollTraceModel

/// The graph of a surface's frames over time; no peak is ever lost in it.
///
/// Each column is as high as the worst of its frames. The vertical axis is linear up to `top`; what
/// is higher is marked and named above a break. The row of the budget is a line between two others: a
/// late frame crosses it, and rises at least a step above it.
struct FrameGraph {
  let graph: Document.Graph
  let style: TextStyle

  /// The load at which the linear axis ends.
  static let top = 4.0
  /// That of a graph with few rows.
  private static let lowTop = 2.0
  /// The rows below the budget.
  private static let rowsOnTime = 2
  private static let gutter = 8

  private var glyphs: Glyphs { style.glyphs }
  private var cells: Int { style.width - Self.gutter }
  private var axis: TimeAxis { TimeAxis(range: graph.range, cells: cells) }
  /// The ink of what is above 1: late, but where nothing could be evaluated.
  private var lateInk: TextRole { graph.series.kind == .frameSpacing ? .near : .late }

  /// The graph, from the highest row to the time axis.
  func lines() -> [TextLine] {
    var lines = graph.series.kind == .hitch ? lengthRows() : loadRows()
    if graph.series.kind != .frameSpacing { lines += lateRows() }
    if graph.hasAllLanes || graph.isBusyBehind,
      graph.series.points.contains(where: { $0.background != nil })
    {
      let shares = axis.maxima(of: graph.series.points, minimum: 0) { $0.background ?? 0 }
      lines.append(shareRow("others", shares))
    }
    if graph.hasAllLanes, !graph.shades.isEmpty { lines.append(shadeRow()) }
    if !graph.blanks.isEmpty, graph.hasAllLanes || graph.isOftenBlank {
      lines.append(shareRow("blank", graph.blankShares(in: cells, column: axis.cell)))
    }
    if !graph.interactions.isEmpty { lines.append(interactionRow()) }
    if graph.hasAxis { lines.append(timeLine()) }
    return lines
  }

  /// Rows of one height in parts of the time available, and the line of the budget.
  private func loadRows() -> [TextLine] {
    let loads = axis.maxima(of: graph.series.points, minimum: 0) { $0.load }
    let highest = graph.highestLoad
    func rows(_ indices: Range<Int>, parts: Int) -> [TextLine] {
      let step = 1 / Double(parts)
      return indices.reversed().map { index in
        let top = Double(index + 1) * step
        let isWhole = (index + 1) % parts == 0
        let label = isWhole && top > 1 ? style.text(graph.label(ofLoad: top)) : ""
        return row(loads, label: label, from: Double(index) * step, to: top)
      }
    }
    var lines: [TextLine] = []
    let top = graph.isLow ? Self.lowTop : Self.top
    if highest > top { lines.append(beyondRow(loads, above: top)) }
    if highest > 1 {
      let shown = Int(min(top, highest.rounded(.up)))
      let parts = shown > 2 || graph.isLow ? 1 : 2
      lines += rows(parts..<(max(2, shown) * parts), parts: parts)
    }
    return lines + [budgetRow(loads)]
      + (graph.isLow ? [] : rows(0..<Self.rowsOnTime, parts: Self.rowsOnTime))
  }

  /// Rows in quarters or halves of the longest hitch, labelled in milliseconds.
  private func lengthRows() -> [TextLine] {
    let own = graph.series.points.map(\.length).max() ?? .zero
    let longest = graph.scale?.longest ?? own
    let part = Double(own.nanoseconds) / Double(max(1, longest.nanoseconds))
    let loads = axis.maxima(of: graph.series.points, minimum: 0) { $0.load * part }
    let count = graph.isLow ? 2 : 4
    return (1...count).reversed().map { part in
      let top = Double(part) / Double(count)
      let label = Quantity.rounded(
        TimeSpan(nanoseconds: longest.nanoseconds / Int64(count) * Int64(part)))
      return row(loads, label: label, from: top - 1 / Double(count), to: top)
    }
  }

  // MARK: - Rows

  private func row(_ loads: [Double], label: String, from floor: Double, to top: Double) -> TextLine
  {
    var line = TextLine()
    for cell in 0..<cells {
      let part = min(1, max(0, (loads[cell] - floor) / (top - floor)))
      let height = Int((part * Double(glyphs.levels)).rounded(.up))
      let isLate = graph.series.kind == .hitch || loads[cell] > 1
      line.append(glyphs.cell(height, isLate: isLate), isLate ? lateInk : .good)
    }
    return start(label) + line
  }

  private func budgetRow(_ loads: [Double]) -> TextLine {
    let crossed = loads.map { $0 > 1 }
    let word = " " + graph.series.budgetWord
    let hasRoom = !crossed.suffix(word.count).contains(true)
    var line = start(style.text(graph.label(ofLoad: 1)), mark: glyphs.crossing)
    for isCrossed in hasRoom ? crossed.dropLast(word.count) : crossed[...] {
      let cell = isCrossed ? glyphs.cell(glyphs.levels, isLate: true) : glyphs.dash
      line.append(cell, isCrossed ? lateInk : .faint)
    }
    if hasRoom { line.append(word, .faint) }
    return line
  }

  /// Marks for columns that end above the graph, and the longest length of each group of them as
  /// far as there is room; that of the longest of all always.
  private func beyondRow(_ loads: [Double], above top: Double) -> TextLine {
    let lengths = axis.maxima(of: graph.series.points, minimum: .zero) { $0.length }
    var row: [String] = Array(repeating: " ", count: cells)
    var groups: [(cells: ClosedRange<Int>, length: TimeSpan)] = []
    for cell in 0..<cells where loads[cell] > top {
      row[cell] = glyphs.beyond
      if let last = groups.last, last.cells.upperBound == cell - 1 {
        groups[groups.count - 1] =
          (last.cells.lowerBound...cell, max(last.length, lengths[cell]))
      } else {
        groups.append((cell...cell, lengths[cell]))
      }
    }
    let byLength = groups.sorted {
      ($1.length, $0.cells.lowerBound) < ($0.length, $1.cells.lowerBound)
    }
    for (rank, group) in byLength.enumerated() {
      let label = Quantity.rounded(group.length).map(String.init)
      let after = group.cells.upperBound + 2
      let before = group.cells.lowerBound - 1 - label.count
      func isFree(_ column: Int) -> Bool {
        (max(0, column - 1)...min(cells - 1, column + label.count)).allSatisfy {
          row[$0] == " " || group.cells.contains($0)
        }
      }
      let fits = [after, before].filter { $0 >= 0 && $0 + label.count <= cells }
      guard let column = fits.first(where: isFree) ?? (rank == 0 ? fits.first ?? 0 : nil) else {
        continue
      }
      row.replaceSubrange(column..<(column + label.count), with: label)
    }
    return start("") + TextLine(row.joined(), lateInk)
  }

  /// The letter of the cause of each column's longest hitch, and what the letters mean.
  private func lateRows() -> [TextLine] {
    guard !graph.lateMarks.isEmpty else { return [] }
    var marks: [Document.Graph.LateMark?] = Array(repeating: nil, count: cells)
    for mark in graph.lateMarks {
      let cell = axis.cell(of: mark.time)
      if mark.length >= marks[cell]?.length ?? .zero { marks[cell] = mark }
    }
    var line = start("late", mark: " ")
    for mark in marks { line.append(mark?.letter ?? " ", .late) }
    let legend = graph.letters.map { "\($0.letter) = \(style.text($0.text))" }
      .joined(separator: ", ")
    guard !legend.isEmpty else { return [line] }
    let used = Self.gutter + (marks.lastIndex { $0 != nil } ?? 0) + 1
    let column = style.width - ColumnWidth.of(legend)
    if column >= used + 2 {
      line = line.clipped(to: used, ellipsis: "")
      line.pad(to: column)
      line.append(legend, .faint)
      return [line]
    }
    let lines: [TextLine] = .wrapping(
      legend, width: style.width, first: Self.gutter, indent: Self.gutter, ink: .faint,
      ellipsis: glyphs.ellipsis)
    return [line] + lines
  }

  /// A row in which 1 is a full cell.
  private func shareRow(_ label: String, _ shares: [Double]) -> TextLine {
    var line = start(label)
    for share in shares {
      let height = Int((min(1, share) * Double(glyphs.levels)).rounded(.up))
      line.append(glyphs.cell(height, isLate: false), .faint)
    }
    return line
  }

  /// Each interaction with its name, as far as there is room.
  private func interactionRow() -> TextLine {
    var row = CellRow(count: cells)
    var free = 0
    for interaction in graph.interactions.sorted(by: { $0.range.start < $1.range.start }) {
      let first = axis.cell(of: interaction.range.start)
      let last = axis.cell(of: interaction.range.end)
      let from = max(first, free)
      guard from <= last else { continue }
      free = last + 1
      guard from < last else {
        row.write(glyphs.upTick, at: from, .faint)
        continue
      }
      row.write(
        glyphs.corner + String(repeating: glyphs.line, count: last - from - 1) + glyphs.endCorner,
        at: from, .faint)
      let name = style.text(interaction.name)
      let spare = last - from - 1 - ColumnWidth.of(name)
      if spare >= 0, !name.isEmpty {
        row.write(spare > 1 ? " \(name) " : name, at: from + 1, .plain)
      }
    }
    return TextLine(String(repeating: " ", count: Self.gutter)) + row.line
  }

  /// What the main thread did most in the time of each cell: ran, waited or idled.
  private func shadeRow() -> TextLine {
    let cell = Double(max(1, graph.range.length.nanoseconds)) / Double(cells)
    var times = Array(repeating: [0.0, 0.0, 0.0], count: cells)
    for shade in graph.shades {
      let start = Double((shade.range.start - graph.range.start).nanoseconds) / cell
      let end = Double((shade.range.end - graph.range.start).nanoseconds) / cell
      let first = axis.cell(of: shade.range.start)
      for index in first...max(first, axis.cell(of: shade.range.end)) {
        let time = min(end, Double(index + 1)) - max(start, Double(index))
        times[index][shade.state.rawValue] += max(0, time)
      }
    }
    var line = start("main")
    for time in times {
      let maximum = time.max() ?? 0
      let rank = maximum > 0 ? time.firstIndex(of: maximum) : nil
      line.append(rank.map { glyphs.shades[$0] } ?? " ", .faint)
    }
    return line
  }

  private func timeLine() -> TextLine {
    let origin = graph.origin ?? graph.range.start
    var line = TextLine(String(repeating: " ", count: Self.gutter))
    for tick in axis.ticks(from: origin, room: min(16, cells / 2)) {
      let label = tick.label
      let column = Self.gutter + axis.cell(of: tick.time)
      guard column >= line.width + (line.width > Self.gutter ? 2 : 0),
        column + label.count <= style.width
      else { continue }
      line.pad(to: column)
      line.append(label, .faint)
    }
    return line
  }

  /// The left edge of a row: its label, and the mark between the label and the cells.
  private func start(_ label: String, mark: String? = nil) -> TextLine {
    let room = Self.gutter - 2
    var line = TextLine(String(repeating: " ", count: max(0, room - ColumnWidth.of(label))))
    line.append(label + " ")
    line.append(mark ?? glyphs.tick)
    return line
  }
}
