public import ScrollTraceModel

/// The time in which cells displayed placeholders (M-27).
public struct BlankTime: Codable, Equatable, Sendable {
  /// The displayed cells from a time until the next change.
  package struct Step: Hashable, Sendable {
    /// The time from which the numbers apply.
    package let time: Timestamp
    package let cells: Int
    /// The number of those that show a placeholder.
    package let placeholders: Int

    /// The share of the displayed cells that show a placeholder, 0 to 1.
    package var share: Double { cells > 0 ? Double(placeholders) / Double(cells) : 0 }
  }

  /// The share of cells with a placeholder, summed over the refreshes in motion.
  ///
  /// Each refresh counts as one refresh interval.
  public private(set) var time = TimeSpan.zero
  /// That time per second of motion in ms/s, or `nil` without motion.
  public private(set) var ratio: Double?
  /// The measured time.
  ///
  /// This is the time in motion, or the whole recording if no interaction is known.
  public let motion: TimeSpan
  /// The changes, sorted by time.
  package private(set) var steps: [Step] = []
  /// When the longest blank time without a change began, or `nil` if nothing was blank.
  private(set) var longestStart: Timestamp?
  private var refreshInterval = TimeSpan.zero

  private enum CodingKeys: String, CodingKey {
    case time = "timeNs", ratio = "ratioMsPerS", motion = "motionNs"
  }

  /// Creates the blank time of a list in `motion`.
  init(of steps: [Step], in motion: TimeRangeSet, refreshInterval: TimeSpan) {
    self.motion = motion.length
    self.steps = steps
    self.refreshInterval = refreshInterval
    var longest = TimeSpan.zero
    forEachBlank(in: motion) { start, blank in
      time += blank
      if blank > longest { (longest, longestStart) = (blank, start) }
    }
    ratio = HitchTimeRatio(hitchTime: time, duration: self.motion)?.millisecondsPerSecond
  }

  func digest() -> BlankTime {
    var digest = self
    digest.steps = []
    return digest
  }

  /// Returns the blank time of the refreshes in `window`, which are counted from the start of each range of
  /// `motion`, so that times of consecutive windows add up.
  func time(in motion: TimeRangeSet, within window: TimeRange? = nil) -> TimeSpan {
    var total = TimeSpan.zero
    forEachBlank(in: motion, within: window) { _, blank in total += blank }
    return total
  }

  /// Calls `body` with the start and the blank time of each time without a change.
  private func forEachBlank(
    in motion: TimeRangeSet, within window: TimeRange? = nil, _ body: (Timestamp, TimeSpan) -> Void
  ) {
    for range in motion.ranges {
      let counted = window?.intersection(range) ?? range
      // The step that applies when the range starts.
      let first = steps.partitionPoint { $0.time > counted.start }
      for index in max(0, first - 1)..<steps.count {
        let step = steps[index]
        guard step.time < counted.end else { break }
        guard step.placeholders > 0, step.cells > 0 else { continue }
        let next = index + 1 < steps.count ? steps[index + 1].time : counted.end
        let start = max(step.time, counted.start)
        body(start, blankTime(of: step, from: start, to: min(next, counted.end), in: range))
      }
    }
  }

  /// The blank time of the refreshes from `start` to `end`, counted from the start of `range`.
  private func blankTime(
    of step: Step, from start: Timestamp, to end: Timestamp, in range: TimeRange
  ) -> TimeSpan {
    let interval = UInt64(max(1, refreshInterval.nanoseconds))
    let count = Self.refreshes(from: start, to: end, of: range, interval)
    let (time, isTooLong) = count.multipliedReportingOverflow(by: interval)
    let product = (isTooLong ? .max : time).multipliedFullWidth(by: UInt64(step.placeholders))
    // No more cells show a placeholder than are displayed, so the quotient fits.
    return TimeSpan(
      nanoseconds: Int64(clamping: UInt64(step.cells).dividingFullWidth(product).quotient))
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
}

/// The cells that a list displays, and those of them with a placeholder, as changes.
struct CellVisibility {
  private typealias Change = (time: Int64, cells: Int, placeholders: Int)

  private var changes: [Change] = []

  mutating func addCell(from start: Int64, to end: Int64) {
    changes.append((start, 1, 0))
    changes.append((end, -1, 0))
  }

  mutating func addPlaceholder(from start: Int64, to end: Int64) {
    changes.append((start, 0, 1))
    changes.append((end, 0, -1))
  }

  mutating func merge(_ other: CellVisibility) { changes += other.changes }

  /// Returns the blank time in `motion`, or `nil` if no cell is known to have been displayed.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of changes.
  func blankTime(in motion: TimeRangeSet, refreshInterval: TimeSpan) -> BlankTime? {
    guard !changes.isEmpty, refreshInterval > .zero, motion.length > .zero else { return nil }
    return BlankTime(of: steps, in: motion, refreshInterval: refreshInterval)
  }

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
