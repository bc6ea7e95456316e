import ScrollTraceModel

/// The refresh intervals of a frame timeline, which does not contain them: they follow from the times at which
/// frames were due to begin, which lie on the display's own grid.
struct PerfettoRefresh {
  private typealias Draft = PerfettoFrameTimeline.Draft

  /// The minimum number of gaps between frames that determine a rate.
  private static let minimumGaps = 8
  /// The longest gap, in refreshes, that says whether it lies on a grid; half of all have to.
  private static let longestGap: Int64 = 8
  /// The shortest refresh of a display: 500 Hz.
  private static let shortestRefresh: Int64 = 2_000_000

  /// The interval of the display's grid.
  let usual: TimeSpan
  /// The times at which frames of the app were due to begin that were late by Android's word, ascending.
  private let late: [Timestamp]

  /// Determines the interval, or `nil` if the gaps between frames do not agree.
  ///
  /// Each app is woken at its own times, so the starts of several apps do not determine a rate.
  init?(display: PerfettoFrameTimeline.Stream?, app: PerfettoFrameTimeline.Stream?) {
    let grids = [display, app].lazy.compactMap { $0.flatMap { Self.grid(of: $0.frames) } }
    guard let grid = grids.first else { return nil }
    let frames = app?.frames ?? display?.frames ?? []
    usual = TimeSpan(nanoseconds: grid / Self.refreshes(in: grid, of: frames))
    late = frames.filter(\.wasLateBySystem).compactMap(\.expected).sorted()
  }

  /// The interval of each frame: the usual one, except while the display ran slower, so that frames came at
  /// longer gaps, all alike and nearly all on time.
  func intervals(of frames: [PerfettoFrameTimeline.Draft]) -> [TimeSpan] {
    var intervals = Array(repeating: usual, count: frames.count)
    let order = frames.indices.filter { frames[$0].expected != nil }
      .stablySorted { frames[$0].expected ?? .zero }
    let times = order.map { frames[$0].expected ?? .zero }
    var start = 1
    while start < times.count {
      let gap = times[start] - times[start - 1]
      var end = start + 1
      while end < times.count, Self.isAlike(times[end] - times[end - 1], gap) { end += 1 }
      if end - start >= Self.minimumGaps, gap.nanoseconds > usual.nanoseconds / 2 * 3,
        lateCount(from: times[start - 1], to: times[end - 1]) <= (end - start) / 4
      {
        for index in order[(start - 1)..<end] { intervals[index] = gap }
      }
      start = end
    }
    return intervals
  }

  private func lateCount(from start: Timestamp, to end: Timestamp) -> Int {
    late.partitionPoint { $0 > end } - late.partitionPoint { $0 >= start }
  }

  // MARK: - The grid

  /// The smallest gap that at least eight gaps and a quarter of all have, and of which four fifths of the others are
  /// multiples; or else the one that half of them have.
  private static func grid(of frames: [Draft]) -> Int64? {
    let times = frames.compactMap(\.expected).sorted()
    let gaps = zip(times.dropFirst(), times).map { ($0 - $1).nanoseconds }
      .filter { $0 > 0 }.sorted()
    guard gaps.count >= minimumGaps else { return nil }
    let needed = max(minimumGaps, gaps.count / 4)
    var start = gaps.partitionPoint { $0 >= shortestRefresh }
    while start < gaps.count {
      let limit = gaps[start].saturatingAdd(gaps[start] / 10)
      let end = gaps.partitionPoint { $0 > limit }
      let middle = center(of: gaps, near: gaps[(start + end) / 2])
      if end - start >= needed, isGrid(middle, of: gaps) { return middle }
      // The next gap that differs by more than a clock does.
      let next = gaps[start].saturatingAdd(gaps[start] / 50)
      start = gaps.partitionPoint { $0 > next }
    }
    let middle = gaps[gaps.count / 2]
    return gaps.count { abs($0 - middle) <= middle / 20 } * 2 >= gaps.count ? middle : nil
  }

  /// The median of the gaps within a quarter of one.
  private static func center(of gaps: [Int64], near gap: Int64) -> Int64 {
    let first = gaps.partitionPoint { $0 >= gap - gap / 4 }
    let end = gaps.partitionPoint { $0 > gap.saturatingAdd(gap / 4) }
    return first < end ? gaps[(first + end) / 2] : gap
  }

  private static func isGrid(_ grid: Int64, of gaps: [Int64]) -> Bool {
    let near = gaps.prefix(gaps.partitionPoint { $0 / longestGap > grid })
    guard near.count * 2 >= gaps.count else { return false }
    let multiples = near.count { gap in
      let rest = gap % grid
      return gap >= grid - grid / 10 && min(rest, grid - rest) <= grid / 10
    }
    return multiples * 5 >= near.count * 4
  }

  /// The number of refreshes in a gap: more than one if most frames were late and none came sooner, and the time
  /// that each had until its deadline goes into the gap evenly.
  private static func refreshes(in grid: Int64, of frames: [Draft]) -> Int64 {
    guard frames.count(where: \.wasLateBySystem) * 2 >= frames.count else { return 1 }
    let times = frames.compactMap { frame -> Int64? in
      guard let due = frame.expected, let deadline = frame.frame.deadline else { return nil }
      return (deadline - due).nanoseconds
    }.sorted()
    guard !times.isEmpty, times[times.count / 2] > 0 else { return 1 }
    let available = times[times.count / 2]
    let count = grid.saturatingAdd(available / 2) / available
    return (2...4).contains(count) && abs(grid - count * available) <= grid / 20 ? count : 1
  }

  private static func isAlike(_ gap: TimeSpan, _ other: TimeSpan) -> Bool {
    abs(gap.nanoseconds - other.nanoseconds) <= other.nanoseconds / 20
  }
}

extension PerfettoFrameTimeline.Draft {
  /// Whether Android says that the app was late with it.
  fileprivate var wasLateBySystem: Bool { wasLate || jank & PerfettoJank.appDeadlineMissed != 0 }
}
