import ScrollTraceModel

/// Counts frames of a surface, as far as its basis allows.
struct CountPass {
  let pass: SurfacePass

  /// Returns the counts of `frames` and `hitches` in `time`.
  ///
  /// - Parameter refreshesMissed: The refreshes that a hitch counts with.
  func counts(
    of frames: some Collection<EvaluatedFrame>, hitches: [Hitch], time: TimeRangeSet,
    refreshesMissed: KeyPath<Hitch, Int?> = \.refreshesMissedInside
  ) -> FrameCounts {
    var counts = FrameCounts(hitches: hitches.count)
    let isEvaluated = frames.contains { $0.isEvaluated && $0.refreshInterval != nil }
    if !hitches.isEmpty || isEvaluated {
      counts.refreshesMissed = Self.sum(hitches.lazy.map { $0[keyPath: refreshesMissed] })
    }
    guard pass.surface.basis != .hitchList else { return counts }
    var (owed, evaluated, lateWithoutHitch, presented, dropped) = (0, 0, 0, 0, 0)
    var (misses, knowsDeadlines) = (0, false)
    for frame in frames where frame.isOwed {
      owed += 1
      evaluated += frame.isEvaluated ? 1 : 0
      lateWithoutHitch += frame.isLateWithoutHitch ? 1 : 0
      presented += frame.frame.outcome == .presented ? 1 : 0
      dropped += frame.frame.outcome == .dropped ? 1 : 0
      guard let isMissed = frame.missedDeadline else { continue }
      knowsDeadlines = true
      misses += isMissed ? 1 : 0
    }
    counts.total = owed
    counts.evaluated = evaluated
    counts.notEvaluated = owed - evaluated
    counts.notRequested = frames.count - owed
    if knowsOutcomes {
      counts.presented = presented
      counts.dropped = dropped
    }
    counts.lateWithoutHitch = lateWithoutHitch
    if knowsDeadlines { counts.deadlineMisses = misses }
    counts.expectedRefreshes = expectedRefreshes(in: time)
    return counts
  }

  /// Returns the counts of the frames and hitches in motion. Only the part of a hitch in the
  /// measured time counts.
  func countsInMotion(of frames: [EvaluatedFrame], hitches: [Hitch]) -> FrameCounts {
    let inside = hitches.filter { $0.lengthInMotion > .zero }
    let isAll = pass.measuredTime.kind == .recording
    let moving = frames.lazy.filter { frame in
      isAll || frame.motion != nil
    }
    return counts(of: moving, hitches: inside, time: pass.movingTime)
  }

  /// The saturating sum of counts, or `nil` if one is unknown.
  private static func sum(_ counts: some Sequence<Int?>) -> Int? {
    var all = 0
    for count in counts {
      guard let count else { return nil }
      all = all.saturatingAdd(count)
    }
    return all
  }

  /// A Boolean value indicating whether the source reports the outcome of any frame of the surface.
  private var knowsOutcomes: Bool {
    pass.frames.contains { $0.frame.outcome == .presented || $0.frame.outcome == .dropped }
  }

  /// The number of frames that were presented and start in `time`, without its ends, so that no more of them
  /// fit into it than refreshes (M-10); `nil` if presentations are unknown.
  func presented(of frames: [EvaluatedFrame], in time: TimeRangeSet) -> Int? {
    guard knowsOutcomes else { return nil }
    return frames.count { frame in
      frame.frame.outcome == .presented
        && (frame.frame.place.flatMap { time.index(containing: $0) }) != nil
    }
  }

  /// The number of expected refreshes in `time`: each range divided by its refresh interval, minus
  /// the refreshes at which nothing had to change, rounded (M-10).
  private func expectedRefreshes(in time: TimeRangeSet) -> Int? {
    guard !time.isEmpty, !pass.frames.isEmpty else { return nil }
    var refreshes = 0.0
    var unrequested = 0
    for range in time.ranges {
      var now = range.start
      let first = pass.frames.partitionPoint { ($0.frame.place ?? range.start) >= range.start }
      var interval = pass.frames[max(0, first - 1)].refreshInterval
      for frame in pass.frames[first...] {
        guard let place = frame.frame.place, place < range.end else { break }
        guard let held = interval ?? frame.refreshInterval else { return nil }
        refreshes += Double((place - now).nanoseconds) / Double(held.nanoseconds)
        now = place
        interval = frame.refreshInterval
        if frame.frame.outcome == .notRequested { unrequested += 1 }
      }
      guard let interval else { return nil }
      refreshes += Double((range.end - now).nanoseconds) / Double(interval.nanoseconds)
    }
    guard refreshes < 1e15 else { return nil }
    return max(0, Int(refreshes + 0.5) - unrequested)
  }
}
