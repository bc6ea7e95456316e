extension TraceBuilder {
  /// The most slices of thread states that a trace holds; a longer schedule is dropped as a whole, since
  /// a part of it would give wrong figures.
  package static var threadStateLimit: Int { 8_000_000 }

  /// Adds a slice of what a scheduler did with a thread. Slices do not extend the trace's range.
  ///
  /// - Parameters:
  ///   - core: The core of a running slice, or `nil` if unknown.
  ///   - waker: The track that woke the thread at the start of a ready slice, or `nil` if unknown.
  package mutating func addThreadState(
    _ state: ThreadState, on track: TrackID, from start: Timestamp, to end: Timestamp,
    core: Int16? = nil, waker: TrackID? = nil
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    guard end > start, !hasTooManyThreadStates else { return }
    threadStateCount += 1
    guard threadStateCount <= Self.threadStateLimit else { return dropThreadStates() }
    tracks[track.index].threadStates.append(
      from: start.nanoseconds, to: end.nanoseconds, state, core: core ?? -1, waker: waker)
  }

  /// Adds what a system counted for a thread up to `time`.
  package mutating func addThreadTime(
    _ sample: ThreadTimeSample, on track: TrackID, at time: Timestamp
  ) {
    guard !sample.isEmpty else { return }
    tracks[track.index].threadTimes.append(sample, at: time.nanoseconds)
  }

  /// Drops all slices and takes no more: there are too many.
  package mutating func dropThreadStates() {
    hasTooManyThreadStates = true
    for index in tracks.indices { tracks[index].threadStates = ThreadStateColumns() }
    addNotice(.tooManyThreadStates(limit: Self.threadStateLimit))
  }

  /// Sorts states and times of all threads, and notes what cannot be right.
  mutating func settleThreadTimes() {
    for index in tracks.indices {
      let track = tracks[index]
      guard !track.threadStates.isEmpty || !track.threadTimes.isEmpty else { continue }
      let name = track.name.isEmpty ? "thread \(track.systemID)" : track.name
      let overlaps = tracks[index].threadStates.settle()
      if overlaps > 0 { addNotice(.overlappingThreadStates(track: name, count: overlaps)) }
      tracks[index].threadTimes.settle()
      let times = tracks[index].threadTimes
      let implausible = times.times.indices.dropLast().count { !times.segment(at: $0).isPlausible }
      if implausible > 0 { addNotice(.implausibleThreadTimes(track: name, count: implausible)) }
    }
  }
}

extension ThreadStateColumns {
  /// Forgets the slices that ended before `time`, and returns how many these were.
  mutating func forget(before time: Int64) -> Int {
    let kept = ends.indices.filter { ends[$0] >= time }
    let forgotten = count - kept.count
    guard forgotten > 0 else { return 0 }
    starts = kept.map { starts[$0] }
    states = kept.map { states[$0] }
    cores = kept.map { cores[$0] }
    wakers = kept.map { wakers[$0] }
    ends = kept.map { ends[$0] }
    return forgotten
  }
}

extension ThreadTimeColumns {
  /// Forgets the samples before `time` but the last of them, which begins a segment.
  mutating func forget(before time: Int64) {
    guard let last = times.filter({ $0 < time }).max() else { return }
    let kept = times.indices.filter { times[$0] >= last }
    guard kept.count < count else { return }
    cpu = kept.map { cpu[$0] }
    if !details.isEmpty { details = kept.map { details[$0] } }
    times = kept.map { times[$0] }
  }
}
