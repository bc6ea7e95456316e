import ScrollTraceModel

/// Interactions that overlap, touch or are less than a refresh apart. A frame is also expected
/// between a drag and its deceleration (M-3).
struct Motion {
  let start: Timestamp
  /// The end of its last interaction, or of the trace if that never ended.
  private(set) var end: Timestamp
  /// Whether its last interaction never ended.
  private(set) var isUnfinished: Bool
  /// The interactions without the pauses between them, ascending, none touching.
  private(set) var ranges: [TimeRange]
  /// Whether the source has lost the frames of this time.
  private(set) var isLost = false
  /// Whether the source has lost the frames of the time that follows.
  private(set) var endsInLoss = false

  /// Joins `interactions` into motions, without those that ended when they started.
  ///
  /// - Parameters:
  ///   - longestRefresh: The longest refresh interval of the surface.
  ///   - traceEnd: The end of the trace.
  static func joining(
    _ interactions: [Interaction], longestRefresh: TimeSpan, traceEnd: Timestamp
  ) -> [Motion] {
    let known = interactions.map { interaction in
      (
        start: interaction.start, end: interaction.end ?? traceEnd,
        isOpen: interaction.end == nil
      )
    }.filter { $0.isOpen || $0.start < $0.end }.sorted {
      ($0.start, $0.end, $0.isOpen ? 1 : 0) < ($1.start, $1.end, $1.isOpen ? 1 : 0)
    }
    var motions: [Motion] = []
    for part in known {
      let range = TimeRange(start: part.start, end: part.end)
      if let last = motions.last, part.start - last.end < longestRefresh {
        motions[motions.count - 1].join(range, isOpen: part.isOpen)
      } else {
        motions.append(
          Motion(start: range.start, end: range.end, isUnfinished: part.isOpen, ranges: [range]))
      }
    }
    return motions
  }

  private mutating func join(_ range: TimeRange, isOpen: Bool) {
    if let last = ranges.last, range.start <= last.end {
      ranges[ranges.count - 1] = TimeRange(start: last.start, end: max(last.end, range.end))
    } else {
      ranges.append(range)
    }
    if range.end >= end { isUnfinished = isOpen || (range.end == end && isUnfinished) }
    end = max(end, range.end)
  }

  /// Returns the motion divided at the times of which frames are lost, which are sorted.
  fileprivate func divided(at holes: [TimeRange]) -> [Motion] {
    var parts: [Motion] = []
    var from = start
    func add(until to: Timestamp, isLost: Bool) {
      let held = self.parts(of: TimeRange(start: from, end: to))
      from = to
      guard let first = held.first, let last = held.last else { return }
      var part = Motion(
        start: first.start, end: last.end, isUnfinished: isUnfinished && last.end == end,
        ranges: held)
      part.isLost = isLost
      part.endsInLoss = !isLost && from < end
      parts.append(part)
    }
    for hole in holes[holes.partitionPoint { $0.end > start }...] {
      guard hole.start < end else { break }
      if hole.start > from { add(until: hole.start, isLost: false) }
      add(until: min(hole.end, end), isLost: true)
    }
    guard !parts.isEmpty || from > start else { return [self] }
    if from < end { add(until: end, isLost: false) }
    return parts
  }

  /// Returns the parts of `range` in the interactions.
  func parts(of range: TimeRange) -> [TimeRange] {
    // A motion usually has few interactions, but a malicious trace may have many.
    var index = ranges.partitionPoint { $0.end > range.start }
    var parts: [TimeRange] = []
    while index < ranges.count, ranges[index].start < range.end {
      let part = ranges[index].intersection(range)
      if part.length > .zero { parts.append(part) }
      index += 1
    }
    return parts
  }
}

/// The motions of a surface and their time.
struct MotionRanges {
  /// The union of the interactions: the measured time of a ratio (M-5).
  let time: TimeRangeSet
  /// The motions, ascending, or empty if no interaction has a length.
  let all: [Motion]

  init(
    _ interactions: [Interaction], longestRefresh: TimeSpan?, traceEnd: Timestamp,
    holes: [TimeRange] = []
  ) {
    time = TimeRangeSet(
      union: interactions.map { TimeRange(start: $0.start, end: $0.end ?? traceEnd) })
    all =
      time.isEmpty
      ? []
      : Motion.joining(
        interactions, longestRefresh: longestRefresh ?? TimeSpan(nanoseconds: 1),
        traceEnd: traceEnd
      ).flatMap { holes.isEmpty ? [$0] : $0.divided(at: holes) }
  }
}
