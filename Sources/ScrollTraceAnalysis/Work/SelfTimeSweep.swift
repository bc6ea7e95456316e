package import ScrollTraceModel

/// Iterates over the spans of a track and finds the innermost one at each time.
///
/// The innermost span is the open one that started last. The time between the spans inside it is
/// its self time. Spans recorded after the fact may overlap each other; the same rule applies to
/// them, so that no time is attributed twice.
package enum SelfTimeSweep {
  /// Calls `body` for each range in which one span is the innermost, in order of time.
  ///
  /// - Parameters:
  ///   - spans: The spans, sorted by start, longer ones first.
  ///   - body: Receives the range and the position of its innermost span.
  package static func run(
    _ spans: some Sequence<SpanBounds>, body: (Int64, Int64, Int) -> Void
  ) {
    var open: [(end: Int64, index: Int)] = []
    var now = Int64.min
    /// Attributes the time up to `limit` to the open spans.
    func advance(to limit: Int64) {
      while let top = open.last {
        let stop = min(top.end, limit)
        if stop > now {
          body(now, stop, top.index)
          now = stop
        }
        if top.end > limit { break }
        open.removeLast()
      }
      now = limit
    }
    for (index, span) in spans.enumerated() {
      advance(to: span.start)
      open.append((span.end, index))
    }
    advance(to: Int64.max)
  }
}
