package import ScrollTraceModel

/// Main-thread spans that block the thread for long (M-11).
package struct LongTasks: Sendable {
  /// The length above which a span counts: 50 ms, as in the W3C's Long Tasks API.
  package static let limit = TimeSpan.milliseconds(50)

  /// A long task.
  package struct Task: Sendable {
    package let range: TimeRange
    package let label: LabelID
    /// The attribution (M-16), or `nil` if causes are not determined.
    package let attribution: Attribution?
  }

  package let count: Int
  package let length: TimeSpan
  /// The total length beyond `limit` of each task.
  package let blocking: TimeSpan
  /// The longest tasks, at most five, longest first.
  package let longest: [Task]
}

extension LongTasks {
  private static let listed = 5

  /// Finds the long tasks among `spans` that touch `windows`: those that are not inside another.
  ///
  /// - Parameter attributor: Determines the causes, or `nil` to omit them.
  init(
    of spans: SpanColumns, in windows: TimeRangeSet, waits: WaitingLabels, _ attributor: Attributor?
  ) {
    var (count, length, blocking) = (0, TimeSpan.zero, TimeSpan.zero)
    var longest: [(index: Int, length: TimeSpan)] = []
    var covered = Int64.min
    // Spans are sorted by start, outer ones first, so a span that ends by then is inside an earlier
    // one.
    spans.times.forEachBlock { first, times in
      for (index, span) in times.enumerated() where span.end > covered {
        covered = span.end
        let (index, task) = (first + index, TimeSpan(nanoseconds: span.length))
        guard task > LongTasks.limit, !waits[spans.labels[index]],
          windows.coveredLength(of: spans[index].range) > .zero
        else { continue }
        count += 1
        length += task
        blocking += task - LongTasks.limit
        if longest.count == LongTasks.listed, let last = longest.last, last.length >= task {
          continue
        }
        longest.insert(
          (index, task), at: longest.firstIndex { $0.length < task } ?? longest.count)
        if longest.count > LongTasks.listed { longest.removeLast() }
      }
    }
    self.init(
      count: count, length: length, blocking: blocking,
      longest: longest.map { entry in
        let span = spans[entry.index]
        return LongTasks.Task(
          range: span.range, label: span.label,
          attribution: attributor?.attribution(of: span.range))
      })
  }
}

/// The longest work of the main thread.
package struct LongestWork: Sendable {
  package let work: WorkName
  package let range: TimeRange
  /// Whether it is a wait inside other work.
  package let isWait: Bool
  /// The work around a wait, or `nil` if it is none.
  package let around: WorkName?
  /// The number of other spans of its name that take at least half as long.
  package let others: Int
  /// Whether it is a task of which nothing inside is known.
  package var isTask = false
}

extension Analysis {
  /// The longest work of the main thread in the selected time: of the longest span that is neither a wait nor
  /// only around other work, the innermost that fills half of it, or a longer task half of which no such span fills.
  /// `nil` if there is none.
  package var longestWork: LongestWork? {
    guard let main = trace.mainTrack else { return nil }
    let spans = trace.tracks[main.index].spans
    let waits = WaitingLabels(of: trace)
    var longest: (index: Int, bounds: SpanBounds)?
    spans.times.forEachBlock { first, times in
      for (index, span) in times.enumerated() where span.length > longest?.bounds.length ?? 0 {
        let label = spans.labels[first + index]
        guard !waits[label], !trace.workName(of: label).isFrameOfOtherWork,
          selectedTime?.coveredLength(of: spans[first + index].range) != .zero
        else { continue }
        longest = (first + index, span)
      }
    }
    let task = work.longTasks?.longest.first { task in
      guard let attribution = task.attribution else { return false }
      let known = attribution.causes.filter { WorkName.startOfProfiler.contains($0.name) }
        .reduce(TimeSpan.zero) { $0 + $1.selfTime }
      return (RemovableCause.unrecorded.time(in: attribution) - known)
        .isPart(0.5, of: task.range.length)
    }
    if let task, task.range.length.nanoseconds > longest?.bounds.length ?? 0 {
      return LongestWork(
        work: trace.workName(of: task.label), range: task.range, isWait: false, around: nil,
        others: 0, isTask: true)
    }
    guard let longest else { return nil }
    let inner = trace.innermostWork(at: longest.index, of: spans)
    let around = trace.innermostWork(at: longest.index, of: spans) { !waits[$0] }
    let label = spans.labels[inner]
    var others = -1
    for span in spans
    where span.label == label && span.range.length.nanoseconds >= spans.times[inner].length / 2 {
      if selectedTime?.coveredLength(of: span.range) != .zero { others += 1 }
    }
    return LongestWork(
      work: trace.workName(of: label), range: spans[inner].range, isWait: waits[label],
      around: waits[label] ? trace.workName(of: spans.labels[around]) : nil, others: max(0, others))
  }
}

extension Trace {
  /// The position of the innermost of the counted spans in the one at `index` that fill half of it and are not only
  /// around other work, or `index`.
  func innermostWork(
    at index: Int, of spans: SpanColumns, where isCounted: (LabelID) -> Bool = { _ in true }
  ) -> Int {
    let outer = spans.times[index]
    var (inner, bounds) = (index, outer)
    for next in (0..<spans.count).dropFirst(index + 1) {
      let span = spans.times[next]
      guard span.start < outer.end else { break }
      if span.end <= bounds.end, span.length >= outer.length / 2,
        !workName(of: spans.labels[next]).isFrameOfOtherWork, isCounted(spans.labels[next])
      {
        (inner, bounds) = (next, span)
      }
    }
    return inner
  }
}
