extension TraceBuilder {
  /// The number of objects in the builder, without the kinds of which there are always few.
  package var itemCount: Int {
    tracks.reduce(marks.count + flows.count + asyncSpans.count + sampleCount) {
      $0 + $1.spans.count + $1.threadStates.count + $1.threadTimes.count
    }
      + counters.reduce(0) { $0 + $1.times.count } + surfaces.reduce(0) { $0 + $1.frames.count }
  }

  /// The last time so far, or `nil` if there is none.
  package var latestTime: Timestamp? {
    lastTime >= max(0, firstTime) ? Timestamp(clamping: lastTime) : nil
  }

  /// Removes everything that had ended before `time`, so that a recording of any length can be
  /// followed in limited memory.
  ///
  /// Names, handles, the trace's range, losses and notices stay. So do the last value of each
  /// state, open interactions and the last frames of each surface, because later frames are
  /// evaluated with them.
  ///
  /// - Parameter frameCount: The number of frames of each surface that are always kept.
  package mutating func forget(before time: Timestamp, keepingLastFrames frameCount: Int = 64) {
    for index in tracks.indices {
      tracks[index].spans.filter { $0.end >= time.nanoseconds }
      threadStateCount -= tracks[index].threadStates.forget(before: time.nanoseconds)
      tracks[index].threadTimes.forget(before: time.nanoseconds)
    }
    forgetSamples(before: time.nanoseconds)
    marks.removeAll { $0.time < time }
    flows.removeAll { $0.time < time }
    asyncSpans.removeAll { $0.range.end < time }
    for index in counters.indices { counters[index].forget(before: time.nanoseconds) }
    interactions.removeAll { $0.end.map { $0 < time } ?? false }
    forgetStates(before: time)
    for index in surfaces.indices {
      surfaces[index].forget(before: time, keepingLast: max(1, frameCount))
    }
    forgetArguments()
  }

  private mutating func forgetStates(before time: Timestamp) {
    var latest: [String: Timestamp] = [:]
    for change in states where change.time < time {
      latest[change.key] = max(change.time, latest[change.key] ?? .zero)
    }
    states.removeAll { change in
      change.time < time && latest[change.key].map { change.time < $0 } ?? false
    }
  }

  /// Removes the lists before the first one that is still used. Lists are in the order of their
  /// events.
  private mutating func forgetArguments() {
    var first = UInt32.max
    func look(_ id: ArgumentListID) {
      if id != .none { first = min(first, id.rawValue) }
    }
    for track in tracks { for list in track.spans.argumentLists { look(list) } }
    for mark in marks { look(mark.arguments) }
    for span in asyncSpans { look(span.arguments) }
    let shift = arguments.forget(before: first)
    guard shift > 0 else { return }
    for index in tracks.indices { tracks[index].spans.moveArgumentLists(by: shift) }
    marks = marks.map {
      Mark(
        time: $0.time, track: $0.track, label: $0.label,
        arguments: $0.arguments.moved(by: shift))
    }
    asyncSpans = asyncSpans.map {
      AsyncSpan(
        track: $0.track, range: $0.range, label: $0.label,
        arguments: $0.arguments.moved(by: shift), endTrack: $0.endTrack)
    }
  }
}

extension SpanColumns {
  /// Updates the argument lists after the table has removed some.
  fileprivate mutating func moveArgumentLists(by shift: UInt32) {
    argumentLists = argumentLists.mapped { $0.moved(by: shift) }
  }
}

extension ArgumentListID {
  fileprivate func moved(by shift: UInt32) -> ArgumentListID {
    self == .none ? self : ArgumentListID(rawValue: rawValue - min(rawValue, shift))
  }
}

extension Counter {
  fileprivate mutating func forget(before time: Int64) {
    guard times.contains(where: { $0 < time }) else { return }
    let kept = times.indices.filter { times[$0] >= time }
    values = kept.map { values[$0] }
    times = kept.map { times[$0] }
  }
}
