package import ScrollTraceModel

/// Pieces of main-thread work that keep the thread from anything else for long (M-11).
package struct LongTasks: Sendable {
  /// How long a piece may be that does not count: 50 ms, as in the W3C's Long Tasks API.
  package static let limit = TimeSpan.milliseconds(50)

  /// One of them.
  package struct Task: Sendable {
    /// From when to when.
    package let range: TimeRange
    /// Its category and name.
    package let label: LabelID
    /// What filled it (M-16), or `nil` if causes are not asked for.
    package let attribution: Attribution?
  }

  /// How many there are.
  package let count: Int
  /// How long they are together.
  package let length: TimeSpan
  /// How much of that is beyond `limit` in each, together.
  package let blocking: TimeSpan
  /// The longest, longest first; at most five.
  package let longest: [Task]
}

/// Finds the long tasks of a track: spans that lie in no other.
struct LongTaskPass {
  private static let listed = 5

  let trace: Trace
  let main: TrackID
  /// The time that a task has to touch.
  let windows: TimeRangeSet
  /// Which labels name waits.
  let waits: WaitingLabels

  /// The long tasks.
  ///
  /// - Parameter attributor: Tells what filled them, or `nil` if that is not asked for.
  func longTasks(_ attributor: Attributor?) -> LongTasks {
    let spans = trace.tracks[main.index].spans
    var (count, length, blocking) = (0, TimeSpan.zero, TimeSpan.zero)
    var longest: [(index: Int, length: TimeSpan)] = []
    var covered = Int64.min
    // Spans are ascending by start, outer ones first: what ends by then lies in one before.
    for index in 0..<spans.count where spans.ends[index] > covered {
      let (begin, end) = (spans.begins[index], spans.ends[index])
      covered = end
      let task = TimeSpan(nanoseconds: end - begin)
      guard task > LongTasks.limit, !waits[spans.labels[index]],
        windows.coveredLength(of: spans[index].range) > .zero
      else {
        continue
      }
      count += 1
      length += task
      blocking += task - LongTasks.limit
      if longest.count == Self.listed, let last = longest.last, last.length >= task { continue }
      longest.insert(
        (index, task), at: longest.firstIndex { $0.length < task } ?? longest.count)
      if longest.count > Self.listed { longest.removeLast() }
    }
    return LongTasks(
      count: count, length: length, blocking: blocking,
      longest: longest.map { entry in
        let span = spans[entry.index]
        return LongTasks.Task(
          range: span.range, label: span.label,
          attribution: attributor?.attribution(of: span.range))
      })
  }
}
