import ScrollTraceModel

extension SurfaceAnalysis {
  /// Adds the blank times of all lists (M-27), also to the rows of interactions and states, so that none
  /// of them is good for what showed placeholders.
  mutating func addBlankTime(_ lists: [BlankTime], in motion: TimeRangeSet) {
    blankRatio = lists.compactMap(\.ratio).max()
    let blank = lists.filter { $0.time > .zero }
    guard !blank.isEmpty else { return }
    for index in interactions.indices {
      let time = TimeRangeSet(union: [interactions[index].range])
      interactions[index].sums.blankTimes = blank.map { $0.time(in: time) }
    }
    for index in interactionParts.indices {
      let range = interactionParts[index].range
      interactionParts[index].sums.blankTimes = blank.map { $0.time(in: motion, within: range) }
    }
    for index in states.indices {
      let time = states[index].time
      states[index].blankRatio = blank.compactMap {
        HitchTimeRatio(hitchTime: $0.time(in: time), duration: time.length)?.millisecondsPerSecond
      }.max()
    }
  }
}
