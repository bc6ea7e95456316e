import ScrollTraceModel

/// Finds the spans of a thread that cross the end of one around them.
///
/// Formats whose threads are stacks have no place for them there.
struct NonNestedSpans {
  /// When the spans around the next one end, the outermost first.
  private var ends: [Int64] = []

  /// Whether the next span of the thread, in order of begin, crosses; one that does is around none.
  mutating func cross(_ range: TimeRange) -> Bool {
    let (begin, end) = (range.start.nanoseconds, range.end.nanoseconds)
    while let last = ends.last, last <= begin { ends.removeLast() }
    if let last = ends.last, end > last { return true }
    ends.append(end)
    return false
  }
}
