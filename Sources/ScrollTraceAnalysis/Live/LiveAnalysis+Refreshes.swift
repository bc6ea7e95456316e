package import ScrollTraceModel

extension LiveAnalysis {
  /// The last `count` refreshes of a surface before `now`, ascending. Refreshes without a frame are
  /// assumed to have the rate of the frames before them.
  ///
  /// Open work of the main thread counts until `now`.
  package func refreshes(of surface: String, last count: Int, until now: Timestamp) -> [RefreshWork]
  {
    guard count > 0, let pass = passes.first(where: { $0.surface.name == surface }) else {
      return []
    }
    var refreshes = Self.grid(pass.frames, last: count, until: now)
    guard let first = refreshes.first, let main = workload.main else { return refreshes }
    var cursor = workload.cursor()
    let open = openRange(of: main, until: now)
    let ahead = rangesAhead(of: main, since: first.start)
    var occupied = BusyCursor(workload.timelines[main.index])
    var done = first.start
    for index in refreshes.indices {
      let own = refreshes[index].range
      let end = max(own.end, refreshes[index].lateCommitEnd ?? own.end)
      refreshes[index].isSkipped = own.end <= done
      let range = TimeRange(start: min(max(own.start, done), end), end: end)
      done = max(done, end)
      var busy = cursor.mainBusy(in: range)
      var waiting = TimeSpan(nanoseconds: occupied.busy(in: range)) - busy
      if let open {
        let length = range.intersection(open.range).length
        if open.isWaiting { waiting += length } else { busy += length }
      }
      refreshes[index].mainBusy = min(busy, range.length)
      refreshes[index].mainWaiting = max(
        .zero, min(waiting, range.length - refreshes[index].mainBusy))
      refreshes[index].aheadBusy = ahead.coveredLength(of: range)
    }
    return refreshes
  }

  /// The refreshes of frames, and those between and after them.
  private static func grid(
    _ frames: EvaluatedFrames, last count: Int, until now: Timestamp
  ) -> [RefreshWork] {
    var refreshes: [RefreshWork] = []
    // Only as far back as is displayed.
    func fill(until instant: Timestamp, _ refreshInterval: TimeSpan) {
      guard let last = refreshes.last else { return }
      var next = last.start + last.refreshInterval
      let earliest = instant - refreshInterval * Int64(count)
      if next < earliest { next = earliest }
      // A refresh is nearer to the frame's than to the previous one, or it is the frame's.
      while instant - next > TimeSpan(nanoseconds: refreshInterval.nanoseconds / 2) {
        refreshes.append(RefreshWork(start: next, refreshInterval: refreshInterval))
        next = next + refreshInterval
      }
    }
    for frame in frames.suffix(count) {
      guard let start = frame.frame.start, let interval = frame.refreshInterval, interval > .zero,
        start <= now
      else { continue }
      fill(until: start, refreshes.last?.refreshInterval ?? interval)
      let isMissed = frame.missedDeadline == true
      // The work of a commit that has not ended is late until now.
      let lateEnd = isMissed ? min(frame.frame.commitEnd ?? now, now) : nil
      if let last = refreshes.last,
        start < last.range.end
          - TimeSpan(
            nanoseconds: last.refreshInterval.nanoseconds / 2)
      {
        if isMissed {
          refreshes[refreshes.count - 1].missedDeadline = true
          refreshes[refreshes.count - 1].lateCommitEnd = lateEnd
        }
        continue
      }
      refreshes.append(
        RefreshWork(
          start: start, refreshInterval: interval, lateCommitEnd: lateEnd,
          missedDeadline: isMissed))
    }
    if let last = refreshes.last { fill(until: now, last.refreshInterval) }
    return Array(refreshes.suffix(count))
  }

  /// Returns the time from the main track's last recorded end to `now` if a span is open on it, and
  /// whether the innermost open span is a wait; `nil` if none is open.
  private func openRange(
    of main: TrackID, until now: Timestamp
  ) -> (range: TimeRange, isWaiting: Bool)? {
    let open = trace.openSpans.filter { $0.track == main }
    guard let first = open.map(\.since).min(),
      let innermost = open.max(by: { $0.since < $1.since })
    else { return nil }
    let recorded = Timestamp(
      clamping: trace.tracks[main.index].spans.times.lazy.map(\.end).max() ?? 0)
    return (
      TimeRange(start: max(first, recorded), end: now), workload.waits[innermost.label]
    )
  }

  /// The ranges in which the main track prepared cells that were not needed yet.
  private func rangesAhead(of main: TrackID, since start: Timestamp) -> TimeRangeSet {
    guard let key = trace.strings.firstID(of: "ahead") else { return TimeRangeSet(union: []) }
    let spans = trace.tracks[main.index].spans
    let ranges = spans.times.indices.lazy.filter {
      spans.times[$0].end >= start.nanoseconds
        && trace.arguments.value(of: key, in: spans.arguments(at: $0)) == .bool(true)
    }.map { spans[$0].range }
    return TimeRangeSet(union: Array(ranges))
  }
}
