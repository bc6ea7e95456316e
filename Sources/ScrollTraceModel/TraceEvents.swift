/// Everything of a trace that has a time, in the order of its source.
@usableFromInline struct TraceEvents {
  var tracks: [Track] = []
  var surfaces: [SurfaceDraft] = []
  var marks: [Mark] = []
  var asyncSpans: [AsyncSpan] = []
  var flows: [FlowPoint] = []
  var counters: [Counter] = []
  var interactions: [Interaction] = []
  var states: [StateChange] = []
  var openSpans: [OpenSpan] = []
  /// The first time, or `Int64.max` if there is none.
  @usableFromInline var firstTime = Int64.max
  /// The last time, or `Int64.min` if there is none.
  @usableFromInline var lastTime = Int64.min

  /// Extends the range of the events to include `time`.
  @inlinable mutating func extend(_ time: Int64) {
    firstTime = min(firstTime, time)
    lastTime = max(lastTime, time)
  }

  /// Extends the range of the events to include what is known to have happened to `frame`.
  mutating func extend(toTimesOf frame: Frame) {
    if let time = frame.start { extend(time.nanoseconds) }
    if let time = frame.commitStart { extend(time.nanoseconds) }
    if let time = frame.commitEnd { extend(time.nanoseconds) }
    if let time = frame.presented { extend(time.nanoseconds) }
  }

  /// The number of events, without the kinds of which there are always few.
  var count: Int {
    tracks.reduce(marks.count + flows.count + asyncSpans.count) {
      $0 + $1.spans.count + $1.threadStates.count + $1.threadTimes.count
    }
      + counters.reduce(0) { $0 + $1.times.count } + surfaces.reduce(0) { $0 + $1.frames.count }
  }

  // MARK: - All times

  /// Calls `body` with each time, of frames only with those that say where they belong.
  func forEachTime(_ body: (Int64) -> Void) {
    for track in tracks {
      for span in track.spans.times {
        body(span.start)
        body(span.end)
      }
    }
    for surface in surfaces {
      for frame in surface.frames {
        if let time = frame.time { body(time.nanoseconds) }
        if let time = frame.commitEnd { body(time.nanoseconds) }
        if let time = frame.presented { body(time.nanoseconds) }
      }
      for hitch in surface.stated.listedHitches { body(hitch.start.nanoseconds) }
    }
    for mark in marks { body(mark.time.nanoseconds) }
    for flow in flows { body(flow.time.nanoseconds) }
    for span in asyncSpans {
      body(span.range.start.nanoseconds)
      body(span.range.end.nanoseconds)
    }
    for span in openSpans { body(span.since.nanoseconds) }
    for counter in counters { for time in counter.times { body(time) } }
    for change in states { body(change.time.nanoseconds) }
    for interaction in interactions {
      body(interaction.start.nanoseconds)
      if let end = interaction.end { body(end.nanoseconds) }
    }
  }

  mutating func removeAll(outside kept: ClosedRange<Int64>) {
    func isStray(_ time: Timestamp?) -> Bool {
      time.map { !kept.contains($0.nanoseconds) } ?? false
    }
    for index in tracks.indices {
      tracks[index].spans.filter { kept.contains($0.start) && kept.contains($0.end) }
    }
    for index in surfaces.indices {
      surfaces[index].keepFrames {
        !isStray($0.time) && !isStray($0.commitEnd) && !isStray($0.presented)
      }
      surfaces[index].stated.listedHitches.removeAll { isStray($0.start) }
    }
    marks.removeAll { isStray($0.time) }
    flows.removeAll { isStray($0.time) }
    asyncSpans.removeAll { isStray($0.range.start) || isStray($0.range.end) }
    openSpans.removeAll { isStray($0.since) }
    states.removeAll { isStray($0.time) }
    interactions.removeAll { isStray($0.start) || isStray($0.end) }
    for index in counters.indices { counters[index].keep(kept.contains) }
  }

  /// Removes frames whose start, commit's start, deadline or target is outside of `kept`.
  mutating func removeFrames(outside kept: ClosedRange<Int64>) {
    for index in surfaces.indices {
      surfaces[index].keepFrames { frame in
        var isKept = true
        frame.forEachOtherTime { isKept = isKept && kept.contains($0) }
        return isKept
      }
    }
  }

  // MARK: - The start

  /// Makes the events start at `start`; see `TraceBuilder.begin`.
  mutating func begin(at start: Timestamp, knowsBefore: Bool) {
    let limit = start.nanoseconds
    for index in tracks.indices { tracks[index].spans.cut(before: limit) }
    for index in surfaces.indices { surfaces[index].cut(before: start) }
    marks.removeAll { $0.time < start }
    flows.removeAll { $0.time < start }
    for index in counters.indices { counters[index].keep { $0 >= limit } }
    asyncSpans.removeAll { $0.range.end < start }
    for index in asyncSpans.indices {
      let range = asyncSpans[index].range
      asyncSpans[index].range = TimeRange(start: max(start, range.start), end: range.end)
    }
    interactions.removeAll { interaction in
      interaction.end.map { $0 < start } ?? (interaction.start < start && !knowsBefore)
    }
    for index in interactions.indices {
      interactions[index].start = max(start, interactions[index].start)
    }
    states = knowsBefore ? states.cut(before: start) : states.filter { $0.time >= start }
    firstTime = limit
    lastTime = max(lastTime, limit)
  }

  // MARK: - Forgetting

  /// Removes everything that had ended before `time`; see `TraceBuilder.forget`.
  ///
  /// - Returns: The number of slices of thread states that were removed.
  mutating func forget(before time: Timestamp, keepingLastFrames frameCount: Int) -> Int {
    var sliceCount = 0
    for index in tracks.indices {
      tracks[index].spans.filter { $0.end >= time.nanoseconds }
      sliceCount += tracks[index].threadStates.forget(before: time.nanoseconds)
      tracks[index].threadTimes.forget(before: time.nanoseconds)
    }
    marks.removeAll { $0.time < time }
    flows.removeAll { $0.time < time }
    asyncSpans.removeAll { $0.range.end < time }
    for index in counters.indices { counters[index].keep { $0 >= time.nanoseconds } }
    interactions.removeAll { $0.end.map { $0 < time } ?? false }
    states.removeAllButLast(before: time)
    for index in surfaces.indices {
      surfaces[index].forget(before: time, keepingLast: max(1, frameCount))
    }
    return sliceCount
  }

  /// The number of the first argument list that is used, or the largest number if none is. Lists
  /// are in the order of their events.
  var firstArgumentList: UInt32 {
    var first = UInt32.max
    func look(_ id: ArgumentListID) {
      if id != .none { first = min(first, id.rawValue) }
    }
    for track in tracks { for list in track.spans.argumentLists { look(list) } }
    for mark in marks { look(mark.arguments) }
    for span in asyncSpans { look(span.arguments) }
    return first
  }

  /// Updates the argument lists after the table has removed the first `shift`.
  mutating func moveArgumentLists(by shift: UInt32) {
    for index in tracks.indices { tracks[index].spans.moveArgumentLists(by: shift) }
    for index in marks.indices { marks[index].arguments = marks[index].arguments.moved(by: shift) }
    for index in asyncSpans.indices {
      asyncSpans[index].arguments = asyncSpans[index].arguments.moved(by: shift)
    }
  }

  // MARK: - Open spans

  /// The number of spans before an open one that are searched for the one around it.
  private static let searchedSpanCount = 256

  /// Limits the spans whose end may have been lost: such a span lasts at most until the next event
  /// of its track and the end of the span around it.
  mutating func limitOpenSpans() {
    let uncertain = Set(openSpans.lazy.filter(\.mayHaveEnded).map(\.track))
    guard !uncertain.isEmpty else { return }
    let events = instants(of: uncertain)
    for index in openSpans.indices where openSpans[index].mayHaveEnded {
      let span = openSpans[index]
      let since = span.since.nanoseconds
      let spans = tracks[span.track.index].spans
      var limit = Int64.max
      let next = spans.times.partitionPoint { $0.start > since }
      if next < spans.count { limit = spans.times[next].start }
      let searched = max(0, next - Self.searchedSpanCount)..<next
      if let around = searched.reversed().first(where: { spans.times[$0].end >= since }) {
        limit = min(limit, spans.times[around].end)
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
}

extension [StateChange] {
  /// The changes from `start`, preceded by those that hold at that time.
  fileprivate func cut(before start: Timestamp) -> [StateChange] {
    var held: [String: StateChange] = [:]
    for change in stablySorted(by: { $0.time }) where change.time < start {
      held[change.key] = change
    }
    let first = held.values.filter { $0.value != nil }.sorted { $0.key < $1.key }.map {
      StateChange(time: start, key: $0.key, value: $0.value)
    }
    return first + filter { $0.time >= start }
  }

  /// Removes the changes before `time` but the last one of each state.
  fileprivate mutating func removeAllButLast(before time: Timestamp) {
    var latest: [String: Timestamp] = [:]
    for change in self where change.time < time {
      latest[change.key] = Swift.max(change.time, latest[change.key] ?? .zero)
    }
    removeAll { change in
      change.time < time && latest[change.key].map { change.time < $0 } ?? false
    }
  }
}
