import ScrollTraceModel

/// Walks through the spans of a track and tells at each instant which one is the innermost.
///
/// The innermost span is the open one that began last; the time between the spans it contains is
/// its self time. Spans that cross each other, as those given after the fact may, are charged by the
/// same rule, so that no instant is charged twice.
enum SelfTimeSweep {
  /// Calls `body` for each stretch in which one span is the innermost, ascending in time.
  ///
  /// - Parameters:
  ///   - spans: begin and end of each span, ascending by begin, longer ones first.
  ///   - body: receives the stretch and the position of its innermost span.
  static func run(
    count: Int, begin: (Int) -> Int64, end: (Int) -> Int64, body: (Int64, Int64, Int) -> Void
  ) {
    var open: [Int] = []
    var now = Int64.min
    /// Charges the time up to `limit` to the spans that are open.
    func advance(to limit: Int64) {
      while let top = open.last {
        let stop = min(end(top), limit)
        if stop > now {
          body(now, stop, top)
          now = stop
        }
        if end(top) > limit { break }
        open.removeLast()
      }
      now = limit
    }
    for index in 0..<count {
      advance(to: begin(index))
      open.append(index)
    }
    advance(to: Int64.max)
  }

  /// Self time of each category inside `windows`, most first, ties by name.
  static func byCategory(
    of spans: SpanColumns, in windows: TimeRangeSet, trace: Trace
  ) -> [CategoryTime] {
    // A slot for each label is fastest, and too much for many tracks of few spans each.
    let labelCount = trace.labels.labels.count
    var sums = Array(repeating: Int64(0), count: spans.count < labelCount ? 0 : labelCount)
    var sparseSums: [LabelID: Int64] = [:]
    var cursor = 0
    let ranges = windows.ranges
    run(count: spans.count, begin: { spans.begins[$0] }, end: { spans.ends[$0] }) {
      begin, end, index in
      if cursor < ranges.count, ranges[cursor].end.nanoseconds <= begin {
        cursor = windows.firstIndex(endingAfter: Timestamp(clamping: begin))
      }
      var window = cursor
      while window < ranges.count, ranges[window].begin.nanoseconds < end {
        let from = max(begin, ranges[window].begin.nanoseconds)
        let to = min(end, ranges[window].end.nanoseconds)
        if sums.isEmpty {
          sparseSums[spans.labels[index], default: 0] += to - from
        } else {
          sums[Int(spans.labels[index].rawValue)] += to - from
        }
        window += 1
      }
    }
    var byCategory: [StringID: TimeSpan] = [:]
    for (label, sum) in zip(trace.labels.labels, sums) where sum > 0 {
      byCategory[label.category, default: .zero] += TimeSpan(nanoseconds: sum)
    }
    for (label, sum) in sparseSums where sum > 0 {
      byCategory[trace.labels[label].category, default: .zero] += TimeSpan(nanoseconds: sum)
    }
    return
      byCategory
      .map { CategoryTime(category: trace.strings[$0.key], selfTime: $0.value) }
      .sorted { ($1.selfTime, $0.category) < ($0.selfTime, $1.category) }
  }
}
