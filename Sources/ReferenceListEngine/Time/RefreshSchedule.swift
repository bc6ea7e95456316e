package import ScrollTraceRecorder

/// The instants at which the display takes a frame: an exact grid whose rate may change.
package struct RefreshSchedule: Sendable {
  /// A refresh rate that holds from a time on.
  package struct Rate: Hashable, Sendable {
    /// From when on, counted from the beginning; it changes at the first refresh from then on.
    package var time: Nanoseconds
    /// Refreshes a second.
    package var hertz: Int

    /// `hertz` from `time` on.
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

  /// A range of equal intervals: it begins with refresh `index` at `time`.
  private struct Stretch {
    var index: Int
    var time: Nanoseconds
    var interval: Nanoseconds
  }

  private var stretches: [Stretch] = []

  /// Refreshes from `start` on; `rates` ascend by time, and the first of them holds from `start`.
  package init(start: Nanoseconds, rates: [Rate]) {
    for rate in rates {
      guard let last = stretches.last else {
        stretches.append(Stretch(index: 0, time: start, interval: rate.interval))
        continue
      }
      let index = index(atOrAfter: start + rate.time)
      guard index > last.index else { continue }
      stretches.append(Stretch(index: index, time: time(of: index), interval: rate.interval))
    }
    if stretches.isEmpty {
      let rate = Rate(from: 0, hertz: 60)
      stretches.append(Stretch(index: 0, time: start, interval: rate.interval))
    }
  }

  /// Changes the rate from the first refresh on that is not before `time`; rates that were to hold
  /// from a later one are gone.
  mutating func change(to hertz: Int, at time: Nanoseconds) {
    let index = index(atOrAfter: time)
    let stretch = Stretch(
      index: index, time: self.time(of: index), interval: Rate(from: 0, hertz: hertz).interval)
    stretches.removeAll { $0.index >= index && $0.index > 0 }
    if index == 0 { stretches = [] }
    stretches.append(stretch)
  }

  /// The time between two refreshes at the highest rate there is.
  var shortestInterval: Nanoseconds {
    stretches.reduce(.max) { min($0, $1.interval) }
  }

  /// When refresh `index` is.
  package func time(of index: Int) -> Nanoseconds {
    let stretch = stretches.last { $0.index <= index } ?? stretches[0]
    return stretch.time + Nanoseconds(index - stretch.index) * stretch.interval
  }

  /// The first refresh that is not before `time`.
  package func index(atOrAfter time: Nanoseconds) -> Int {
    // The last range whose first refresh is before `time`: what comes next lies in it, or is the
    // first refresh of the range that follows.
    let stretch = stretches.last { $0.time < time } ?? stretches[0]
    let past = max(0, time - stretch.time)
    return stretch.index + Int((past + stretch.interval - 1) / stretch.interval)
  }

  /// The last refresh that is not after `time`.
  package func index(atOrBefore time: Nanoseconds) -> Int {
    let stretch = stretches.last { $0.time <= time } ?? stretches[0]
    return stretch.index + Int(max(0, time - stretch.time) / stretch.interval)
  }
}
