package import ScrollTraceModel

/// The main-thread time of work of one name, or of waiting in it, as baselines keep it (M-21).
package struct WorkCost: Hashable, Sendable {
  /// The number of costs that a run keeps.
  package static let maximumCount = 10

  /// The category and the name of work, `image/decode`; the name of the span of a wait.
  package let name: String
  /// A Boolean value indicating whether this is the time of waiting, not of running.
  package let isWait: Bool
  /// The time in the measured time, divided by its frames.
  package let perFrame: TimeSpan
  /// The time divided by the number of items, or `nil` if the source does not name them.
  package let perItem: TimeSpan?
  /// The time divided by the number of spans, with that number; `nil` for waits, and in a baseline.
  package var perSpan: PerSpan?

  /// The time of one span on average.
  package struct PerSpan: Hashable, Sendable {
    package let count: Int
    package let time: TimeSpan
  }

  package init(name: String, isWait: Bool, perFrame: TimeSpan, perItem: TimeSpan?) {
    self.name = name
    self.isWait = isWait
    self.perFrame = perFrame
    self.perItem = perItem
  }
}

extension WorkCost {
  private struct Key: Hashable {
    let name: String
    let isWait: Bool
  }

  /// How much of a window is examined at once, which bounds memory.
  private static let step = TimeSpan(nanoseconds: 1_000_000_000)

  /// Returns the largest costs in `windows`, largest first, or `nil` without a main track or frames.
  ///
  /// Time in which the thread had no core does not count.
  static func largest(
    in windows: TimeRangeSet, frames: Int?, _ attributor: Attributor?
  ) -> [WorkCost]? {
    guard let attributor, let frames, frames > 0 else { return nil }
    var sums: [Key: (time: TimeSpan, items: Int)] = [:]
    func add(_ name: String, isWait: Bool, _ time: TimeSpan, items: Int) {
      let key = Key(name: name, isWait: isWait)
      sums[key, default: (.zero, 0)].time += time
      sums[key, default: (.zero, 0)].items += items
    }
    func name(_ category: String, _ name: String) -> String {
      "\(Label.withoutPrefix(category))/\(name)"
    }
    for window in windows.ranges {
      var start = window.start
      while start < window.end {
        let end = min(start + step, window.end)
        let part = attributor.attribution(of: TimeRange(start: start, end: end))
        for group in part.groups {
          add(
            name(group.category, group.name), isWait: false, group.selfTime,
            items: group.itemCount)
        }
        for (wait, time) in part.waits where wait.kind != .display {
          add(wait.span.name ?? wait.span.category, isWait: true, time, items: 0)
        }
        start = end
      }
    }
    let counts = attributor.spanCounts(in: windows).reduce(into: [String: Int]()) {
      $0[name($1.key.category, $1.key.name ?? ""), default: 0] += $1.value
    }
    return sums.map { key, sum in
      var cost = WorkCost(
        name: key.name, isWait: key.isWait,
        perFrame: TimeSpan(nanoseconds: sum.time.nanoseconds / Int64(frames)),
        perItem: sum.items > 0
          ? TimeSpan(nanoseconds: sum.time.nanoseconds / Int64(sum.items)) : nil)
      if !key.isWait, let count = counts[key.name] {
        let time = TimeSpan(nanoseconds: sum.time.nanoseconds / Int64(count))
        cost.perSpan = PerSpan(count: count, time: time)
      }
      return cost
    }.sorted {
      ($1.perFrame, $0.name, $0.isWait ? 1 : 0) < ($0.perFrame, $1.name, $1.isWait ? 1 : 0)
    }.prefix(maximumCount).map(\.self)
  }
}
