import ScrollTraceModel

/// Finds the spans of a thread that overlap the end of a span around them.
///
/// Formats whose threads are stacks cannot represent them there.
struct NonNestedSpans {
  /// The ends of the spans around the next one, outermost first.
  private var ends: [Int64] = []

  /// Returns whether the thread's next span, in order of start, overlaps. Such a span contains no
  /// others.
  mutating func cross(_ range: TimeRange) -> Bool {
    let (begin, end) = (range.start.nanoseconds, range.end.nanoseconds)
    while let last = ends.last, last <= begin { ends.removeLast() }
    if let last = ends.last, end > last { return true }
    ends.append(end)
    return false
  }
}
