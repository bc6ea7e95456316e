import ScrollTraceModel

extension TrackWorkload {
  /// The assumed ends of the trace's spans that never ended (M-16), in their order.
  ///
  /// In a ScrollTrace recording of a host that crashed, they are the work at the time of the crash,
  /// and last until the end. Other sources write events without a length as a start without an end,
  /// which lasts at most until the next event of its track. No span outlasts the span around it.
  func endsOfOpenSpans(of trace: Trace) -> [Timestamp] {
    let isStack = trace.source.format == "fxt" && trace.source.wasClosed == false
    let starts = Dictionary(grouping: trace.openSpans, by: \.track)
      .mapValues { $0.map(\.since.nanoseconds).sorted() }
    return trace.openSpans.map { open in
      guard timelines.indices.contains(open.track.index) else { return trace.range.end }
      let since = open.since.nanoseconds
      let spans = trace.tracks[open.track.index].spans
      var limit = trace.range.end.nanoseconds
      let instant = TimeRange(start: open.since, end: open.since + TimeSpan(nanoseconds: 1))
      for index in timelines[open.track.index].spanIndexes(in: instant).indexes
      where spans.times[index].start < since || !isStack && spans.times[index].end > since {
        limit = min(limit, spans.times[index].end)
      }
      if !isStack {
        let next = spans.times.partitionPoint { $0.start > since }
        if next < spans.count { limit = min(limit, spans.times[next].start) }
        let others = starts[open.track] ?? []
        let other = others.partitionPoint { $0 > since }
        if other < others.count { limit = min(limit, others[other]) }
      }
      return Timestamp(clamping: max(since, limit))
    }
  }
}
