import ScrollTraceModel

/// Counts frames of a surface, as far as its basis allows.
struct CountPass {
  let pass: SurfacePass

  /// Returns the counts of `frames` and `hitches`.
  ///
  /// - Parameters:
  ///   - knowsHitches: Whether any frame could be evaluated.
  ///   - refreshesMissed: The refreshes that a hitch counts with.
  ///   - isCounted: Whether a frame counts.
  func counts(
    of frames: SelectedFrames, hitches: [Hitch], knowsHitches: Bool,
    refreshesMissed: KeyPath<Hitch, Int?> = \.refreshesMissedInside,
    where isCounted: (EvaluatedFrame) -> Bool = { _ in true }
  ) -> FrameCounts {
    var counts = FrameCounts(hitches: knowsHitches ? hitches.count : nil)
    let isEvaluated = frames.contains {
      $0.isEvaluated && $0.refreshInterval != nil && isCounted($0)
    }
    if !hitches.isEmpty || isEvaluated {
      counts.refreshesMissed = Self.sum(hitches.lazy.map { $0[keyPath: refreshesMissed] })
    }
    guard pass.surface.basis != .hitchList else { return counts }
    var (total, owed, evaluated, lateWithoutHitch, presented, dropped) = (0, 0, 0, 0, 0, 0)
    var (misses, knowsDeadlines) = (0, false)
    for frame in frames where isCounted(frame) {
      total += 1
      guard frame.isOwed else { continue }
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
    counts.notRequested = total - owed
    if knowsOutcomes {
      counts.presented = presented
      counts.dropped = dropped
    }
    counts.lateWithoutHitch = lateWithoutHitch
    if knowsDeadlines { counts.deadlineMisses = misses }
    return counts
  }

  /// Returns the counts of the frames and hitches in motion. Only the part of a hitch in the
  /// measured time counts.
  func countsInMotion(
    of frames: SelectedFrames, hitches: [Hitch], knowsHitches: Bool
  ) -> FrameCounts {
    let inside = hitches.filter { $0.lengthInMotion > .zero }
    let isAll = pass.measuredTime.kind == .recording
    return counts(of: frames, hitches: inside, knowsHitches: knowsHitches) {
      isAll || $0.motion != nil
    }
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

  private var knowsOutcomes: Bool {
    pass.surface.frames.contains { $0.outcome == .presented || $0.outcome == .dropped }
  }
}
