import ScrollTraceModel

/// Sums the self time of each label in some windows, one track at a time.
///
/// The rule is that of `SelfTimeSweep`, applied in a single pass over the spans in place.
struct SelfTimeSums: ~Copyable {
  private struct Open {
    var end: Int64
    var label: Int
  }

  private let windows: [TimeRange]
  private let windowSet: TimeRangeSet
  private let trace: Trace
  private let waits: WaitingLabels
  /// A sum for each label, all zero between two tracks.
  private let sums: UnsafeMutableBufferPointer<Int64>

  private var window = 0
  private var windowBegin = Int64.max
  private var windowEnd = Int64.min
  private var now = Int64.min
  /// The innermost open span, or one that ends before all times if none is open.
  private var top = Open(end: Int64.min, label: 0)
  /// The open spans around it, outermost first.
  private var outer: [Open] = []

  /// Creates sums for the labels of `trace`.
  ///
  /// - Parameter waits: The labels whose time is waiting.
  init(of trace: Trace, in windows: TimeRangeSet, waits: WaitingLabels = .none) {
    self.trace = trace
    self.waits = waits
    self.windows = windows.ranges
    windowSet = windows
    sums = .allocate(capacity: max(1, trace.labels.labels.count))
    sums.initialize(repeating: 0)
  }

  deinit { sums.deallocate() }

  /// Adds spans, which follow those added before.
  mutating func add(_ block: SpanBlock) {
    for (span, label) in zip(block.times, block.labels) {
      add(span.start, span.end, Int(label.rawValue))
    }
  }

  /// Finishes a track with the given spans, and returns its self time by category, largest first, then
  /// by name.
  mutating func finishTrack(_ spans: SpanColumns) -> [CategoryTime] {
    charge(until: top.end)
    while let next = outer.popLast() {
      top = next
      charge(until: next.end)
    }
    window = 0
    (windowBegin, windowEnd) = (Int64.max, Int64.min)
    now = Int64.min
    top = Open(end: Int64.min, label: 0)
    var byCategory: [StringID: Times] = [:]
    if spans.count < sums.count {
      // Tracks with few spans must not iterate over all labels.
      for label in spans.labels { moveSum(Int(label.rawValue), into: &byCategory) }
    } else {
      for label in trace.labels.labels.indices { moveSum(label, into: &byCategory) }
    }
    return
      byCategory
      .map {
        CategoryTime(
          category: trace.strings[$0.key], selfTime: $0.value.work, waiting: $0.value.waiting)
      }
      .sorted {
        ($1.selfTime, $1.waiting, $0.category) < ($0.selfTime, $0.waiting, $1.category)
      }
  }

  /// The times of one category.
  private struct Times {
    var work = TimeSpan.zero
    var waiting = TimeSpan.zero
  }

  private mutating func moveSum(_ label: Int, into byCategory: inout [StringID: Times]) {
    guard sums[label] > 0 else { return }
    let time = TimeSpan(nanoseconds: sums[label])
    let category = trace.labels.labels[label].category
    if waits[LabelID(rawValue: UInt32(clamping: label))] {
      byCategory[category, default: Times()].waiting += time
    } else {
      byCategory[category, default: Times()].work += time
    }
    sums[label] = 0
  }

  @inline(__always)
  private mutating func add(_ start: Int64, _ end: Int64, _ label: Int) {
    precondition(label < sums.count, "a label of another trace")
    if top.end > start {
      charge(until: start)
      outer.append(top)
    } else {
      charge(until: top.end)
      if !outer.isEmpty { closeOuter(until: start) }
    }
    now = start
    top = Open(end: end, label: label)
  }

  /// Closes the spans around the innermost one, which has ended, that end by `limit`.
  private mutating func closeOuter(until limit: Int64) {
    while let next = outer.last {
      top = next
      guard next.end <= limit else { return charge(until: limit) }
      charge(until: next.end)
      outer.removeLast()
    }
  }

  /// Attributes the time up to `limit` to the innermost span.
  @inline(__always)
  private mutating func charge(until limit: Int64) {
    guard limit > now else { return }
    if now >= windowBegin, limit <= windowEnd {
      add(limit &- now, to: top.label)
    } else {
      chargeAcrossWindows(until: limit)
    }
    now = limit
  }

  /// Adds to a sum. Not in place, which the compiler cannot do with the thread sanitizer.
  @inline(__always)
  private func add(_ time: Int64, to label: Int) {
    let sum = sums[label]
    sums[label] = sum &+ time
  }

  private mutating func chargeAcrossWindows(until limit: Int64) {
    if window < windows.count, windows[window].end.nanoseconds <= now {
      window = windowSet.firstIndex(endingAfter: Timestamp(clamping: now))
    }
    var index = window
    while index < windows.count, windows[index].start.nanoseconds < limit {
      let from = max(now, windows[index].start.nanoseconds)
      let to = min(limit, windows[index].end.nanoseconds)
      if to > from { add(to &- from, to: top.label) }
      index += 1
    }
    guard window < windows.count else { return }
    windowBegin = windows[window].start.nanoseconds
    windowEnd = windows[window].end.nanoseconds
  }
}
