import ScrollTraceModel

/// Counts frames of a surface, as far as its basis knows them.
struct CountPass {
  let pass: SurfacePass

  /// The counts of `frames` and `hitches`, which lie in `time`.
  func counts(of frames: [JudgedFrame], hitches: [Hitch], time: TimeRangeSet) -> FrameCounts {
    var counts = FrameCounts(hitches: hitches.count)
    let missed = hitches.map(\.refreshesMissed)
    let isJudged = frames.contains { $0.isJudged && $0.interval != nil }
    if !hitches.isEmpty || isJudged {
      counts.refreshesMissed = missed.contains(nil) ? nil : Self.sum(missed)
    }
    guard pass.surface.basis != .hitchList else { return counts }
    let owed = frames.filter { $0.frame.outcome != .notRequested }
    counts.total = owed.count
    counts.judged = owed.count(where: \.isJudged)
    counts.notJudged = owed.count { !$0.isJudged }
    counts.notRequested = frames.count - owed.count
    if knowsOutcomes {
      counts.presented = owed.count { $0.frame.outcome == .presented }
      counts.dropped = owed.count { $0.frame.outcome == .dropped }
    }
    counts.stuffed = owed.count(where: \.isStuffed)
    if owed.contains(where: { $0.missedDeadline != nil }) {
      counts.deadlineMisses = owed.count { $0.missedDeadline == true }
    }
    counts.expectedRefreshes = expectedRefreshes(in: time)
    return counts
  }

  /// The sum of the counts that are known; it stops at the end of the range.
  private static func sum(_ counts: [Int?]) -> Int {
    counts.reduce(0) { sum, count in
      let (next, overflow) = sum.addingReportingOverflow(count ?? 0)
      return overflow ? Int.max : next
    }
  }

  /// Whether the source tells of some frame of the surface what became of it.
  private var knowsOutcomes: Bool {
    pass.frames.contains { $0.frame.outcome == .presented || $0.frame.outcome == .dropped }
  }

  /// Frames presented in `time` per refresh expected there (M-10).
  func shownShare(of frames: [JudgedFrame], in time: TimeRangeSet) -> Double? {
    guard knowsOutcomes, let expected = expectedRefreshes(in: time), expected > 0 else {
      return nil
    }
    let shown = frames.count { frame in
      frame.frame.outcome == .presented
        && (frame.frame.place.flatMap { time.index(containing: $0) }) != nil
    }
    return min(1, Double(shown) / Double(expected))
  }

  /// Time / refresh interval over `time`, each stretch at the interval that holds in it, less the
  /// refreshes at which nothing had to change; rounded to the nearest (M-10).
  private func expectedRefreshes(in time: TimeRangeSet) -> Int? {
    guard !time.isEmpty, !pass.frames.isEmpty else { return nil }
    var refreshes = 0.0
    var unrequested = 0
    for range in time.ranges {
      var now = range.begin
      let first = pass.frames.partitionPoint { ($0.frame.place ?? range.begin) >= range.begin }
      var interval = pass.frames[max(0, first - 1)].interval
      for frame in pass.frames[first...] {
        guard let place = frame.frame.place, place < range.end else { break }
        guard let held = interval ?? frame.interval else { return nil }
        refreshes += Double((place - now).nanoseconds) / Double(held.nanoseconds)
        now = place
        interval = frame.interval
        if frame.frame.outcome == .notRequested { unrequested += 1 }
      }
      guard let interval else { return nil }
      refreshes += Double((range.end - now).nanoseconds) / Double(interval.nanoseconds)
    }
    guard refreshes < 1e15 else { return nil }
    return max(0, Int(refreshes + 0.5) - unrequested)
  }
}
