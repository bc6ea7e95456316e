extension Trace {
  /// Returns the trace with all main work on one track, if the host's commits move between threads, so
  /// that it is measured as that of a host whose commits do not.
  ///
  /// The track is a new one, which is named as the main track was. What its threads did in the background
  /// stays on their own tracks.
  package func withCommitsOnOneTrack() -> Trace {
    guard let main = mainTrack, let owners = CommitOwners(of: self) else { return self }
    let turns = owners.turns
    let id = TrackID(index: tracks.count)
    var joined = Track(
      systemID: tracks[main.index].systemID, process: tracks[main.index].process,
      name: tracks[main.index].name, isMain: true,
      isCompletelyRecorded: owners.tracks.allSatisfy { tracks[$0.index].isCompletelyRecorded },
      spans: SpanColumns())
    var copy = self
    copy.moveSpans(of: owners, to: &joined)
    for turn in turns {
      let states = tracks[turn.track.index].threadStates
      joined.threadStates.append(states, from: turn.start, to: turn.end)
      let times = tracks[turn.track.index].threadTimes
      joined.threadTimes.append(times, from: turn.start, to: turn.end)
    }
    copy.keepBackgroundTimes(of: owners.tracks, turns)
    copy.tracks.append(joined)
    copy.moveSamples(of: owners.tracks, turns, to: id)
    for surface in copy.surfaces.indices {
      for frame in copy.surfaces[surface].frames.indices
      where copy.surfaces[surface].frames[frame].track.map(owners.tracks.contains) ?? false {
        copy.surfaces[surface].frames[frame].track = id
      }
    }
    copy.openSpans = openSpans.map { span in
      guard turns.track(at: span.since.nanoseconds) == span.track else { return span }
      return OpenSpan(
        track: id, label: span.label, item: span.item, since: span.since, until: span.until,
        mayHaveEnded: span.mayHaveEnded)
    }
    return copy
  }

  private mutating func moveSpans(of owners: CommitOwners, to joined: inout Track) {
    let work = Dictionary(grouping: owners.work, by: \.track)
    for track in owners.tracks.sorted() {
      let spans = tracks[track.index].spans
      let own = work[track] ?? []
      var rest = SpanColumns()
      var next = 0
      for span in spans {
        let (start, end) = (span.bounds.start, span.bounds.end)
        while next + 1 < own.count, own[next + 1].start <= start { next += 1 }
        let isOwn = next < own.count && own[next].start <= start && end <= own[next].end
        func add(to columns: inout SpanColumns) {
          columns.append(
            start: start, end: end, label: span.label, arguments: span.arguments)
        }
        if isOwn { add(to: &joined.spans) } else { add(to: &rest) }
      }
      rest.sort()
      tracks[track.index].spans = rest
    }
    for index in tracks.indices { tracks[index].isMain = false }
    joined.spans.sort()
  }

  /// Leaves the threads what the system counted for them outside their turns.
  private mutating func keepBackgroundTimes(
    of owners: Set<TrackID>, _ turns: [CommitOwners.Piece]
  ) {
    let own = Dictionary(grouping: turns, by: \.track)
    for track in owners.sorted() {
      var (states, times) = (ThreadStateColumns(), ThreadTimeColumns())
      func keep(from start: Int64, to end: Int64) {
        states.append(tracks[track.index].threadStates, from: start, to: end)
        times.append(tracks[track.index].threadTimes, from: start, to: end)
      }
      var now = Int64.min
      for turn in own[track] ?? [] {
        keep(from: now, to: turn.start)
        now = turn.end
      }
      if now < Int64.max { keep(from: now, to: Int64.max) }
      tracks[track.index].threadStates = states
      tracks[track.index].threadTimes = times
    }
  }

  /// Moves the samples that threads took in their turns to series of the track `id`.
  private mutating func moveSamples(
    of owners: Set<TrackID>, _ turns: [CommitOwners.Piece], to id: TrackID
  ) {
    var joined: [SampleSeries] = []
    for index in samples.indices where owners.contains(samples[index].track) {
      let series = samples[index]
      let target =
        joined.firstIndex { $0.event == series.event && $0.weightUnit == series.weightUnit }
        ?? joined.count
      if target == joined.count { joined.append(series.empty(of: id)) }
      var rest = series.empty(of: series.track)
      for sample in series.times.indices {
        let time = series.times[sample]
        let weight = series.weights.isEmpty ? nil : series.weights[sample]
        if turns.track(at: time) == series.track {
          joined[target].append(series.stack(at: sample), at: time, weight: weight)
        } else {
          rest.append(series.stack(at: sample), at: time, weight: weight)
        }
      }
      samples[index] = rest
    }
    for index in joined.indices { joined[index].sort() }
    samples += joined.filter { $0.count > 0 }
  }
}

extension ThreadStateColumns {
  /// Appends the slices of `other` from `start` to `end`, cut there.
  fileprivate mutating func append(_ other: ThreadStateColumns, from start: Int64, to end: Int64) {
    var index = other.firstIndex(endingAfter: start)
    while index < other.count, other.starts[index] < end {
      let (from, to) = (max(start, other.starts[index]), min(end, other.ends[index]))
      if to > from {
        append(
          from: from, to: to, other.states[index], core: other.cores[index],
          waker: from == other.starts[index] ? other.waker(at: index) : nil)
      }
      index += 1
    }
  }
}

extension ThreadTimeColumns {
  /// Appends the samples of `other` from `start` to `end`. Nothing is known of the time since the last
  /// sample, which may be another thread's.
  fileprivate mutating func append(_ other: ThreadTimeColumns, from start: Int64, to end: Int64) {
    var index = other.firstIndex { $0 >= start }
    guard index < other.count, other.time(at: index) <= end else { return }
    if !isEmpty { append(ThreadTimeSample(), at: other.time(at: index)) }
    while index < other.count, other.time(at: index) <= end {
      append(other[index], at: other.time(at: index))
      index += 1
    }
  }
}

extension SampleSeries {
  /// Returns a series of the same kind on `track`, without samples.
  fileprivate func empty(of track: TrackID) -> SampleSeries {
    SampleSeries(
      track: track, event: event, weightUnit: weightUnit, reach: reach, resolution: resolution)
  }
}
