package import ScrollTraceModel

/// The parts of a range in which the main thread ran and waited (M-11).
package struct MainActivity: Sendable {
  /// One of equally long parts.
  package struct Part: Equatable, Sendable {
    package let range: TimeRange
    package let running: TimeSpan
    /// The time in which it waited; it was idle for the rest.
    package let waiting: TimeSpan
  }

  /// The parts, ascending.
  package let parts: [Part]

  /// Creates the activity in `count` parts of `range`, or `nil` if no wait of the main thread is known
  /// there, because busy and idle times are then those of any graph of work.
  package init?(of trace: Trace, in range: TimeRange, parts count: Int) {
    let waits = WaitingLabels(of: trace)
    guard count > 0, range.length > .zero, !waits.isEmpty, let main = trace.mainTrack else {
      return nil
    }
    let spans = trace.tracks[main.index].spans
    let occupied = BusyTimeline(of: spans.times)
    let running = occupied.running(spans, waits)
    guard occupied.busy(in: range) > running.busy(in: range) else { return nil }
    var (occupiedTimes, runningTimes) = (BusyCursor(occupied), BusyCursor(running))
    let length = Double(range.length.nanoseconds)
    func instant(_ index: Int) -> Timestamp {
      let offset = length * Double(index) / Double(count)
      return index == count
        ? range.end
        : range.start + TimeSpan(nanoseconds: Int64(exactly: offset.rounded()) ?? 0)
    }
    parts = (0..<count).map { index in
      let part = TimeRange(start: instant(index), end: instant(index + 1))
      let busy = runningTimes.busy(in: part)
      return Part(
        range: part, running: TimeSpan(nanoseconds: busy),
        waiting: TimeSpan(nanoseconds: max(0, occupiedTimes.busy(in: part) - busy)))
    }
  }
}
