extension TraceBuilder {
  /// Makes the trace start at `start`, for a recording of which only the last part was retained.
  ///
  /// Events that ended before it are removed, and so are frames that started before it. Everything
  /// else that started before it is cut there. A state that held at that time holds from it. Open
  /// spans keep their start, because a report shows how long they were open; so does the last frame
  /// of a surface if its commit never ended.
  ///
  /// - Parameter knowsBefore: Whether all earlier states and interactions are in the trace.
  ///   Otherwise, those that seem to continue at that time may have ended long before, and are
  ///   removed.
  package mutating func begin(at start: Timestamp, knowsBefore: Bool = true) {
    let limit = start.nanoseconds
    requireSpans()
    for index in tracks.indices { tracks[index].spans.cut(before: limit) }
    for index in surfaces.indices { surfaces[index].cut(before: start) }
    marks.removeAll { $0.time < start }
    flows.removeAll { $0.time < start }
    for index in counters.indices { counters[index].cut(before: limit) }
    asyncSpans = asyncSpans.compactMap { span in
      guard span.range.end >= start else { return nil }
      let range = TimeRange(start: max(start, span.range.start), end: span.range.end)
      return AsyncSpan(
        track: span.track, range: range, label: span.label, arguments: span.arguments,
        endTrack: span.endTrack)
    }
    interactions = interactions.compactMap { interaction in
      if let end = interaction.end, end < start { return nil }
      if interaction.end == nil, interaction.start < start, !knowsBefore { return nil }
      return Interaction(
        kind: interaction.kind, name: interaction.name, start: max(start, interaction.start),
        end: interaction.end, surface: interaction.surface)
    }
    states = knowsBefore ? states.cut(before: start) : states.filter { $0.time >= start }
    firstTime = limit
    lastTime = max(lastTime, limit)
  }

  /// The length of the trace from `start`, or `nil` if it ends before.
  package func length(since start: Timestamp) -> TimeSpan? {
    Timestamp(nanoseconds: lastTime).flatMap { $0 >= start ? $0 - start : nil }
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
}

extension Counter {
  /// Removes the samples before `limit`.
  fileprivate mutating func cut(before limit: Int64) {
    guard times.contains(where: { $0 < limit }) else { return }
    let kept = times.indices.filter { times[$0] >= limit }
    (times, values) = (kept.map { times[$0] }, kept.map { values[$0] })
  }
}

extension SpanColumns {
  /// Removes the spans that end before `limit`, and cuts those that start before it.
  fileprivate mutating func cut(before limit: Int64) {
    filter { $0.end >= limit }
    guard let first = times.first, first.start < limit else { return }
    var kept = SpanColumns()
    for index in 0..<count {
      let span = self[index]
      kept.append(
        start: max(limit, span.bounds.start), end: span.bounds.end, label: span.label,
        arguments: span.arguments)
    }
    kept.sort()
    self = kept
  }
}

extension SurfaceDraft {
  /// Removes the frames that started before `start`, and those of which only the end is known, if
  /// the start of the surface's other frames is known.
  fileprivate mutating func cut(before start: Timestamp) {
    let knowsStart = frames.contains { $0.earliest != nil }
    let last = frames.compactMap(\.earliest).max()
    let kept = frames.filter { frame in
      guard let earliest = frame.earliest else {
        return !knowsStart && (frame.presented ?? start) >= start
      }
      if earliest >= start { return true }
      return earliest == last && frame.commitEnd == nil && frame.presented == nil
    }
    listedHitches.removeAll { $0.start < start }
    guard kept.count < frames.count else { return }
    removeFrames()
    for frame in kept { append(frame) }
  }
}

extension Frame {
  /// The first time in the frame's own records, or `nil` if they contain only its end.
  fileprivate var earliest: Timestamp? { commitStart ?? start ?? deadline ?? target }
}
