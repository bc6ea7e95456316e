public import ScrollTraceModel

/// What was concluded about one surface. What cannot be known is `nil`, never zero.
public struct SurfaceAnalysis: Sendable {
  /// The surface in the trace.
  public let surface: SurfaceID
  /// Its name.
  public let name: String
  /// On what it was judged (M-2).
  public let basis: Basis
  /// How late a frame may be before it counts (M-2), at the most common interval.
  public let tolerance: TimeSpan
  /// The refresh intervals and the number of frames at each, most frames first.
  public let intervals: [IntervalCount]
  /// Whether its frames are known to have reached the screen: the source says when some were, or
  /// lists the hitches that were seen.
  public let isOnScreen: Bool
  /// The counts of frames.
  public let counts: FrameCounts
  /// The same of those frames and hitches, or parts of hitches, that are inside the denominator.
  public let countsInMotion: FrameCounts
  /// The time the ratio is measured against (M-5).
  public let denominator: Denominator
  /// The hitch time inside the denominator; `nil` where no frame could be judged.
  public let hitchTime: TimeSpan?
  /// The hitch time outside the denominator; `nil` where no frame could be judged.
  public let hitchTimeOutside: TimeSpan?
  /// Every refresh in motion, counted once (M-23); `nil` without motion or interval.
  public let ledger: RefreshLedger?
  /// Whether some of the hitch time is estimated (M-2, basis deadline).
  public let isEstimated: Bool
  /// The longest hitch; `nil` where no frame could be judged, zero where there is no hitch.
  public let longestHitch: TimeSpan?
  /// How often the main thread stood inside one span across two refreshes (M-9).
  public let stalls: Stalls?
  /// Commit end minus deadline over frames that know both (M-1); negative is slack.
  public let overrun: Percentiles?
  /// The time from commit start to commit end.
  public let commit: Percentiles?
  /// The time from one shown frame to the next (M-10), in motion where something is known to have
  /// moved; `nil` where the source does not say when frames were shown.
  public let pace: Percentiles?
  /// The 5th percentile of slack (M-13).
  public let slackP5: TimeSpan?
  /// Idle main-thread time after commits and before their deadlines, summed (M-13).
  public let headroom: TimeSpan?
  /// Hitches by how many refreshes they are late (M-9).
  public let latenessHistogram: [LatenessBucket]
  /// How much of the time it had each commit used; empty without deadlines.
  public let deadlineUse: [DeadlineUseBucket]
  /// Runs of consecutive hitches and steady slow runs (M-9), ascending by begin.
  public let runs: [HitchRun]
  /// Frames presented during interactions per refresh expected there (M-10); `nil` where the source
  /// does not say what was presented.
  public let shownShare: Double?
  /// The interactions of this surface, ascending by begin.
  public let interactions: [InteractionAnalysis]
  /// The states that held (M-18), ascending by key, then value.
  public let states: [StateAnalysis]
  /// All hitches, ascending by begin.
  public let hitches: [Hitch]
  /// What the hitch time inside the denominator is charged to, most first (M-16); empty where there
  /// is none.
  public let causes: [CauseSummary]
  /// Main-thread work per frame, ascending by time (M-12); empty without commits.
  public let mainWork: [MainWork]
  /// The spare time after each commit of `mainWork` (M-13); empty without deadlines.
  let spareTimes: [TimeSpan]
  /// What the hitches would be had the surface moved all the time, where nobody says when it moved and
  /// nothing else can be judged; else `nil`.
  public internal(set) var ifMoving: MovingAssumption?

  /// The area under the curve of main-thread work per frame (M-12); `nil` without commits or a main
  /// track.
  public var mainWorkArea: TimeSpan? {
    mainWork.isEmpty ? nil : mainWork.reduce(into: .zero) { $0 += $1.busy }
  }

  /// Whether at least one frame was judged, or the source lists hitches.
  public var isJudged: Bool { hitchTime != nil }

  /// How many hitches have a part inside the denominator.
  public var hitchesInside: Int { countsInMotion.hitches }

  /// The longest part of a hitch that is inside the denominator; `nil` where no frame could be judged,
  /// zero where there is none.
  public var longestHitchInside: TimeSpan? {
    isJudged ? hitches.lazy.map(\.lengthInside).max() ?? .zero : nil
  }

  /// Whether this surface gives the verdict rather than `other` (M-24).
  func comesBefore(_ other: SurfaceAnalysis) -> Bool {
    if isOnScreen != other.isOnScreen { return isOnScreen }
    let frames = (countsInMotion.total ?? 0, other.countsInMotion.total ?? 0)
    return frames.0 == frames.1 ? name < other.name : frames.0 > frames.1
  }

  /// The hitch time ratio (M-5); `nil` where it cannot be known.
  public var ratio: HitchTimeRatio? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: denominator.duration) }
  }

  /// The most common refresh interval; `nil` where none is known.
  public var interval: TimeSpan? { intervals.first?.interval }
}

/// How many frames have one refresh interval.
public struct IntervalCount: Hashable, Sendable {
  /// The refresh interval.
  public let interval: TimeSpan
  /// The frames at that interval.
  public let frames: Int
}

/// Counts of frames; `nil` where the basis cannot know them.
public struct FrameCounts: Hashable, Sendable {
  /// All frames.
  public var total: Int?
  /// The frames to which the surface's basis could be applied (M-2).
  public var judged: Int?
  /// The others.
  public var notJudged: Int?
  /// Commits that ended after their deadline (M-1); `nil` where no frame knows both.
  public var deadlineMisses: Int?
  /// Frames that reached the glass late (M-4).
  public var hitches: Int
  /// Whole refreshes skipped by hitches (M-7); `nil` without an interval.
  public var refreshesMissed: Int?
  /// How many refreshes owed a frame (M-10); `nil` without interactions or interval.
  public var expectedRefreshes: Int?
  /// Frames that were shown.
  public var presented: Int?
  /// Frames that were never shown.
  public var dropped: Int?
  /// Late frames by which no refresh was lost: latency, not hitch (M-2).
  public var lateWithoutHitch: Int?
  /// Refreshes at which nothing had to change.
  public var notRequested: Int?
}

/// The time that a ratio is measured against.
public struct Denominator: Hashable, Sendable {
  /// Which time it is.
  public enum Kind: String, Sendable {
    /// The union of the surface's interactions.
    case interaction
    /// The whole recording.
    case recording
  }

  /// Which time it is.
  public let kind: Kind
  /// Its length.
  public let duration: TimeSpan
}

/// How often and how long the main thread stood still.
public struct Stalls: Hashable, Sendable {
  /// How often.
  public var count: Int
  /// The longest time; zero where there was none.
  public var longest: TimeSpan
}

/// Percentiles of lengths of time, Hyndman-Fan type 7 (M-8), rounded to the nanosecond.
public struct Percentiles: Hashable, Sendable {
  /// How many values there are, at least 1.
  public let count: Int
  /// The median.
  public let p50: TimeSpan
  /// The 90th percentile.
  public let p90: TimeSpan
  /// The 95th percentile.
  public let p95: TimeSpan
  /// The 99th percentile.
  public let p99: TimeSpan
  /// The largest value.
  public let max: TimeSpan
}

/// Hitches that are late by a number of refreshes.
public struct LatenessBucket: Hashable, Sendable {
  /// The number of refreshes: 1, 2, 3, 4-7, 8-15 or 16+.
  public let refreshesLate: String
  /// How many hitches.
  public let count: Int
}

/// Commits by the part of their time that they used.
public struct DeadlineUseBucket: Hashable, Sendable {
  /// Which part: 0-50 %, 50-75 %, 75-100 %, then 1 late, 2 late, 3+ late.
  public let label: String
  /// How many commits.
  public let count: Int
  /// Whether these commits missed their deadline.
  public let isLate: Bool
}

/// Frames in a row that are late together, or slow at an even pace (M-9).
public struct HitchRun: Hashable, Sendable {
  /// When the first of them begins.
  public let begin: Timestamp
  /// How many frames.
  public let frames: Int
  /// Whether they come at an even pace: it looks smooth, and is slow.
  public let isSteady: Bool
  /// The even pace; `nil` where the run is not steady.
  public let spacing: TimeSpan?
}

/// Main-thread work in one refresh (M-12).
public struct MainWork: Hashable, Sendable {
  /// The frame whose commit ends the row.
  public let frame: UInt64
  /// The commit end before this one, where the row begins.
  public let begin: Timestamp
  /// The commit end, where the row ends and which places it on the time axis.
  public let time: Timestamp
  /// The main-thread work since the commit before.
  public let busy: TimeSpan
  /// The work of all background tracks since the commit before, summed.
  public let backgroundBusy: TimeSpan
  /// The time there was for it; `nil` where neither deadline nor interval is known.
  public let available: TimeSpan?
  /// Whether the commit missed its deadline; `nil` where it has none.
  public let missedDeadline: Bool?
}
