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

  /// Adds how long a thread had run on a core up to `time`, which must not be negative: sources have very
  /// many such samples.
  package mutating func addThreadTime(
    cpu: Int64, on track: TrackID, at time: Timestamp
  ) {
    tracks[track.index].threadTimes.append(cpu: cpu, at: time.nanoseconds)
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
      let name = track.displayName
      let overlaps = tracks[index].threadStates.settle()
      if overlaps > 0 { addNotice(.overlappingThreadStates(track: name, count: overlaps)) }
      tracks[index].threadTimes.settle()
      let implausible = tracks[index].threadTimes.implausibleCount
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
  /// Appends a sample of which nothing but the time on a core is known.
  fileprivate mutating func append(cpu time: Int64, at instant: Int64) {
    times.append(instant)
    cpu.append(time)
    guard !details.isEmpty else { return }
    var sample = ThreadTimeSample()
    sample.cpu = time
    details.append(sample)
  }

  /// The number of segments in which a count runs backwards or exceeds the time.
  fileprivate var implausibleCount: Int {
    guard details.isEmpty else {
      return times.indices.dropLast().count { !segment(at: $0).isPlausible }
    }
    var (count, index) = (0, 1)
    while index < times.count {
      let (first, second) = (cpu[index - 1], cpu[index])
      let length = times[index] - times[index - 1]
      if first >= 0, second >= 0, second < first || second - first - Self.tick > length {
        count += 1
      }
      index += 1
    }
    return count
  }

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
