import ScrollTraceModel
import ScrollTraceSummary

/// The total busy time of many tracks, as sums, so that a query need not examine each track.
struct LoadTimeline: Sendable {
  private var times: [Int64] = []
  /// The number of busy tracks from each time.
  private var loads: [Int64] = []
  /// The total busy time before each time. With many tracks, the sum can exceed the range of a
  /// time.
  private var sums: [WideInteger] = []

  init(sum timelines: [BusyTimeline]) {
    // Each timeline is sorted, which makes sorting faster.
    self.init(steps: timelines.flatMap(\.steps))
  }

  /// Creates the sum of `ranges`, in which time counts as often as ranges contain it.
  init(sum ranges: [TimeRange]) {
    self.init(
      steps: ranges.map { (time: $0.start.nanoseconds, step: 1) }
        + ranges.map { (time: $0.end.nanoseconds, step: -1) })
  }

  private init(steps: [(time: Int64, step: Int64)]) {
    var load: Int64 = 0
    for (time, step) in steps.sorted(by: { $0.time < $1.time }) {
      load += step
      if times.last == time {
        loads[loads.count - 1] = load
      } else {
        let before =
          times.last.map { WideInteger(time - $0) * WideInteger(loads[loads.count - 1]) } ?? 0
        sums.append((sums.last ?? 0) + before)
        times.append(time)
        loads.append(load)
      }
    }
  }

  func busy(in window: TimeRange) -> TimeSpan {
    let sum = sum(before: window.end.nanoseconds) - sum(before: window.start.nanoseconds)
    return TimeSpan(nanoseconds: Int64(clamping: sum))
  }

  private func sum(before instant: Int64) -> WideInteger {
    let last = times.partitionPoint { $0 >= instant } - 1
    guard last >= 0 else { return 0 }
    return sums[last] + WideInteger(instant - times[last]) * WideInteger(loads[last])
  }
}
