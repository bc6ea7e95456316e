import ScrollTraceModel

/// Finds the spans of a thread at both ends of which its time on a core is known: what Chrome's events say in
/// `tts` and `tdur`.
struct ChromeThreadTimeTeller {
  private let times: ThreadTimeColumns
  private var isTold: [Bool]

  /// A teller of the samples of one thread.
  init(_ times: ThreadTimeColumns) {
    self.times = times
    isTold = Array(repeating: false, count: times.count)
  }

  /// The number of samples that no span told so far, or of which it did not tell everything.
  var untoldCount: Int {
    isTold.indices.count { index in
      var told = ThreadTimeSample()
      told.cpu = times[index].cpu
      return !isTold[index] || told != times[index]
    }
  }

  /// The time on a core at the start of `range`, and how much there was of it up to the end; `nil` if no
  /// samples tell.
  mutating func tell(_ range: TimeRange) -> (start: Int64, length: Int64)? {
    guard !times.isEmpty, let first = index(of: range.start), let last = index(of: range.end),
      let start = times[first].cpu, let end = times[last].cpu, end >= start
    else { return nil }
    isTold[first] = true
    isTold[last] = true
    return (start, end - start)
  }

  private func index(of time: Timestamp) -> Int? {
    let index = times.times.partitionPoint { $0 >= time.nanoseconds }
    return index < times.count && times.times[index] == time.nanoseconds ? index : nil
  }
}
