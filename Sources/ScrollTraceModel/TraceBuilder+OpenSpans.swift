extension TraceBuilder {
  /// The number of spans before an open one that are searched for the one around it.
  private static let searchedSpanCount = 256

  /// Limits the spans whose end may have been lost: such a span lasts at most until the next event
  /// of its track and the end of the span around it.
  mutating func limitOpenSpans() {
    let tracks = Set(openSpans.lazy.filter(\.mayHaveEnded).map(\.track))
    guard !tracks.isEmpty else { return }
    let events = instants(of: tracks)
    for index in openSpans.indices where openSpans[index].mayHaveEnded {
      let span = openSpans[index]
      let since = span.since.nanoseconds
      let spans = self.tracks[span.track.index].spans
      var limit = Int64.max
      let next = spans.times.partitionPoint { $0.start > since }
      if next < spans.count { limit = spans.times[next].start }
      if let around = Self.end(around: since, before: next, in: spans) {
        limit = min(limit, around)
      }
      let times = events[span.track] ?? []
      let later = times.partitionPoint { $0 > since }
      if later < times.count { limit = min(limit, times[later]) }
      openSpans[index].until = limit < Int64.max ? Timestamp(clamping: limit) : nil
    }
  }

  /// The times of marks and open spans' starts, ascending, by track.
  private func instants(of tracks: Set<TrackID>) -> [TrackID: [Int64]] {
    var times: [TrackID: [Int64]] = [:]
    for mark in marks where tracks.contains(mark.track) {
      times[mark.track, default: []].append(mark.time.nanoseconds)
    }
    for span in openSpans where tracks.contains(span.track) {
      times[span.track, default: []].append(span.since.nanoseconds)
    }
    return times.mapValues { $0.sorted() }
  }

  /// The end of the innermost span before position `next` that contains `time`, or `nil` if there
  /// is none.
  private static func end(
    around time: Int64, before next: Int, in spans: SpanColumns
  ) -> Int64? {
    for index in (max(0, next - searchedSpanCount)..<next).reversed()
    where spans.times[index].end >= time {
      return spans.times[index].end
    }
    return nil
  }
}
