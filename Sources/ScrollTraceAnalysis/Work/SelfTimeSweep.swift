import ScrollTraceModel

/// Iterates over the spans of a track and finds the innermost one at each time.
///
/// The innermost span is the open one that started last. The time between the spans inside it is
/// its self time. Spans recorded after the fact may overlap each other; the same rule applies to
/// them, so that no time is attributed twice.
package enum SelfTimeSweep {
  /// Calls `body` for each range in which one span is the innermost, in order of time.
  ///
  /// - Parameters:
  ///   - count: The number of spans, sorted by start, longer ones first.
  ///   - start: Returns the start of the span at a position.
  ///   - end: Returns the end of the span at a position.
  ///   - body: Receives the range and the position of its innermost span.
  package static func run(
    count: Int, start: (Int) -> Int64, end: (Int) -> Int64, body: (Int64, Int64, Int) -> Void
  ) {
    var open: [Int] = []
    var now = Int64.min
    /// Attributes the time up to `limit` to the open spans.
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
      advance(to: start(index))
      open.append(index)
    }
    advance(to: Int64.max)
  }
}
