extension TraceBuilder {
  /// How many things the builder holds, those that are few whatever the host does left out.
  package var itemCount: Int {
    tracks.reduce(marks.count + flows.count + asyncSpans.count) {
      $0 + $1.spans.count + $1.threadStates.count + $1.threadTimes.count
    }
      + counters.reduce(0) { $0 + $1.times.count } + surfaces.reduce(0) { $0 + $1.frames.count }
  }

  /// The last instant of anything so far, or `nil` if there is nothing yet.
  package var latestTime: Timestamp? {
    lastTime >= max(0, firstTime) ? Timestamp(clamping: lastTime) : nil
  }

  /// Forgets what had ended before `time`, so that a recording can be followed for as long as it
  /// lasts in a bounded space.
  ///
  /// Names, handles, the trace's range, losses and notices stay. So does what still holds: the last
  /// value of each state, interactions that go on, and the last frames of each surface, since what
  /// comes is evaluated against them.
  ///
  /// - Parameter frameCount: How many of the last frames of each surface to keep in any case.
  package mutating func forget(before time: Timestamp, keepingLastFrames frameCount: Int = 64) {
    for index in tracks.indices {
      tracks[index].spans.forget(before: time.nanoseconds)
      threadStateCount -= tracks[index].threadStates.forget(before: time.nanoseconds)
      tracks[index].threadTimes.forget(before: time.nanoseconds)
    }
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

  /// Forgets the lists before the first that is still referred to: lists come as their events do.
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
        arguments: $0.arguments.moved(by: shift))
    }
  }
}

extension SpanColumns {
  /// Forgets the spans that ended before `time`.
  fileprivate mutating func forget(before time: Int64) {
    let kept = ends.indices.filter { ends[$0] >= time }
    guard kept.count < ends.count else { return }
    begins = kept.map { begins[$0] }
    ends = kept.map { ends[$0] }
    labels = kept.map { labels[$0] }
    if !argumentLists.isEmpty { argumentLists = kept.map { argumentLists[$0] } }
    // So much was moved for spans that are gone.
    movedCount = 0
  }

  /// Renames the argument lists after the table has forgotten some.
  fileprivate mutating func moveArgumentLists(by shift: UInt32) {
    for index in argumentLists.indices {
      argumentLists[index] = argumentLists[index].moved(by: shift)
    }
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
