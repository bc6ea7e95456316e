import ScrollTraceModel

/// When a track was busy: the union of its spans (M-11), with sums for any window.
struct BusyTimeline: Sendable {
  private var begins: [Int64] = []
  private var ends: [Int64] = []
  /// The busy time before each stretch.
  private var sums: [Int64] = []

  /// The busy time of spans that are ascending by begin.
  init(of spans: SpanColumns) {
    for index in 0..<spans.count {
      add(begin: spans.begins[index], end: spans.ends[index])
    }
  }

  /// The union of several timelines, merged two by two.
  init(union timelines: [BusyTimeline]) {
    var round = timelines
    while round.count > 1 {
      round = stride(from: 0, to: round.count, by: 2).map { index in
        index + 1 < round.count
          ? BusyTimeline(merging: round[index], round[index + 1]) : round[index]
      }
    }
    self = round.first ?? BusyTimeline(of: SpanColumns())
  }

  private init(merging left: BusyTimeline, _ right: BusyTimeline) {
    var (next, other) = (0, 0)
    while next < left.begins.count || other < right.begins.count {
      if other == right.begins.count
        || (next < left.begins.count && left.begins[next] <= right.begins[other])
      {
        add(begin: left.begins[next], end: left.ends[next])
        next += 1
      } else {
        add(begin: right.begins[other], end: right.ends[other])
        other += 1
      }
    }
  }

  /// Adds a stretch that begins no earlier than any before it.
  private mutating func add(begin: Int64, end: Int64) {
    guard end > begin else { return }
    if let last = ends.last, begin <= last {
      ends[ends.count - 1] = max(last, end)
      return
    }
    // Stretches do not overlap, so that their sum fits wherever their ends fit.
    let previous = begins.count - 1
    sums.append(previous < 0 ? 0 : sums[previous] + (ends[previous] - begins[previous]))
    begins.append(begin)
    ends.append(end)
  }

  /// The busy time before `instant`.
  private func busy(before instant: Int64) -> Int64 {
    let last = begins.partitionPoint { $0 >= instant } - 1
    guard last >= 0 else { return 0 }
    return sums[last] + (min(ends[last], instant) - begins[last])
  }

  /// The busy time inside `window`.
  func busy(in window: TimeRange) -> TimeSpan {
    TimeSpan(
      nanoseconds: busy(before: window.end.nanoseconds) - busy(before: window.begin.nanoseconds))
  }

  /// The busy time inside a set of windows.
  func busy(in windows: TimeRangeSet) -> TimeSpan {
    guard begins.count < windows.ranges.count else {
      return windows.ranges.reduce(into: .zero) { $0 += busy(in: $1) }
    }
    return begins.indices.reduce(into: .zero) {
      $0 += windows.coveredLength(
        of: TimeRange(
          begin: Timestamp(clamping: begins[$1]), end: Timestamp(clamping: ends[$1])))
    }
  }

  /// The begins and ends of the stretches, each with the step it makes in a count of busy tracks.
  var steps: [(time: Int64, step: Int64)] {
    begins.map { ($0, 1) } + ends.map { ($0, -1) }
  }
}
