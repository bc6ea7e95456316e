import ScrollTraceModel

/// Stretches of time that do not overlap as bars on one row of cells; none vanishes.
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
