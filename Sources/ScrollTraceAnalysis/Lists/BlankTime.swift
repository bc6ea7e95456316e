package import ScrollTraceModel

/// The time in motion in which cells of a list displayed a placeholder instead of content (M-27).
package struct BlankTime: Equatable, Sendable {
  /// The displayed cells from a time until the next change.
  package struct Step: Hashable, Sendable {
    /// The time from which the numbers apply.
    package let time: Timestamp
    /// The number of displayed cells.
    package let cells: Int
    /// The number of those that show a placeholder.
    package let placeholders: Int

    /// The share of the displayed cells that show a placeholder, 0 to 1.
    package var share: Double { cells > 0 ? Double(placeholders) / Double(cells) : 0 }
  }

  /// The share of displayed cells with a placeholder, summed over the refreshes in motion, each as
  /// one refresh interval.
  package let time: TimeSpan
  /// The time in motion.
  package let motion: TimeSpan
  /// The changes, sorted by time.
  package let steps: [Step]

  /// The blank time per second of motion in ms/s, or `nil` without motion.
  package var ratio: Double? {
    HitchTimeRatio(hitchTime: time, duration: motion)?.millisecondsPerSecond
  }
}

/// The cells that a list displays, and those of them with a placeholder, as changes.
struct CellVisibility {
  private typealias Change = (time: Int64, cells: Int, placeholders: Int)

  private var changes: [Change] = []

  /// Adds a cell that is displayed during a range.
  mutating func addCell(from start: Int64, to end: Int64) {
    changes.append((start, 1, 0))
    changes.append((end, -1, 0))
  }

  /// Adds a placeholder that is displayed during a range.
  mutating func addPlaceholder(from start: Int64, to end: Int64) {
    changes.append((start, 0, 1))
    changes.append((end, 0, -1))
  }

  /// Adds the cells of a list with the same name.
  mutating func merge(_ other: CellVisibility) { changes += other.changes }

  /// Returns the blank time in `motion`, or `nil` if no cell is known to have been displayed.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of changes.
  func blankTime(in motion: TimeRangeSet, refreshInterval: TimeSpan) -> BlankTime? {
    guard !changes.isEmpty, refreshInterval > .zero, motion.length > .zero else { return nil }
    let steps = steps
    let interval = UInt64(refreshInterval.nanoseconds)
    var total = TimeSpan.zero
    var first = 0
    for range in motion.ranges {
      // The step that applies when the range starts.
      while first + 1 < steps.count, steps[first + 1].time <= range.start { first += 1 }
      for index in first..<steps.count {
        let step = steps[index]
        guard step.time < range.end else { break }
        guard step.placeholders > 0, step.cells > 0 else { continue }
        let next = index + 1 < steps.count ? steps[index + 1].time : range.end
        let count = Self.refreshes(
          from: max(step.time, range.start), to: min(next, range.end), of: range, interval)
        let (time, isTooLong) = count.multipliedReportingOverflow(by: interval)
        let product = (isTooLong ? .max : time).multipliedFullWidth(by: UInt64(step.placeholders))
        // No more cells show a placeholder than are displayed, so the quotient fits.
        let blank = UInt64(step.cells).dividingFullWidth(product).quotient
        total += TimeSpan(nanoseconds: Int64(clamping: blank))
      }
    }
    return BlankTime(time: total, motion: motion.length, steps: steps)
  }

  /// The number of refreshes at or after `start` and before `end`, counted from the start of
  /// `range`.
  private static func refreshes(
    from start: Timestamp, to end: Timestamp, of range: TimeRange, _ interval: UInt64
  ) -> UInt64 {
    func count(before time: Timestamp) -> UInt64 {
      let distance = UInt64(bitPattern: time.nanoseconds &- range.start.nanoseconds)
      return distance / interval + (distance % interval > 0 ? 1 : 0)
    }
    guard start < end else { return 0 }
    return count(before: end) - count(before: start)
  }

  /// The numbers of cells after each change.
  private var steps: [BlankTime.Step] {
    var steps: [BlankTime.Step] = []
    var (cells, placeholders) = (0, 0)
    let sorted = changes.sorted { $0.time < $1.time }
    for (index, change) in sorted.enumerated() {
      cells += change.cells
      placeholders += change.placeholders
      if index + 1 < sorted.count, sorted[index + 1].time == change.time { continue }
      let step = BlankTime.Step(
        time: Timestamp(clamping: change.time), cells: cells,
        placeholders: min(placeholders, cells))
      if steps.last?.cells != step.cells || steps.last?.placeholders != step.placeholders {
        steps.append(step)
      }
    }
    return steps
  }
}
