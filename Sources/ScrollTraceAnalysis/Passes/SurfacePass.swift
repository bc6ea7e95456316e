import ScrollTraceModel

/// Evaluates the frames of a surface and draws all conclusions from them.
final class SurfacePass: Sendable {
  let id: SurfaceID
  let surface: Surface
  let interactions: [Interaction]
  let trace: Trace
  let options: AnalysisOptions
  let workload: TrackWorkload
  let motions: MotionRanges
  let selection: SelectionResolution
  /// The selected time of interactions.
  let movingTime: TimeRangeSet
  /// The selected measured time of the ratio, stalls and states: the interactions, or the recording
  /// if there are none.
  let countedTime: TimeRangeSet
  /// The evaluated frames, in order of time.
  let frames: EvaluatedFrames
  /// The results of the walks through the motions, in their order.
  let evaluatedMotions: [EvaluatedMotion]
  let evaluator: FrameEvaluator
  /// The frames that belong to an interaction and are not in it.
  let edgeFrames: EdgeFrames
  private let knowsRefreshes: Bool
  /// The parts of hitches that lie in the interactions, by the position of the frame and motion.
  let hitchPieces: [Int: [TimeRange]]

  init(
    id: SurfaceID, surface: Surface, interactions: [Interaction], trace: Trace,
    options: AnalysisOptions, workload: TrackWorkload,
    selection: SelectionResolution = .everything, earlierWays: WayCounts? = nil
  ) {
    self.id = id
    self.surface = surface
    let life = surface.life ?? (options.isAlwaysMoving ? surface.activity : nil)
    let interactions = interactions.compactMap { $0.part(in: life) }
    self.interactions = interactions
    self.trace = trace
    self.options = options
    self.workload = workload
    // A rate does not mend times that cannot be judged.
    let fallback = surface.problem == nil ? options.refreshInterval : nil
    var frames = EvaluatedFrames(
      TimedFrames(
        surface.frames, fallback: fallback.flatMap { $0 > .zero ? $0 : nil },
        isStated: surface.derivesRefreshInterval))
    let motions = MotionRanges(
      interactions, longestRefresh: frames.source.refreshIntervals.max(),
      traceEnd: trace.range.end, holes: surface.holes)
    self.motions = motions
    self.selection = selection
    movingTime = selection.part(of: motions.time)
    countedTime =
      motions.time.isEmpty
      ? selection.part(of: TimeRangeSet(union: [trace.range])) : movingTime
    evaluator = FrameEvaluator(
      surface: surface, motions: motions, trace: trace, waits: workload.waits,
      earlierWays: earlierWays)
    evaluatedMotions = evaluator.evaluate(&frames)
    self.frames = frames
    edgeFrames = EdgeFrames(of: frames, in: motions.time)
    knowsRefreshes = frames.contains { $0.refreshInterval != nil }
    var pieces: [Int: [TimeRange]] = [:]
    for motion in evaluatedMotions {
      for hitch in motion.hitches { pieces[hitch.frame, default: []] += hitch.pieces }
    }
    hitchPieces = pieces
  }

  func conclusion(
    attributor: Attributor?, timelines: [StateTimeline], within budget: inout AnalysisResourceLimits
  ) -> SurfaceAnalysis {
    var surface = conclude(attributor: attributor, timelines: timelines, within: &budget)
    surface.openFrame = openFrame(besides: surface.hitches)
    if surface.isEvaluated, motions.time.isEmpty, attributor != nil,
      !trace.isOfDisplayAlone(self.surface)
    {
      surface.stallsBetweenFrames = StallPass(pass: self)
        .stallsBetweenFrames(besides: surface.hitches)
    }
    if !surface.isEvaluated { surface.assumingAlwaysMoving = conclusionIfMoving(within: &budget) }
    return surface
  }

  private func conclude(
    attributor: Attributor?, timelines: [StateTimeline], within budget: inout AnalysisResourceLimits
  ) -> SurfaceAnalysis {
    var hitchPass = HitchPass(pass: self, attributor: attributor, budget: budget)
    let found = hitchPass.hitches()
    let waits = WaitGroups(of: found)
    let hitches = found.map { waits.named($0) }
    let main = mainTrack
    let thread = main.flatMap { workload.thread($0, in: countedTime) }
    let hasBounds = attributor != nil && thread?.ready != nil
    let lateFrames =
      attributor != nil && (options.findsCauses || hasBounds)
      ? hitchPass.lateFrames(of: hitches).map { waits.named($0) } : []
    budget = hitchPass.budget
    let counts = CountPass(pass: self)
    let selected = SelectedFrames(
      frames: frames,
      positions: selection.time == nil ? nil : frames.indices.filter { isSelected(frames[$0]) })
    let isEvaluated = isEvaluated(with: hitches)
    let allCounts = counts.counts(
      of: selected, hitches: hitches, knowsHitches: isEvaluated, refreshesMissed: \.refreshesMissed)
    let mainWork = MainWorkPass(pass: self).rows()
    let inside = hitches.reduce(into: TimeSpan.zero) { $0 += $1.lengthInMotion }
    let all = hitches.reduce(into: TimeSpan.zero) { $0 += $1.length }
    let overruns = Percentiles(of: selected.values(\.overrun))
    let lacks =
      workload.waitsForDisplay
      ? Percentiles(of: selected.values { workload.slack(of: $0).map { .zero - $0 } })
      : overruns
    let intervals = intervalCounts(selected)
    let countsInMotion = counts.countsInMotion(
      of: selected, hitches: hitches, knowsHitches: isEvaluated)
    let ledger = ledger()
    let isMeasured = isEvaluated && (countsInMotion.evaluated != 0 || inside > .zero)
    let frameSpacings = FrameSpacingPass(pass: self).spacings()
    let gaps = frameSpacings.map(\.spacing)
    // By the position of the frame that ends each.
    let spacings =
      options.countsHistograms
      ? Dictionary(frameSpacings.map { ($0.frame, $0.spacing) }) { first, _ in first } : nil
    let byInteraction = InteractionPass(pass: self, hitches: hitches, spacings: spacings)
    let interactions = byInteraction.rows(within: &budget)
    return SurfaceAnalysis(
      surface: id, name: surface.name, basis: surface.basis,
      tolerance: evaluator.tolerance(at: intervals.first?.refreshInterval),
      refreshIntervals: intervals,
      isOnScreen: isOnScreen,
      counts: allCounts,
      countsInMotion: countsInMotion,
      measuredTime: measuredTime, hitchTime: isMeasured ? inside : nil,
      hitchTimeOutsideInteractions: isEvaluated ? max(.zero, all - inside) : nil,
      ledger: ledger, thread: thread,
      lowerBounds: hasBounds && isMeasured
        ? Self.lowerBounds(lateFrames, hitchTime: inside, misses: allCounts.deadlineMisses) : nil,
      threadInHitches: main.flatMap { main in
        workload.thread(
          main, in: TimeRangeSet(union: hitches.compactMap { $0.chargedAttribution?.window }))
      },
      isEstimated: hitches.contains(where: \.isEstimated),
      longestHitch: isEvaluated ? hitches.map(\.length).max() ?? .zero : nil,
      stalls: StallPass(pass: self).stalls(), overrun: overruns,
      commit: Percentiles(of: selected.values(\.commitLength)),
      frameSpacing: Percentiles(of: gaps),
      slackP5: lacks.map { .zero - $0.p95 }, headroom: mainWork.idle,
      latenessHistogram: isEvaluated ? LatenessBucket.histogram(of: hitches) : [],
      hitchStreaks: StreakPass(frames: frames, evaluator: evaluator).streaks(isCounted: isSelected),
      details: Lazy { [self] in
        SurfaceDetails(
          blockedInCommits: blockedInCommits(of: selected, attributor),
          frameRates: motions.time.isEmpty
            ? nil
            : FrameRates(of: gaps, pictures: ledger?.pictures, in: movingTime.length),
          deadlineUtilization: DeadlineUtilizationBucket.histogram(of: self))
      },
      interactions: interactions,
      interactionParts: byInteraction.parts(of: interactions, within: &budget),
      interactionKinds: byInteraction.kinds(of: interactions, within: &budget),
      states: StatePass(pass: self, hitches: hitches, timelines: timelines, spacings: spacings)
        .states(within: &budget), hitches: hitches, causes: CausePass.causes(of: hitches),
      lateFrames: options.findsCauses ? lateFrames : [],
      mainWork: mainWork,
      histograms: spacings.map {
        ScopeHistograms(
          of: selected.lazy.filter(isInMeasuredTime), hitches: hitches.map(\.lengthInMotion),
          spacings: $0)
      })
  }

  /// Returns whether any selected frame could be evaluated, given the hitches.
  func isEvaluated(with hitches: [Hitch]) -> Bool {
    let hasFrames =
      surface.basis == .hitchList
      ? hasLength || !hitches.isEmpty
      : !hitches.isEmpty || frames.contains { $0.isEvaluated && isSelected($0) }
    // If none of the user's interactions is in the recording, there are no hitches and no time.
    return hasFrames && !isNowhereInMotion
  }

  /// Whether the recording has a length, so that an empty list of hitches means that there were none.
  var hasLength: Bool {
    options.knowLength(of: trace) && selection.part(of: [trace.range]).length > .zero
  }

  /// Whether none of the user's interactions is in the recording, or the selection touches none of them.
  var isNowhereInMotion: Bool {
    motions.time.isEmpty ? options.namesInteractions : movingTime.isEmpty
  }

  var measuredTime: MeasuredTime {
    motions.time.isEmpty && !options.namesInteractions
      ? MeasuredTime(kind: .recording, duration: hasLength ? countedTime.length : .zero)
      : MeasuredTime(kind: .interaction, duration: movingTime.length)
  }

  /// The selected time from deadline to commit end of late frames, or `nil` if no deadline is known.
  var lateRanges: [TimeRange]? {
    guard surface.frames.contains(where: { $0.overrun != nil }) else { return nil }
    let late = surface.frames.compactMap { frame -> TimeRange? in
      guard frame.missedDeadline == true, let deadline = frame.deadline, let end = frame.commitEnd
      else { return nil }
      return TimeRange(start: deadline, end: end)
    }
    return selection.part(of: late).ranges
  }

  /// The main thread of the host, or of the other app whose frames these are, or `nil` if unknown.
  var mainTrack: TrackID? { trace.foreignTrack(of: id) ?? workload.main }

  /// Whether the frames are known to have reached the screen.
  var isOnScreen: Bool {
    surface.basis == .hitchList || surface.isDisplayStream
      || surface.frames.contains { $0.isOwed && $0.presented != nil }
  }

  private func intervalCounts(_ frames: SelectedFrames) -> [IntervalCount] {
    var counts: [TimeSpan: Int] = [:]
    var (last, count): (TimeSpan?, Int) = (nil, 0)
    // Most frames have the interval of the one before.
    func add() { if let last { counts[last, default: 0] += count } }
    for frame in frames where frame.isOwed {
      if frame.refreshInterval != last {
        add()
        (last, count) = (frame.refreshInterval, 0)
      }
      count += 1
    }
    add()
    for hitch in surface.listedHitches where selection.holds(hitch.start) {
      if let interval = hitch.refreshInterval { counts[interval, default: 0] += 1 }
    }
    return counts.map { IntervalCount(refreshInterval: $0.key, frames: $0.value) }
      .sorted { ($1.frames, $0.refreshInterval) < ($0.frames, $1.refreshInterval) }
  }

  // MARK: - M-21, M-25

  private static func lowerBounds(
    _ frames: [LateFrame], hitchTime: TimeSpan, misses: Int?
  ) -> LowerBounds {
    let removed = frames.removedWithMisses { $0.thread?.ready ?? .zero }
    return LowerBounds(
      hitchTime: max(.zero, hitchTime - removed.hitchTime),
      deadlineMisses: misses.map { max(0, $0 - removed.misses) })
  }

  /// The time in which the committing thread was blocked in the commits of those `frames` that count in the
  /// ratio, without waits for the display, or `nil` if it is unknown for more than a twentieth.
  private func blockedInCommits(
    of frames: SelectedFrames, _ attributor: Attributor?
  ) -> BlockedInCommits? {
    var (blocked, longest, unclear, length) = (
      TimeSpan.zero, TimeSpan.zero, TimeSpan.zero, TimeSpan.zero
    )
    var count: Int64 = 0
    var readers = trace.tracks.map { ThreadTimeReader($0.threadTimes) }
    // Most frames have the thread of the one before.
    var (last, timeline): (TrackID?, ThreadTimeline?) = (nil, nil)
    for index in frames.indices {
      let evaluated = frames[index]
      let frame = evaluated.frame
      guard isInMeasuredTime(evaluated), let start = frame.commitStart, let end = frame.commitEnd,
        start <= end, frame.isOwed, let track = frame.track ?? workload.main
      else { continue }
      let window = TimeRange(start: start, end: end)
      if last != track { (last, timeline) = (track, workload.threads[track.index]) }
      guard let times = timeline?.blocked(in: window, &readers[track.index]) else { continue }
      unclear += times.unclear
      length += window.length
      count += 1
      var own = times.known
      if own > .zero, !workload.waits.isEmpty, track == workload.main {
        let waits = attributor?.attribution(of: window).waits ?? []
        own = waits.reduce(own) { $1.wait.kind == .display ? $0 - $1.time : $0 }
      }
      longest = max(longest, own)
      blocked += max(.zero, own)
    }
    guard count > 0, unclear.nanoseconds <= length.nanoseconds / 20 else { return nil }
    return BlockedInCommits(
      perFrame: TimeSpan(nanoseconds: blocked.nanoseconds / count), longest: longest)
  }

  @inline(__always) private func isInMeasuredTime(_ frame: EvaluatedFrame) -> Bool {
    motions.time.isEmpty || frame.motion != nil
  }

  // MARK: - M-23

  /// The ledger of the selected time, or `nil` without motion or if the basis needs none.
  func ledger() -> RefreshLedger? {
    guard knowsRefreshes, !evaluatedMotions.isEmpty else { return nil }
    return evaluatedMotions.reduce(into: RefreshLedger()) {
      $0 += selection.time == nil ? $1.ledger : $1.ledger(in: movingTime)
    }
  }

  /// The ledger of the parts of motions that `time` holds, or `nil` if it is empty or nothing is known.
  func ledger(over time: TimeRangeSet) -> RefreshLedger? {
    guard knowsRefreshes, !evaluatedMotions.isEmpty, !time.isEmpty else { return nil }
    var ledger = RefreshLedger()
    var next = 0
    for range in time.ranges {
      next = max(next, evaluatedMotions.partitionPoint { $0.motion.end > range.start })
      while next < evaluatedMotions.count, evaluatedMotions[next].motion.start < range.end {
        ledger += evaluatedMotions[next].ledger(in: time)
        next += 1
      }
    }
    return ledger
  }
}

extension Interaction {
  fileprivate func part(in life: TimeRange?) -> Interaction? {
    guard let life else { return self }
    let from = max(start, life.start)
    let to = end.map { min($0, life.end) } ?? life.end
    guard from < to else { return nil }
    return Interaction(kind: kind, name: name, start: from, end: to, surface: surface)
  }
}
