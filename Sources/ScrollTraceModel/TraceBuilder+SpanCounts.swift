/// Counting spans of threads without storing them, for what needs only their number.
extension TraceBuilder {
  /// The spans that were counted.
  struct SpanCounts {
    /// The number for each track, up to the last one with any.
    fileprivate var ofTracks: [Int] = []
    /// A Boolean value indicating whether an importer needed the spans themselves.
    fileprivate var areRequired = false

    /// The number on all tracks.
    var total: Int { ofTracks.reduce(0, +) }
  }

  /// Counts spans of `track`.
  mutating func countSpans(_ count: Int, on track: TrackID) {
    let missing = track.index + 1 - spanCounts.ofTracks.count
    if missing > 0 { spanCounts.ofTracks += repeatElement(0, count: missing) }
    spanCounts.ofTracks[track.index] += count
  }

  /// Notes that what follows needs the spans that were added so far.
  package mutating func requireSpans() { spanCounts.areRequired = onlyCountsSpans }

  /// The number of spans of a track, stored or counted.
  func spanCount(of track: Int) -> Int {
    let counted = spanCounts.ofTracks.indices.contains(track) ? spanCounts.ofTracks[track] : 0
    return tracks[track].spans.count + counted
  }

  /// A Boolean value indicating whether the trace would be another one if its spans had been stored, so
  /// that the source must be read again.
  package var lacksSpans: Bool {
    guard onlyCountsSpans else { return false }
    if spanCounts.areRequired || openSpans.contains(where: \.mayHaveEnded) { return true }
    guard lastTime >= firstTime, spanCounts.total > 0 else { return false }
    // Only with all times is it known which are damaged.
    if let plausibleTimes,
      !plausibleTimes.contains(firstTime) || !plausibleTimes.contains(lastTime)
    {
      return true
    }
    return mayHaveStrayTimes
  }
}
