import ScrollTraceAnalysis
import ScrollTraceModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The graph of a surface's frames over time; no peak is ever lost in it.
///
/// Each column is as high as the worst of its frames. The vertical axis is linear up to `top`; what
/// is higher is marked and named above a break. The row of 1x is a line between two others: a late
/// frame crosses it, and rises at least a step above it.
struct FrameGraph {
  private let graph: Document.Graph
  private let style: TextStyle

  init(_ graph: Document.Graph, style: TextStyle) {
    self.graph = graph
    self.style = style
  }

  /// The load at which the linear axis ends.
  static let top = 4.0
  /// The rows of each 1x, if frames are late and if none is.
  private static let rowsOfLate = 2
  private static let rowsOfOnTime = 3
  private static let gutter = 12

  private var glyphs: Glyphs { style.glyphs }
  private var cells: Int { style.width - Self.gutter }
  /// The ink of what is above 1: late, but where nothing could be evaluated.
  private var lateInk: TextRole { graph.series.kind == .frameSpacing ? .near : .late }

  /// The graph, from the highest row to the time axis.
  func lines() -> [TextLine] {
    var lines = graph.series.kind == .hitch ? lengthRows() : loadRows()
    if let misses = graph.series.misses { lines.append(countRow("misses", misses)) }
    if graph.series.kind != .frameSpacing {
      lines.append(countRow("hitches", graph.series.hitches))
    }
    if graph.series.points.contains(where: { $0.background != nil }) {
      lines.append(backgroundRow())
    }
    if !graph.shades.isEmpty { lines.append(shadeRow()) }
    if !graph.blanks.isEmpty { lines.append(blankRow()) }
    if !graph.moving.isEmpty { lines.append(movingRow()) }
    if graph.hasAxis { lines.append(axis()) }
    return lines
  }

  /// What readers need to know of the vertical axis; `nil` if it is linear to its end.
  static func note(on graph: Document.Graph, _ style: TextStyle) -> String? {
    guard graph.series.kind != .hitch, graph.highestLoad > top else { return nil }
    return "\(style.glyphs.beyond) marks frames above \(Quantity.fixed(top, places: 0))x, where the"
      + " axis ends, with their length."
  }

  /// Rows of one height in parts of the time available, and the line at 1x.
  private func loadRows() -> [TextLine] {
    let loads = columnMaxima { $0.load }
    let highest = graph.highestLoad
    let parts = highest > 1 ? Self.rowsOfLate : Self.rowsOfOnTime
    let step = 1 / Double(parts)
    func rows(_ indices: Range<Int>) -> [TextLine] {
      indices.reversed().map { index in
        let top = Double(index + 1) * step
        let isWhole = (index + 1) % parts == 0
        let label = isWhole && top > 1 ? " \(Quantity.fixed(top, places: 0))x" : ""
        return row(loads, label: label, from: Double(index) * step, to: top)
      }
    }
    var lines: [TextLine] = []
    if highest > Self.top { lines.append(beyondRow(loads, above: Self.top)) }
    if highest > 1 {
      let shown = min(Self.top, highest.rounded(.up))
      lines += rows(parts..<max(parts + 1, Int(shown) * parts))
    }
    return lines + [deadlineRow(loads)] + rows(0..<parts)
  }

  /// Rows in quarters of the longest hitch, labelled in milliseconds.
  private func lengthRows() -> [TextLine] {
    let own = graph.series.points.map(\.length).max() ?? .zero
    let longest = graph.scale?.longest ?? own
    let part = Double(own.nanoseconds) / Double(max(1, longest.nanoseconds))
    let loads = columnMaxima { $0.load * part }
    return (1...4).reversed().map { quarter in
      let top = Double(quarter) / 4
      let label = " " + Quantity.fixed(longest.milliseconds * top, places: 1)
      return row(loads, label: label, from: top - 0.25, to: top)
    }
  }

  /// One compact row: the worst frame of each column, in `columns` cells.
  static func sparkline(
    _ graph: Document.Graph, columns: Int, style: TextStyle
  ) -> TextLine {
    let drawing = FrameGraph(graph, style: TextStyle(width: columns + gutter, tier: style.tier))
    let loads = drawing.columnMaxima { $0.load }
    let top = max(2, min(loads.max() ?? 0, Self.top))
    return drawing.rowCells(loads, from: 0, to: top).clipped(to: columns, ellipsis: "")
  }

  // MARK: - Rows

  private func row(_ loads: [Double], label: String, from floor: Double, to top: Double) -> TextLine
  {
    var line = start(label)
    line.append(rowCells(loads, from: floor, to: top))
    return line
  }

  private func rowCells(_ loads: [Double], from floor: Double, to top: Double) -> TextLine {
    var line = TextLine()
    for cell in 0..<cells {
      let values = self.values(loads, in: cell)
      let heights = values.map { value in
        value > floor
          ? Int((min(1, (value - floor) / (top - floor)) * Double(glyphs.levels)).rounded(.up)) : 0
      }
      let isLate = graph.series.kind == .hitch || values.contains { $0 > 1 }
      line.append(glyphs.cell(heights, isLate: isLate), isLate ? lateInk : .good)
    }
    return line
  }

  private func deadlineRow(_ loads: [Double]) -> TextLine {
    var line = start(" 1x", mark: glyphs.deadlineMark)
    for cell in 0..<cells {
      let isCrossed = values(loads, in: cell).contains { $0 > 1 }
      line.append(glyphs.deadlineCell(isCrossed: isCrossed), isCrossed ? lateInk : .faint)
    }
    return line
  }

  /// Marks for columns that end above the graph, and the longest length of each group of them as
  /// far as there is room; that of the longest of all always.
  private func beyondRow(_ loads: [Double], above top: Double) -> TextLine {
    let lengths = columnLengths()
    var row: [String] = Array(repeating: " ", count: cells)
    var groups: [(cells: ClosedRange<Int>, length: TimeSpan)] = []
    for cell in 0..<cells where values(loads, in: cell).contains(where: { $0 > top }) {
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
      let label = Quantity.length(group.length).map(String.init)
      let after = group.cells.upperBound + 2
      let before = group.cells.lowerBound - 1 - label.count
      func isFree(_ place: Int) -> Bool {
        (max(0, place - 1)...min(cells - 1, place + label.count)).allSatisfy {
          row[$0] == " " || group.cells.contains($0)
        }
      }
      let fits = [after, before].filter { $0 >= 0 && $0 + label.count <= cells }
      guard let place = fits.first(where: isFree) ?? (rank == 0 ? fits.first ?? 0 : nil) else {
        continue
      }
      row.replaceSubrange(place..<(place + label.count), with: label)
    }
    var line = start("")
    line.append(row.joined(), lateInk)
    return line
  }

  private func countRow(_ label: String, _ times: [Timestamp]) -> TextLine {
    var counts = Array(repeating: 0, count: cells)
    for time in times { counts[column(of: time, of: cells)] += 1 }
    var line = start(label)
    for count in counts {
      line.append(count == 0 ? " " : count < 10 ? "\(count)" : "+", .late)
    }
    return line
  }

  private func backgroundRow() -> TextLine {
    shareRow("bg work", columnMaxima { $0.background ?? 0 })
  }

  /// A row in which 1 is a full cell.
  private func shareRow(_ label: String, _ shares: [Double]) -> TextLine {
    var line = start(label)
    for cell in 0..<cells {
      let heights = values(shares, in: cell).map {
        Int((min(1, $0) * Double(glyphs.levels)).rounded(.up))
      }
      line.append(glyphs.cell(heights, isLate: false), .faint)
    }
    return line
  }

  private func blankRow() -> TextLine {
    let count = cells * glyphs.columnsPerCell
    return shareRow("blank", graph.blankShares(in: count) { column(of: $0, of: count) })
  }

  private func movingRow() -> TextLine {
    var isMoving = Array(repeating: false, count: cells)
    for range in graph.moving {
      for cell in column(of: range.start, of: cells)...column(of: range.end, of: cells) {
        isMoving[cell] = true
      }
    }
    var line = start("in motion")
    line.append(isMoving.map { $0 ? glyphs.line : " " }.joined(), .faint)
    return line
  }

  /// What the main thread did most in the time of each cell: ran, waited or idled.
  private func shadeRow() -> TextLine {
    let cell = Double(max(1, graph.range.length.nanoseconds)) / Double(cells)
    var times = Array(repeating: [0.0, 0.0, 0.0], count: cells)
    for shade in graph.shades {
      let start = Double((shade.range.start - graph.range.start).nanoseconds) / cell
      let end = Double((shade.range.end - graph.range.start).nanoseconds) / cell
      let first = column(of: shade.range.start, of: cells)
      for index in first...max(first, column(of: shade.range.end, of: cells)) {
        let time = min(end, Double(index + 1)) - max(start, Double(index))
        times[index][shade.state.rank] += max(0, time)
      }
    }
    var line = start("main")
    for time in times {
      let most = time.max() ?? 0
      let rank = most > 0 ? time.firstIndex(of: most) : nil
      line.append(rank.map { glyphs.shades[$0] } ?? " ", .faint)
    }
    return line
  }

  private func axis() -> TextLine {
    let places = Self.places(graph.range.length)
    let offset = graph.origin.map { graph.range.start - $0 } ?? .zero
    var line = TextLine(glyphs.corner + " time ")
    line.append(String(repeating: glyphs.line, count: Self.gutter - 8))
    let parts = max(2, min(6, cells / 18))
    for part in 0...parts {
      let time =
        offset + TimeSpan(nanoseconds: graph.range.length.nanoseconds / Int64(parts)) * Int64(part)
      let label = Quantity.decimal(time.nanoseconds, per: 1_000_000_000, places: places) + " s"
      let middle = Self.gutter + cells * part / parts
      let place = part == 0 ? Self.gutter : middle - (part == parts ? label.count : label.count / 2)
      line.pad(to: place)
      line.append(label)
    }
    return line
  }

  /// The number of decimals of seconds that distinguish the times of an axis of this length.
  static func places(_ length: TimeSpan) -> Int {
    let limits = [20_000, 500, 50, 5].map { TimeSpan.milliseconds($0) }
    return 1 + limits.count { length < $0 }
  }

  private func start(_ label: String, mark: String = "") -> TextLine {
    var line = TextLine(glyphs.edge + label)
    line.pad(to: Self.gutter - 2)
    line.append(mark.isEmpty ? " " : mark)
    line.append(glyphs.tick)
    return line
  }

  // MARK: - Columns

  private func values(_ columns: [Double], in cell: Int) -> ArraySlice<Double> {
    columns[(cell * glyphs.columnsPerCell)..<((cell + 1) * glyphs.columnsPerCell)]
  }

  /// The largest value of the points that reach into each column.
  private func columnMaxima(_ value: (FrameSeries.Point) -> Double) -> [Double] {
    let count = cells * glyphs.columnsPerCell
    var columns = Array(repeating: 0.0, count: count)
    for point in graph.series.points {
      let last = column(of: point.range.end, of: count)
      for index in min(last, column(of: point.range.start, of: count) + 1)...last {
        columns[index] = max(columns[index], value(point))
      }
    }
    return columns
  }

  /// The longest length of the points that end in each cell.
  private func columnLengths() -> [TimeSpan] {
    var columns = Array(repeating: TimeSpan.zero, count: cells)
    for point in graph.series.points {
      let last = column(of: point.range.end, of: cells)
      for index in min(last, column(of: point.range.start, of: cells) + 1)...last {
        columns[index] = max(columns[index], point.length)
      }
    }
    return columns
  }

  /// The column of `count` that `time` belongs to.
  private func column(of time: Timestamp, of count: Int) -> Int {
    let length = Double(max(1, graph.range.length.nanoseconds))
    let part = Double((time - graph.range.start).nanoseconds) / length
    return min(count - 1, max(0, Int(min(1, max(0, part)) * Double(count))))
  }
}
