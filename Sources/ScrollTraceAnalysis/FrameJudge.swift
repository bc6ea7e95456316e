import ScrollTraceModel

/// Applies a surface's basis to its frames: lateness (M-2) and skipped refreshes (M-3).
struct FrameEvaluator {
  /// The surface.
  let surface: Surface
  /// When the surface moved.
  let motions: MotionRanges
  /// Whether the trace lost data, so that frames may be missing.
  let hasLosses: Bool

  /// A hitch that no frame ended: refreshes missed until the motion or the trace ended.
  struct LastGap {
    /// The motion in which it lies.
    let motion: Int
    /// The frame that was begun and not shown; `nil` where there was none.
    let frame: EvaluatedFrame?
    /// From the last shown frame to the end.
    let gap: TimeRange
    /// The gap less one refresh.
    let hitch: TimeSpan
    /// The refresh interval that held.
    let refreshInterval: TimeSpan
  }

  /// How late a frame may be before it counts, at the refresh interval `interval` (M-2).
  func tolerance(at refreshInterval: TimeSpan?) -> TimeSpan {
    let twentieth = TimeSpan(nanoseconds: (refreshInterval?.nanoseconds ?? 0) / 20)
    return max(surface.presentationTolerance, twentieth)
  }

  /// Judges `frames`, which are in order of time and know their interval and motion.
  func judge(_ frames: inout [EvaluatedFrame]) -> [LastGap] {
    switch surface.basis {
    case .target: judgeByTarget(&frames)
    case .deadline: judgeByDeadline(&frames)
    case .cadence: judgeByCadence(&frames)
    case .hitchList, .aggregate, .none: return []
    }
    for index in frames.indices where frames[index].frame.outcome == .dropped {
      frames[index].shown = nil
      frames[index].lateness = .zero
      frames[index].hitch = .zero
      // Without a refresh interval no gap can be judged, with or without frames dropped in it.
      frames[index].isEvaluated =
        surface.basis != .cadence || (frames[index].motion != nil && frames[index].refreshInterval != nil)
    }
    judgeGaps(&frames)
    return lastGaps(frames)
  }

  // MARK: - M-2

  private func judgeByTarget(_ frames: inout [EvaluatedFrame]) {
    var previous: (lateness: TimeSpan, presented: Timestamp)?
    for index in frames.indices {
      guard frames[index].isOwed, let presented = frames[index].frame.presented else { continue }
      frames[index].shown = presented
      frames[index].isEvaluated = frames[index].motion != nil && frames[index].refreshInterval != nil
      guard let target = frames[index].frame.target else { continue }
      frames[index].isEvaluated = true
      let interval = frames[index].refreshInterval
      let tolerance = tolerance(at: interval)
      let lateness = presented - target
      if lateness > tolerance {
        if let previous, let interval, (lateness - previous.lateness).magnitude <= tolerance,
          (presented - previous.presented) * 4 <= interval * 5
        {
          frames[index].isLateWithoutHitch = true
        } else {
          frames[index].lateness = lateness
          frames[index].hitch = lateness
        }
      }
      previous = (lateness, presented)
    }
  }

  private func judgeByDeadline(_ frames: inout [EvaluatedFrame]) {
    for index in frames.indices {
      guard let overrun = frames[index].overrun, let deadline = frames[index].frame.deadline,
        let interval = frames[index].refreshInterval
      else { continue }
      frames[index].isEvaluated = true
      // A source that says that the frame was shown in time knows more than its deadline tells.
      if overrun > .zero, !frames[index].frame.wasOnTime {
        let refreshes = (overrun.nanoseconds - 1) / interval.nanoseconds + 1
        frames[index].lateness = interval * refreshes
        frames[index].hitch = frames[index].lateness
      }
      frames[index].shown = deadline + frames[index].lateness
    }
  }

  private func judgeByCadence(_ frames: inout [EvaluatedFrame]) {
    let hasPresented = frames.contains { $0.isOwed && $0.frame.presented != nil }
    for index in frames.indices where frames[index].isOwed {
      let frame = frames[index].frame
      // Like with like: presented times, or else begin times; never one against the other.
      guard let shown = hasPresented ? frame.presented : frame.start else { continue }
      frames[index].shown = shown
      frames[index].isEvaluated = frames[index].motion != nil && frames[index].refreshInterval != nil
    }
  }

  // MARK: - M-3

  /// Whether presentation times are exact, which makes the limit for gaps tighter.
  private func hasExactTimes(_ frames: [EvaluatedFrame]) -> Bool {
    surface.basis != .deadline && surface.presentationTolerance == .zero
      && frames.contains { $0.isOwed && $0.frame.presented != nil }
  }

  private func judgeGaps(_ frames: inout [EvaluatedFrame]) {
    let isExact = hasExactTimes(frames)
    var last: Int?
    var notRequested = TimeSpan.zero
    for index in frames.indices {
      guard frames[index].motion != nil else {
        last = nil
        continue
      }
      if let known = last, frames[known].motion != frames[index].motion { last = nil }
      if index > 0, isMissingFrames(between: frames[index - 1], frames[index]) { last = nil }
      if frames[index].frame.outcome == .notRequested {
        notRequested += frames[index].refreshInterval ?? .zero
        continue
      }
      guard frames[index].shown != nil else {
        // A frame that was dropped is part of the gap; one of unknown time voids it.
        if frames[index].frame.outcome != .dropped { last = nil }
        continue
      }
      defer {
        last = index
        notRequested = .zero
      }
      guard let previous = last, let interval = frames[index].refreshInterval,
        let intervalBefore = frames[previous].refreshInterval,
        let stretch = stretch(from: frames[previous], to: frames[index], isExact: isExact)
      else { continue }
      let hitch = hitchTime(
        ofGap: stretch.gap.length - notRequested, refreshInterval: interval,
        longest: max(interval, intervalBefore), isExact: stretch.isExact)
      guard hitch > frames[index].hitch else { continue }
      frames[index].hitch = hitch
      frames[index].hitchEnd = stretch.gap.end
      frames[index].gapWork = work(from: frames[previous], to: frames[index]) ?? stretch.gap
    }
  }

  /// The stretch between two frames on the glass, like compared with like: for basis *deadline* the
  /// presentations where both are known, else what follows from the deadlines.
  private func stretch(
    from previous: EvaluatedFrame, to next: EvaluatedFrame, isExact: Bool
  ) -> (gap: TimeRange, isExact: Bool)? {
    if surface.basis == .deadline, let begin = previous.frame.presented,
      let end = next.frame.presented
    {
      return (TimeRange(start: begin, end: end), surface.presentationTolerance == .zero)
    }
    guard let begin = previous.shown, let end = next.shown else { return nil }
    return (TimeRange(start: begin, end: end), isExact)
  }

  /// From commit to commit, where both are known: what is missing on the glass was missing there.
  ///
  /// Not where frames are placed by their begins: a begin comes late because of what the frame
  /// before it did, which ends with that one's commit.
  private func work(from previous: EvaluatedFrame, to next: EvaluatedFrame) -> TimeRange? {
    guard surface.basis != .cadence || next.frame.presented != nil,
      let begin = previous.frame.commitEnd, let end = next.frame.commitEnd, begin < end
    else { return nil }
    return TimeRange(start: begin, end: end)
  }

  /// Whether frames between two that follow each other were lost: there were some, of unknown A.
  private func isMissingFrames(between first: EvaluatedFrame, _ second: EvaluatedFrame) -> Bool {
    hasLosses && surface.numbersEveryFrame && second.frame.id > first.frame.id
      && second.frame.id - first.frame.id > 1
  }

  /// The time the glass stood still in a gap; zero for one that is not above the limit.
  private func hitchTime(
    ofGap gap: TimeSpan, refreshInterval: TimeSpan, longest: TimeSpan, isExact: Bool
  ) -> TimeSpan {
    guard isExact ? gap * 4 > longest * 5 : gap * 2 > longest * 3 else { return .zero }
    guard surface.timesLieOnRefreshGrid else { return gap - refreshInterval }
    let doubled = gap * 2 + refreshInterval
    let refreshes = doubled.nanoseconds / (refreshInterval * 2).nanoseconds
    return refreshInterval * max(0, refreshes - 1)
  }

  // MARK: - The last gap

  /// The gaps from the last shown frame of each motion to its end.
  private func lastGaps(_ frames: [EvaluatedFrame]) -> [LastGap] {
    let isExact = hasExactTimes(frames)
    let sourceKnowsCommits = frames.contains { $0.frame.commitEnd != nil }
    // Frames are in order of time, so that those of a motion follow one another.
    var byMotion: [Int: Range<Int>] = [:]
    for index in frames.indices {
      guard let motion = frames[index].motion else { continue }
      if index == 0 || frames[index - 1].motion != motion { byMotion[motion] = index..<index }
      if index + 1 == frames.count || frames[index + 1].motion != motion {
        byMotion[motion] = (byMotion[motion]?.lowerBound ?? index)..<(index + 1)
      }
    }
    var found: [LastGap] = []
    for motion in motions.joined.ranges.indices {
      let members = frames[byMotion[motion] ?? 0..<0]
      let tail = members.lastIndex { $0.shown != nil }.map { $0 + 1 } ?? members.startIndex
      let unshown = members[tail...].last {
        $0.isUnshown(sourceKnowsCommits: sourceKnowsCommits)
      }
      guard unshown != nil || (motions.unfinished.contains(motion) && !members.isEmpty) else {
        continue
      }
      let lastShown = tail > members.startIndex ? members[tail - 1].shown : nil
      guard let start = lastShown ?? members.first?.frame.place,
        let interval = members.last?.refreshInterval
      else { continue }
      let (from, notRequested) = gapBegin(
        start, tail: members[tail...], sourceKnowsCommits: sourceKnowsCommits)
      let end = motions.joined.ranges[motion].end
      let hitch = hitchTime(
        ofGap: end - from - notRequested, refreshInterval: interval, longest: interval, isExact: isExact)
      guard hitch > .zero else { continue }
      found.append(
        LastGap(
          motion: motion, frame: unshown, gap: TimeRange(start: from, end: end), hitch: hitch,
          refreshInterval: interval))
    }
    return found
  }

  /// Where the last gap begins, and how much of it nothing was requested: it begins at the last
  /// shown frame, or later where a frame of unknown time may have been shown since.
  private func gapBegin(
    _ start: Timestamp, tail: ArraySlice<EvaluatedFrame>, sourceKnowsCommits: Bool
  ) -> (from: Timestamp, notRequested: TimeSpan) {
    var from = start
    var notRequested = TimeSpan.zero
    for member in tail {
      let frame = member.frame
      if frame.outcome == .notRequested {
        notRequested += member.refreshInterval ?? .zero
      } else if !member.isUnshown(sourceKnowsCommits: sourceKnowsCommits),
        let latest = [frame.target, frame.deadline, frame.commitEnd].compactMap({ $0 }).max(),
        latest > from
      {
        from = latest
        notRequested = .zero
      }
    }
    return (from, notRequested)
  }
}
