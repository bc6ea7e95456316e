import ScrollTraceModel

/// Until when spans that began and never ended are taken to have lasted (M-16).
///
/// In a recording of ours whose host died they are what it was doing, and last until its end. Others
/// write what has no length as a start without an end, which fills nothing beyond the next event of
/// its track. None lasts longer than the span around it.
struct OpenSpanEnds {
  /// When each of the trace's open spans is taken to have ended, in their order.
  let ends: [Timestamp]

  /// The ends of the open spans of `trace`.
  init(of trace: Trace, _ workload: TrackWorkload) {
    let isStack = trace.source.format == "fxt" && trace.source.wasClosed == false
    let starts = Dictionary(grouping: trace.openSpans, by: \.track)
      .mapValues { $0.map(\.since.nanoseconds).sorted() }
    ends = trace.openSpans.map { open in
      guard workload.timelines.indices.contains(open.track.index) else { return trace.range.end }
      let since = open.since.nanoseconds
      let spans = trace.tracks[open.track.index].spans
      var limit = trace.range.end.nanoseconds
      let instant = TimeRange(start: open.since, end: open.since + TimeSpan(nanoseconds: 1))
      for index in workload.timelines[open.track.index].spanIndexes(in: instant).indexes
      where spans.begins[index] < since || !isStack && spans.ends[index] > since {
        limit = min(limit, spans.ends[index])
      }
      if !isStack {
        let next = spans.begins.partitionPoint { $0 > since }
        if next < spans.count { limit = min(limit, spans.begins[next]) }
        let others = starts[open.track] ?? []
        let other = others.partitionPoint { $0 > since }
        if other < others.count { limit = min(limit, others[other]) }
      }
      return Timestamp(clamping: max(since, limit))
    }
  }
}
