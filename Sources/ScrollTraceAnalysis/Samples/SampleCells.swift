package import ScrollTraceModel

/// The time that each sample of a series stands for (M-26): up to the middle between it and its
/// neighbors, as far as the series reaches. Cells never overlap.
package struct SampleCells: Sendable {
  /// The times of the samples in nanoseconds, whole units.
  private let times: [Int64]
  /// The unit of the source's times, in nanoseconds.
  private let unit: Int64
  /// The farthest that a cell reaches to each side, or `nil` if there is no limit.
  private let limit: Int64?
  /// The gap in the middle of all gaps, in units: the upper one of two.
  private let gap: Int64

  /// Creates the cells of a series.
  ///
  /// - Parameters:
  ///   - series: The samples of a thread.
  ///   - reach: How far samples count, or `nil` for what the series states.
  package init(_ series: SampleSeries, reach: SampleSeries.Reach? = nil) {
    let unit = series.resolution
    let isWhole = series.times.allSatisfy { $0 == Self.whole($0, unit) }
    times = isWhole ? series.times : series.times.map { Self.whole($0, unit) }
    gap = Self.medianGap(times, in: unit)
    switch reach ?? series.reach {
    case .middle: limit = nil
    case .period(let period): limit = Self.whole(max(0, period), unit)
    case .medianGaps: limit = gap.saturatingMultiply(2).saturatingMultiply(unit)
    }
    self.unit = unit
  }

  /// A time in units, rounded down. A division takes long, unless it is by a constant.
  @inline(__always)
  private static func count(_ time: Int64, _ unit: Int64) -> Int64 {
    switch unit {
    case 1: time
    case 1000: time / 1000
    default: time / unit
    }
  }

  @inline(__always)
  private static func whole(_ time: Int64, _ unit: Int64) -> Int64 { count(time, unit) * unit }

  package var medianGap: TimeSpan { TimeSpan(nanoseconds: gap.saturatingMultiply(unit)) }

  /// The middle of the sorted gaps, in units. There may be millions, most of them short.
  private static func medianGap(_ times: [Int64], in unit: Int64) -> Int64 {
    guard var before = times.first, times.count > 1 else { return 0 }
    let wanted = (times.count - 1) / 2 + 1
    var counts = [Int](repeating: 0, count: 4096)
    var longGaps: [Int64] = []
    for time in times.dropFirst() {
      let gap = count(time - before, unit)
      before = time
      if gap < counts.count { counts[Int(gap)] += 1 } else { longGaps.append(gap) }
    }
    var passed = 0
    for (gap, count) in counts.enumerated() {
      passed += count
      if passed >= wanted { return Int64(gap) }
    }
    // Halving the range of values takes less time than sorting them.
    var (low, high) = (Int64(counts.count), longGaps.max() ?? 0)
    while low < high {
      let middle = low + (high - low) / 2
      if longGaps.count(where: { $0 <= middle }) >= wanted - passed {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  private var halfGap: Int64 { (gap / 2).saturatingMultiply(unit) }

  private func middle(after index: Int) -> Int64? {
    guard index + 1 < times.count else { return nil }
    return middle(times[index], times[index + 1])
  }

  /// The middle between two times, rounded down to units.
  private func middle(_ first: Int64, _ second: Int64) -> Int64 {
    Self.whole((first & second) + ((first ^ second) >> 1), unit)
  }

  /// The start of the cell of a sample, after the middle between it and the one before.
  private func start(_ time: Int64, after middle: Int64?) -> Int64 {
    guard let middle else { return time - halfGap }
    return limit.map { max(middle, time - $0) } ?? middle
  }

  /// The end of the cell of a sample, before the middle between it and the next one.
  private func end(_ time: Int64, before middle: Int64?) -> Int64 {
    guard let middle else { return time.saturatingAdd(halfGap) }
    return limit.map { min(middle, time.saturatingAdd($0)) } ?? middle
  }

  /// Calls `body` with each sample that stands for a part of `window`, and that part, ascending.
  package func forEach(
    in window: TimeRange, _ body: (_ index: Int, _ start: Int64, _ end: Int64) -> Void
  ) {
    let (from, to) = (window.start.nanoseconds, window.end.nanoseconds)
    var index = times.indices.partitionPoint { end(times[$0], before: middle(after: $0)) > from }
    guard index < times.count else { return }
    var now = times[index]
    var start = self.start(now, after: index > 0 ? middle(after: index - 1) : nil)
    while start < to {
      let next = index + 1 < times.count ? times[index + 1] : nil
      let middle = next.map { self.middle(now, $0) }
      let end = self.end(now, before: middle)
      let (low, high) = (max(start, from), min(end, to))
      if high > low { body(index, low, high) }
      guard let next else { return }
      start = self.start(next, after: middle)
      index += 1
      now = next
    }
  }
}
