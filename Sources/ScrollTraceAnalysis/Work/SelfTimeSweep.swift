import ScrollTraceModel

/// Walks through the spans of a track and tells at each instant which one is the innermost.
///
/// The innermost span is the open one that began last; the time between the spans it contains is
/// its self time. Spans that cross each other, as those given after the fact may, are charged by the
/// same rule, so that no instant is charged twice.
package enum SelfTimeSweep {
  /// Calls `body` for each range in which one span is the innermost, ascending in time.
  ///
  /// - Parameters:
  ///   - count: The number of spans, ascending by start, longer ones first.
  ///   - start: The start of the span at a position.
  ///   - end: Its end.
  ///   - body: Receives the range and the position of its innermost span.
  package static func run(
    count: Int, start: (Int) -> Int64, end: (Int) -> Int64, body: (Int64, Int64, Int) -> Void
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
      advance(to: start(index))
      open.append(index)
    }
    advance(to: Int64.max)
  }
}
