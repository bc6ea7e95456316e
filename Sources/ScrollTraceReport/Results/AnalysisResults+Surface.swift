public import ScrollTraceAnalysis
public import ScrollTraceModel

extension AnalysisResults {
  /// The conclusions about a surface.
  public struct Surface: Codable, Sendable {
    /// The name of the surface.
    public let name: String
    /// The basis of the evaluation (M-2).
    public let basis: Basis
    /// The lateness from which a frame counts as late (M-2), at the most common refresh interval.
    public let tolerance: TimeSpan
    /// The refresh intervals with the number of frames at each, most frames first.
    public let refreshIntervals: [IntervalCount]
    /// The counts of all frames.
    public let frames: FrameCounts
    /// Every refresh in motion, counted once, as time (M-23), or `nil` without known motion.
    public let ledger: RefreshLedger?
    /// The number of pictures in motion, or `nil` without known motion.
    public let picturesInMotion: Int?
    /// The hitch time in the measured time (M-5), or `nil` if no frame in it could be evaluated.
    public let hitchTime: TimeSpan?
    /// The hitch time outside the measured time, or `nil` if no frame could be evaluated.
    public let hitchTimeOutsideInteractions: TimeSpan?
    /// A Boolean value indicating whether a part of the hitch time is estimated from deadlines (M-2).
    public let isHitchTimeEstimated: Bool
    /// The longest hitch, zero if there is none, or `nil` if no frame could be evaluated.
    public let longestHitch: TimeSpan?
    /// What the main thread did in the measured time (M-25), or `nil` if nothing was counted.
    public let thread: ThreadTimes?
    /// Both bounds of the hitch time (M-21), or `nil` if the source does not say when the main thread lacked
    /// a core.
    public let bounds: Bounds?
    /// What the main thread did in the windows of the hitches, or `nil` if nothing was counted.
    public let threadInHitches: ThreadTimes?
    /// The number of hitches with a part in the measured time, or `nil` if no frame in it could be evaluated.
    public let hitchesInMotion: Int?
    /// The number of missed deadlines in the measured time, or `nil` if no deadline is known.
    public let deadlineMissesInMotion: Int?
    /// The number of refreshes that hitches skipped in the measured time, or `nil` without refresh interval.
    public let refreshesMissedInMotion: Int?
    /// The number of frames in the measured time that were never presented, or `nil` if unknown.
    public let droppedInMotion: Int?
    /// The number of late frames in the measured time without a lost refresh, or `nil` if unknown.
    public let lateWithoutHitchInMotion: Int?
    /// The longest part of a hitch in the measured time, or `nil` if no frame in it could be evaluated.
    public let longestHitchInMotion: TimeSpan?
    /// The stalls (M-9), or `nil` without main thread or refresh interval.
    public let stalls: Stalls?
    /// The measured time of the ratio (M-5).
    public let measuredTime: MeasuredTime
    /// The hitch time ratio in ms/s (M-5), or `nil` if unknown.
    public let hitchTimeRatio: Double?
    /// The rating of the ratio (M-6, M-24).
    public let rating: Rating
    /// Why the rating is not that of the ratio, or `nil` if it is. The words may change.
    public let ratingReason: String?
    /// The hitches in motion per second of the measured time, or `nil` if unknown.
    public let hitchesPerSecond: Double?
    /// The CPU time of the main thread in the measured time per frame (M-25), or `nil` if unknown.
    public let mainCPUPerFrame: TimeSpan?
    /// The estimate if the surface had always moved, or `nil` if an interaction is known.
    public let assumingAlwaysMoving: AlwaysMovingEstimate?
    /// The commit end minus the deadline (M-1), negative for slack, or `nil` without deadlines.
    public let overrun: Percentiles?
    /// The time from commit start to commit end, or `nil` if unknown.
    public let commit: Percentiles?
    /// The blocked time in commits (M-25), or `nil` if unknown.
    public let commitBlocked: BlockedInCommits?
    /// The time between consecutive presented frames (M-10), or `nil` if unknown.
    public let frameSpacing: Percentiles?
    /// The frames per second in motion (M-10).
    public let framesPerSecond: FrameRates
    /// The slack of the commits (M-13), or `nil` without deadlines.
    public let slack: Slack?
    /// The total idle time of the main thread from commits to their deadlines (M-13), or `nil` if unknown.
    public let headroom: TimeSpan?
    /// The work of the main thread between commits (M-12), or `nil` without commits or main thread.
    public let mainBusyBetweenCommits: TimeSpan?
    /// The number of hitches by refreshes late (M-9).
    public let latenessHistogram: [LatenessBucket]
    /// The number of commits by deadline utilization; empty without deadlines.
    public let deadlineUtilization: [DeadlineUtilizationBucket]
    /// The streaks of consecutive hitches and of steadily slow frames (M-9), by start.
    public let hitchStreaks: [HitchStreak]
    /// The interactions, by start.
    public let interactions: [Interaction]
    /// The states (M-18), by key, then value.
    public let states: [State]
    /// The causes of the hitch time (M-16), largest first. Their sum is `hitchTime`.
    public let causes: [SurfaceCause]
    /// The hitches, by start.
    public let hitches: [Hitch]
    /// The work of the main thread per frame (M-12), or `nil` unless it was asked for.
    public let mainWorkPerFrame: [FrameWork]?

    private enum CodingKeys: String, CodingKey {
      case name, basis, tolerance = "toleranceNs", refreshIntervals, frames, ledger = "ledgerNs"
      case picturesInMotion, hitchTime = "hitchTimeNs"
      case hitchTimeOutsideInteractions = "hitchTimeOutsideInteractionsNs"
      case isHitchTimeEstimated = "hitchTimeEstimated", longestHitch = "longestHitchNs", thread
      case bounds, threadInHitches, hitchesInMotion, deadlineMissesInMotion
      case refreshesMissedInMotion, droppedInMotion, lateWithoutHitchInMotion
      case longestHitchInMotion = "longestHitchInMotionNs", stalls, measuredTime
      case hitchTimeRatio = "hitchTimeRatioMsPerS", rating, ratingReason, hitchesPerSecond
      case mainCPUPerFrame = "mainCpuPerFrameNs", assumingAlwaysMoving, overrun = "overrunNs"
      case commit = "commitNs", commitBlocked = "commitBlockedNs"
      case frameSpacing = "frameSpacingNs", framesPerSecond, slack = "slackNs"
      case headroom = "headroomNs", mainBusyBetweenCommits = "mainBusyBetweenCommitsNs"
      case latenessHistogram, deadlineUtilization, hitchStreaks, interactions, states, causes
      case hitches, mainWorkPerFrame
    }

    init(_ surface: SurfaceAnalysis, of run: Analysis, includesSeries: Bool) {
      let start = run.trace.range.start
      let thresholds = run.options.thresholds
      let context = MetricContext(surface, in: run)
      let inMotion = surface.countsInMotion
      let rated = surface.rated(by: thresholds)
      name = surface.name
      basis = surface.basis
      tolerance = surface.tolerance
      refreshIntervals = surface.refreshIntervals
      frames = surface.counts
      ledger = surface.ledger
      picturesInMotion = surface.ledger?.pictures
      hitchTime = surface.hitchTime
      hitchTimeOutsideInteractions = surface.hitchTimeOutsideInteractions
      isHitchTimeEstimated = surface.isEstimated
      longestHitch = surface.longestHitch
      thread = surface.thread
      bounds = Bounds(of: surface)
      threadInHitches = surface.threadInHitches
      hitchesInMotion = surface.knownHitchesInMotion
      deadlineMissesInMotion = inMotion.deadlineMisses
      refreshesMissedInMotion = inMotion.refreshesMissed
      droppedInMotion = inMotion.dropped
      lateWithoutHitchInMotion = inMotion.lateWithoutHitch
      longestHitchInMotion = surface.longestHitchInMotion
      stalls = surface.stalls
      let measured = surface.measuredTime
      let isUnknown = measured.kind == .recording && measured.duration == .zero
      measuredTime = MeasuredTime(
        kind: measured.kind, duration: isUnknown ? nil : measured.duration)
      hitchTimeRatio = surface.hitchTimeRatio
      rating = rated.rating
      ratingReason = rated.reason?.text
      hitchesPerSecond = Metric.hitchesPerSecond.value(context)?.number
      mainCPUPerFrame = Metric.mainCPUPerFrame.value(context)?.time
      assumingAlwaysMoving = surface.assumingAlwaysMoving
      overrun = surface.overrun
      commit = surface.commit
      commitBlocked = surface.blockedInCommits
      frameSpacing = surface.frameSpacing
      framesPerSecond = surface.frameRates ?? .unknown
      slack = surface.slackP5.map(Slack.init)
      headroom = surface.headroom
      mainBusyBetweenCommits = surface.mainBusyBetweenCommits
      latenessHistogram = surface.latenessHistogram
      deadlineUtilization = surface.deadlineUtilization
      hitchStreaks = surface.hitchStreaks.map { HitchStreak($0, from: start) }
      interactions = surface.interactions.map { Interaction($0, from: start, by: thresholds) }
      states = surface.states.map { State($0, by: thresholds) }
      causes = surface.causes.map { SurfaceCause($0, of: surface, from: start) }
      hitches = surface.hitches.map { Hitch($0, from: start, run.samples?.timeline) }
      mainWorkPerFrame =
        includesSeries
        ? surface.mainWork.map {
          FrameWork(time: $0.time - start, mainBusy: $0.busy, available: $0.available)
        } : nil
    }
  }

  /// Both bounds of values (M-21), each a minimum and a maximum: without the time in which the main thread
  /// lacked a core, and as measured.
  public struct Bounds: Codable, Sendable {
    /// The bounds of the hitch time.
    public let hitchTime: [TimeSpan]
    /// The bounds of the hitch time ratio in ms/s, each `nil` if unknown.
    public let hitchTimeRatio: [Double?]
    /// The bounds of the missed deadlines, or `nil` if no deadline is known.
    public let deadlineMisses: [Int?]?

    private enum CodingKeys: String, CodingKey {
      case hitchTime = "hitchTimeNs", hitchTimeRatio = "hitchTimeRatioMsPerS", deadlineMisses
    }

    init?(of surface: SurfaceAnalysis) {
      guard let bounds = surface.lowerBounds, let hitchTime = surface.hitchTime else { return nil }
      let minimum = HitchTimeRatio(
        hitchTime: bounds.hitchTime, duration: surface.measuredTime.duration)
      self.hitchTime = [bounds.hitchTime, hitchTime]
      hitchTimeRatio = [minimum?.millisecondsPerSecond, surface.hitchTimeRatio]
      deadlineMisses = bounds.deadlineMisses.map { [$0, surface.counts.deadlineMisses] }
    }
  }

  /// The measured time of a ratio (M-5).
  public struct MeasuredTime: Codable, Sendable {
    /// Whether interactions or the whole recording are measured.
    public let kind: MeasuredTimeKind
    /// The length, or `nil` for a recording of unknown length.
    public let duration: TimeSpan?

    private enum CodingKeys: String, CodingKey { case kind, duration = "durationNs" }
  }

  /// The slack of commits (M-13).
  public struct Slack: Codable, Sendable {
    /// The 5th percentile.
    public let p5: TimeSpan

    init(_ p5: TimeSpan) { self.p5 = p5 }
  }

  /// Consecutive frames that are late, or slow at an even spacing (M-9).
  public struct HitchStreak: Codable, Sendable {
    /// The start of the first frame.
    public let start: TimeSpan
    /// The number of frames.
    public let frames: Int
    /// A Boolean value indicating whether the spacing is even, so that the scroll looks smooth but is slow.
    public let isSteady: Bool
    /// The even spacing, or `nil` if the streak is not steady.
    public let frameSpacing: TimeSpan?

    private enum CodingKeys: String, CodingKey {
      case start = "startNs", frames, isSteady = "steady", frameSpacing = "frameSpacingNs"
    }

    init(_ streak: ScrollTraceAnalysis.HitchStreak, from start: Timestamp) {
      self.start = streak.start - start
      frames = streak.frames
      isSteady = streak.isSteady
      frameSpacing = streak.spacing
    }
  }

  /// The work of the main thread for one frame (M-12): three numbers in JSON.
  public struct FrameWork: Codable, Sendable {
    /// The end of the commit.
    public let time: TimeSpan
    /// The work since the commit before.
    public let mainBusy: TimeSpan
    /// The available time, or `nil` if neither deadline nor refresh interval is known.
    public let available: TimeSpan?

    init(time: TimeSpan, mainBusy: TimeSpan, available: TimeSpan?) {
      (self.time, self.mainBusy, self.available) = (time, mainBusy, available)
    }

    /// Creates the work from an array of its three numbers.
    public init(from decoder: any Decoder) throws {
      var numbers = try decoder.unkeyedContainer()
      time = try numbers.decode(TimeSpan.self)
      mainBusy = try numbers.decode(TimeSpan.self)
      available = try numbers.decodeIfPresent(TimeSpan.self)
    }

    /// Encodes the three numbers as an array.
    public func encode(to encoder: any Encoder) throws {
      var numbers = encoder.unkeyedContainer()
      try numbers.encode(time)
      try numbers.encode(mainBusy)
      if let available { try numbers.encode(available) } else { try numbers.encodeNil() }
    }
  }

  /// The conclusions about an interaction of a surface.
  public struct Interaction: Codable, Sendable {
    /// The kind: drag, deceleration and so on, or a custom word.
    public let kind: String
    /// The name, or an empty string.
    public let name: String
    /// The start.
    public let start: TimeSpan
    /// The end, which is that of the trace for an open interaction.
    public let end: TimeSpan
    /// A Boolean value indicating whether the interaction ended before the trace.
    public let isFinished: Bool
    /// The counts of its frames.
    public let frames: FrameCounts
    /// The hitch time, or `nil` if no frame of it could be evaluated.
    public let hitchTime: TimeSpan?
    /// The hitch time ratio in ms/s (M-5), or `nil` if unknown.
    public let hitchTimeRatio: Double?
    /// The rating of the ratio (M-6, M-24).
    public let rating: Rating
    /// Why the rating is not that of the ratio, or `nil` if it is. The words may change.
    public let ratingReason: String?
    /// Every refresh in it, counted once, as time (M-23), or `nil` if no refresh interval is known.
    public let ledger: RefreshLedger?
    /// The number of pictures, or `nil` if no refresh interval is known.
    public let picturesInMotion: Int?
    /// The work in its time (M-11).
    public let work: WorkSums

    private enum CodingKeys: String, CodingKey {
      case kind, name, start = "startNs", end = "endNs", isFinished = "finished", frames
      case hitchTime = "hitchTimeNs", hitchTimeRatio = "hitchTimeRatioMsPerS", rating
      case ratingReason, ledger = "ledgerNs", picturesInMotion, work
    }

    init(
      _ interaction: InteractionAnalysis, from start: Timestamp, by thresholds: RatingThresholds
    ) {
      let rated = interaction.rated(by: thresholds)
      kind = interaction.kind
      name = interaction.name
      self.start = interaction.range.start - start
      end = interaction.range.end - start
      isFinished = interaction.isFinished
      frames = interaction.counts
      hitchTime = interaction.hitchTime
      hitchTimeRatio = interaction.ratio?.millisecondsPerSecond
      rating = rated.rating
      ratingReason = rated.reason?.text
      ledger = interaction.sums.ledger
      picturesInMotion = interaction.sums.ledger?.pictures
      work = interaction.work
    }
  }

  /// The conclusions about the time in which a state had a value (M-18).
  public struct State: Codable, Sendable {
    /// The name of the state.
    public let key: String
    /// The value of the state.
    public let value: String
    /// The time with this value within the measured time.
    public let duration: TimeSpan
    /// The counts of the frames in it.
    public let frames: FrameCounts
    /// What the main thread did in it (M-25), or `nil` if nothing was counted.
    public let thread: ThreadTimes?
    /// The hitch time, or `nil` if no frame of it could be evaluated.
    public let hitchTime: TimeSpan?
    /// The hitch time ratio in ms/s (M-5), or `nil` if unknown.
    public let hitchTimeRatio: Double?
    /// The rating of the ratio (M-6, M-24).
    public let rating: Rating
    /// Why the rating is not that of the ratio, or `nil` if it is. The words may change.
    public let ratingReason: String?
    /// Every refresh in it, counted once, as time (M-23), or `nil` if no motion is known.
    public let ledger: RefreshLedger?
    /// The number of pictures, or `nil` if no motion is known.
    public let picturesInMotion: Int?

    private enum CodingKeys: String, CodingKey {
      case key, value, duration = "durationNs", frames, thread, hitchTime = "hitchTimeNs"
      case hitchTimeRatio = "hitchTimeRatioMsPerS", rating, ratingReason, ledger = "ledgerNs"
      case picturesInMotion
    }

    init(_ state: StateAnalysis, by thresholds: RatingThresholds) {
      let rated = state.rated(by: thresholds)
      key = state.key
      value = state.value
      duration = state.duration
      frames = state.counts
      thread = state.thread
      hitchTime = state.hitchTime
      hitchTimeRatio = state.ratio?.millisecondsPerSecond
      rating = rated.rating
      ratingReason = rated.reason?.text
      ledger = state.ledger
      picturesInMotion = state.ledger?.pictures
    }
  }
}
