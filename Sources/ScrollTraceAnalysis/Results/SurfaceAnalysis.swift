public import ScrollTraceModel

/// What was concluded about one surface. What cannot be known is `nil`, never zero.
public struct SurfaceAnalysis: Sendable {
  /// The surface in the trace.
  package let surface: SurfaceID
  /// Its name.
  public let name: String
  /// On what it was evaluated (M-2).
  package let basis: Basis
  /// How late a frame may be before it counts (M-2), at the most common interval.
  package let tolerance: TimeSpan
  /// The refresh intervals and the number of frames at each, most frames first.
  package let refreshIntervals: [IntervalCount]
  /// Whether its frames are known to have reached the screen: the source says when some were, or
  /// lists the hitches that were seen.
  package let isOnScreen: Bool
  /// The counts of frames.
  public let counts: FrameCounts
  /// The same of those frames and hitches, or parts of hitches, that are inside the denominator.
  public let countsInMotion: FrameCounts
  /// The time the ratio is measured against (M-5).
  public let measuredTime: MeasuredTime
  /// The hitch time inside the denominator, or `nil` if no frame could be evaluated.
  public let hitchTime: TimeSpan?
  /// The hitch time outside the denominator, or `nil` if no frame could be evaluated.
  package let hitchTimeOutsideInteractions: TimeSpan?
  /// Every refresh in motion, counted once (M-23); `nil` without motion or interval.
  package let ledger: RefreshLedger?
  /// Whether some of the hitch time is estimated (M-2, basis deadline).
  package let isEstimated: Bool
  /// The longest hitch, or `nil` if no frame could be evaluated, zero where there is no hitch.
  public let longestHitch: TimeSpan?
  /// How often the main thread stood inside one span across two refreshes (M-9).
  package let stalls: Stalls?
  /// Commit end minus deadline over frames that know both (M-1); negative is slack.
  package let overrun: Percentiles?
  /// The time from commit start to commit end.
  public let commit: Percentiles?
  /// The time from one shown frame to the next (M-10), in motion where something is known to have
  /// moved, or `nil` if the source does not say when frames were shown.
  package let frameSpacing: Percentiles?
  /// The frames per second in motion (M-10), or `nil` if nothing is known to have moved.
  package let frameRates: FrameRates?
  /// The 5th percentile of slack (M-13).
  package let slackP5: TimeSpan?
  /// Idle main-thread time after commits and before their deadlines, summed (M-13).
  package let headroom: TimeSpan?
  /// Hitches by how many refreshes they are late (M-9).
  package let latenessHistogram: [LatenessBucket]
  /// How much of the time it had each commit used; empty without deadlines.
  package let deadlineUtilization: [DeadlineUtilizationBucket]
  /// Runs of consecutive hitches and steady slow runs (M-9), ascending by start.
  package let runs: [HitchStreak]
  /// Frames presented during interactions per refresh expected there (M-10), or `nil` if the source
  /// does not say what was presented.
  package let presentedShare: Double?
  /// The interactions of this surface, ascending by start.
  public let interactions: [InteractionAnalysis]
  /// The states that held (M-18), ascending by key, then value.
  package let states: [StateAnalysis]
  /// All hitches, ascending by start.
  public let hitches: [Hitch]
  /// What the hitch time inside the denominator is attributed to, most first (M-16); empty where there
  /// is none.
  package let causes: [CauseSummary]
  /// Main-thread work per frame, ascending by time (M-12); empty without commits.
  package let mainWork: [MainWork]
  /// The spare time after each commit of `mainWork` (M-13); empty without deadlines.
  let idleTimes: [TimeSpan]
  /// What the hitches would be had the surface moved all the time, where nobody says when it moved and
  /// nothing else can be evaluated; else `nil`.
  package internal(set) var assumingAlwaysMoving: AlwaysMovingEstimate?

  /// The area under the curve of main-thread work per frame (M-12); `nil` without commits or a main
  /// track.
  package var mainBusyBetweenCommits: TimeSpan? {
    mainWork.isEmpty ? nil : mainWork.reduce(into: .zero) { $0 += $1.busy }
  }

  /// Whether at least one frame was evaluated, or the source lists hitches.
  public var isEvaluated: Bool { hitchTime != nil }

  /// How many hitches have a part inside the denominator.
  package var hitchesInMotion: Int { countsInMotion.hitches }

  /// The longest part of a hitch that is inside the denominator, or `nil` if no frame could be evaluated,
  /// zero where there is none.
  package var longestHitchInMotion: TimeSpan? {
    isEvaluated ? hitches.lazy.map(\.lengthInMotion).max() ?? .zero : nil
  }

  /// Whether this surface gives the verdict rather than `other` (M-24).
  func comesBefore(_ other: SurfaceAnalysis) -> Bool {
    if isOnScreen != other.isOnScreen { return isOnScreen }
    let frames = (countsInMotion.total ?? 0, other.countsInMotion.total ?? 0)
    return frames.0 == frames.1 ? name < other.name : frames.0 > frames.1
  }

  /// The hitch time ratio (M-5), or `nil` if it cannot be known.
  package var ratio: HitchTimeRatio? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: measuredTime.duration) }
  }

  /// The most common refresh interval, or `nil` if none is known.
  package var refreshInterval: TimeSpan? { refreshIntervals.first?.refreshInterval }
}

/// How many frames have one refresh interval.
package struct IntervalCount: Hashable, Sendable {
  /// The refresh interval.
  package let refreshInterval: TimeSpan
  /// The frames at that interval.
  package let frames: Int
}

/// Counts of frames, or `nil` if the basis cannot know them.
public struct FrameCounts: Hashable, Sendable {
  /// All frames.
  public var total: Int?
  /// The frames to which the surface's basis could be applied (M-2).
  public var evaluated: Int?
  /// The others.
  package var notEvaluated: Int?
  /// Commits that ended after their deadline (M-1), or `nil` if no frame knows both.
  public var deadlineMisses: Int?
  /// Frames that reached the screen late (M-4).
  public var hitches: Int
  /// Whole refreshes skipped by hitches (M-7); `nil` without an interval.
  public var refreshesMissed: Int?
  /// How many refreshes owed a frame (M-10); `nil` without interactions or interval.
  package var expectedRefreshes: Int?
  /// Frames that were shown.
  public var presented: Int?
  /// Frames that were never shown.
  package var dropped: Int?
  /// Late frames by which no refresh was lost: latency, not hitch (M-2).
  package var lateWithoutHitch: Int?
  /// Refreshes at which nothing had to change.
  package var notRequested: Int?
}

/// The time that a ratio is measured against.
public struct MeasuredTime: Hashable, Sendable {
  /// Which time it is.
  package enum Kind: String, Sendable {
    /// The union of the surface's interactions.
    case interaction
    /// The whole recording.
    case recording
  }

  /// Which time it is.
  package let kind: Kind
  /// Its length.
  public let duration: TimeSpan
}

/// How often and how long the main thread stood still.
package struct Stalls: Hashable, Sendable {
  /// How often.
  package var count: Int
  /// The longest time; zero where there was none.
  package var longest: TimeSpan
}

/// Percentiles of lengths of time, Hyndman-Fan type 7 (M-8), rounded to the nanosecond.
public struct Percentiles: Hashable, Sendable {
  /// How many values there are, at least 1.
  package let count: Int
  /// The median.
  public let p50: TimeSpan
  /// The 90th percentile.
  package let p90: TimeSpan
  /// The 95th percentile.
  public let p95: TimeSpan
  /// The 99th percentile.
  package let p99: TimeSpan
  /// The largest value.
  public let max: TimeSpan
}

/// Hitches that are late by a number of refreshes.
package struct LatenessBucket: Hashable, Sendable {
  /// The number of refreshes: 1, 2, 3, 4-7, 8-15 or 16+.
  package let refreshesLate: String
  /// How many hitches.
  package let count: Int
}

/// Commits by the part of their time that they used.
package struct DeadlineUtilizationBucket: Hashable, Sendable {
  /// Which part: 0-50 %, 50-75 %, 75-100 %, then 1 late, 2 late, 3+ late.
  package let label: String
  /// How many commits.
  package let count: Int
  /// Whether these commits missed their deadline.
  package let isLate: Bool
}

/// Frames in a row that are late together, or slow at an even pace (M-9).
package struct HitchStreak: Hashable, Sendable {
  /// When the first of them begins.
  package let start: Timestamp
  /// How many frames.
  package let frames: Int
  /// Whether they come at an even pace: it looks smooth, and is slow.
  package let isSteady: Bool
  /// The even pace, or `nil` if the run is not steady.
  package let spacing: TimeSpan?
}

/// Main-thread work in one refresh (M-12).
package struct MainWork: Hashable, Sendable {
  /// The frame whose commit ends the row.
  package let frame: UInt64
  /// The commit end before this one, where the row begins.
  package let start: Timestamp
  /// The commit end, where the row ends and which places it on the time axis.
  package let time: Timestamp
  /// The main-thread work since the commit before.
  package let busy: TimeSpan
  /// The work of all background tracks since the commit before, summed.
  package let backgroundBusy: TimeSpan
  /// The time there was for it, or `nil` if neither deadline nor interval is known.
  package let available: TimeSpan?
  /// Whether the commit missed its deadline, or `nil` if it has none.
  package let missedDeadline: Bool?
}
