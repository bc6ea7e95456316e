import ScrollTraceModel

/// The CPU times of a thread's spans, as in Chrome's `tts` and `tdur`, for spans with a thread
/// sample at both ends.
struct ChromeSpanCPUTimes {
  private let times: ThreadTimeColumns
  private var isWritten: [Bool]

  /// Creates the CPU times of the thread with these samples.
  init(_ times: ThreadTimeColumns) {
    self.times = times
    isWritten = Array(repeating: false, count: times.count)
  }

  /// The number of samples that no span has included so far, or that have more than CPU time.
  var omittedCount: Int {
    isWritten.indices.count { !isWritten[$0] || !times[$0].hasOnlyCPU }
  }

  /// Returns the thread's CPU time at the start of `range` and its growth up to the end, or `nil` if an end
  /// has no sample.
  mutating func consume(_ range: TimeRange) -> (start: Int64, length: Int64)? {
    guard !times.isEmpty, let first = index(of: range.start), let last = index(of: range.end),
      let start = times[first].cpu, let end = times[last].cpu, end >= start
    else { return nil }
    isWritten[first] = true
    isWritten[last] = true
    return (start, end - start)
  }

  private func index(of time: Timestamp) -> Int? {
    let index = times.firstIndex { $0 >= time.nanoseconds }
    return index < times.count && times.time(at: index) == time.nanoseconds ? index : nil
  }
}
