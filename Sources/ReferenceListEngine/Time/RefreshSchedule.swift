package import ScrollTraceRecorder

/// The times at which the display takes a frame: an exact grid whose rate can change.
package struct RefreshSchedule: Sendable {
  /// A refresh rate that applies from a certain time.
  package struct Rate: Equatable, Sendable {
    /// The time relative to the start. The rate changes at the first refresh from then.
    package var time: Nanoseconds
    /// Refreshes per second.
    package var hertz: Int

    package init(from time: Nanoseconds, hertz: Int) {
      self.time = time
      self.hertz = hertz
    }

    /// The refresh interval, to the nanosecond.
    var interval: Nanoseconds {
      let hertz = Nanoseconds(min(max(1, hertz), 1000))
      return (1_000_000_000 + hertz / 2) / hertz
    }
  }

  /// A range with a constant refresh interval, which starts with refresh `index` at `time`.
  private struct RateRange {
    var index: Int
    var time: Nanoseconds
    var interval: Nanoseconds
  }

  private var ranges: [RateRange] = []

  /// Creates a schedule from `start`. `rates` must be sorted by time, and the first one applies
  /// from `start`.
  package init(start: Nanoseconds, rates: [Rate]) {
    for rate in rates.isEmpty ? [Rate(from: 0, hertz: 60)] : rates {
      guard let last = ranges.last else {
        ranges.append(RateRange(index: 0, time: start, interval: rate.interval))
        continue
      }
      let index = index(atOrAfter: start + rate.time)
      guard index > last.index else { continue }
      ranges.append(RateRange(index: index, time: time(of: index), interval: rate.interval))
    }
  }

  /// Changes the rate from the first refresh at or after `time`, replacing rates from later
  /// refreshes.
  mutating func change(to hertz: Int, at time: Nanoseconds) {
    let index = index(atOrAfter: time)
    let range = RateRange(
      index: index, time: self.time(of: index), interval: Rate(from: 0, hertz: hertz).interval)
    ranges.removeAll { $0.index >= index && $0.index > 0 }
    if index == 0 { ranges = [] }
    ranges.append(range)
  }

  /// The refresh interval at the highest rate.
  var shortestInterval: Nanoseconds { ranges.reduce(.max) { min($0, $1.interval) } }

  package func time(of index: Int) -> Nanoseconds {
    let range = ranges.last { $0.index <= index } ?? ranges[0]
    return range.time + Nanoseconds(index - range.index) * range.interval
  }

  package func index(atOrAfter time: Nanoseconds) -> Int {
    // The last range whose first refresh is before `time`: what comes next lies in it, or is the
    // first refresh of the range that follows.
    let range = ranges.last { $0.time < time } ?? ranges[0]
    let past = max(0, time - range.time)
    return range.index + Int((past + range.interval - 1) / range.interval)
  }

  package func index(atOrBefore time: Nanoseconds) -> Int {
    let range = ranges.last { $0.time <= time } ?? ranges[0]
    return range.index + Int(max(0, time - range.time) / range.interval)
  }
}
