public import ScrollTraceModel

/// The conclusions about a surface. An unknown value is `nil`, never zero.
package struct SurfaceAnalysis: Sendable {
  package let surface: SurfaceID
  package let name: String
  package let basis: Basis
  /// The lateness from which a frame counts as late (M-2), at the most common refresh interval.
  package let tolerance: TimeSpan
  /// The refresh intervals with the number of frames at each, most frames first.
  package let refreshIntervals: [IntervalCount]
  /// A Boolean value indicating whether the frames are known to have reached the screen: the source
  /// reports presentation times or lists hitches.
  package let isOnScreen: Bool
  package let counts: FrameCounts
  /// The counts of the frames, hitches and parts of hitches in the measured time.
  package let countsInMotion: FrameCounts
  /// The measured time of the ratio (M-5).
  package let measuredTime: MeasuredTime
  /// The hitch time in the measured time, or `nil` if no frame in it could be evaluated, which is not zero.
  package let hitchTime: TimeSpan?
  /// The hitch time outside the measured time, or `nil` if no frame could be evaluated.
  package let hitchTimeOutsideInteractions: TimeSpan?
  /// The ledger of refreshes in motion (M-23), or `nil` without motion or refresh interval.
  package let ledger: RefreshLedger?
  /// What the thread that commits its frames did in the measured time, by the system's own count (M-25),
  /// or `nil` if unknown.
  package let thread: ThreadTimes?
  /// What of hitches and deadline misses is left if the time in which that thread lacked a core is taken out
  /// of its frames (M-21), or `nil` if the source does not say when it did.
  package let lowerBounds: LowerBounds?
  /// The time in which that thread was blocked in its commits (M-25), or `nil` if unknown.
  package var blockedInCommits: BlockedInCommits? { details.value.blockedInCommits }
  /// The same in the windows of the hitches, or `nil` if nothing is known of them.
  package let threadInHitches: ThreadTimes?
  /// A Boolean value indicating whether a part of the hitch time is estimated (M-2, basis
  /// deadline).
  package let isEstimated: Bool
  /// The longest hitch, zero if there is none, or `nil` if no frame could be evaluated.
  package let longestHitch: TimeSpan?
  /// The stalls: ranges in which the main thread stayed inside one span for two refreshes (M-9).
  package let stalls: Stalls?
  /// The commit end minus the deadline of frames with both (M-1), negative for slack.
  package let overrun: Percentiles?
  /// The time from commit start to commit end, or `nil` if unknown.
  package let commit: Percentiles?
  /// The time between consecutive presented frames (M-10), only in motion if any interaction is
  /// known, or `nil` if presentation times are unknown.
  package let frameSpacing: Percentiles?
  /// The frames per second in motion (M-10), or `nil` if nothing is known to have moved.
  package var frameRates: FrameRates? { details.value.frameRates }
  /// The 5th percentile of slack (M-13).
  package let slackP5: TimeSpan?
  /// The total idle main-thread time from commits to their deadlines (M-13).
  package let headroom: TimeSpan?
  /// The number of hitches by refreshes late (M-9).
  package let latenessHistogram: [LatenessBucket]
  /// The number of commits by deadline utilization, or empty without deadlines.
  package var deadlineUtilization: [DeadlineUtilizationBucket] { details.value.deadlineUtilization }
  /// The streaks of consecutive hitches and of steadily slow frames (M-9), sorted by start.
  package internal(set) var hitchStreaks: [HitchStreak]
  let details: Lazy<SurfaceDetails>
  /// The interactions of this surface, sorted by start.
  package internal(set) var interactions: [InteractionAnalysis]
  /// The parts into which overlapping interactions divide each other, or nothing if none overlap.
  var interactionParts: [InteractionPart]
  /// The interactions of each kind together, or `nil` if the options ask for no histograms.
  let interactionKinds: [String: InteractionSums]?
  /// The states (M-18), sorted by key, then value.
  package internal(set) var states: [StateAnalysis]
  /// The hitches, sorted by start.
  package internal(set) var hitches: [Hitch]
  /// The causes of the hitch time in the measured time, largest first (M-16).
  package internal(set) var causes: [CauseSummary]
  /// The frames to judge again without a cause (M-17), in order.
  package internal(set) var lateFrames: [LateFrame]
  /// The main-thread work for each frame, sorted by time (M-12), or empty without commits.
  package internal(set) var mainWork: MainWorkRows
  /// The histograms of the measured time, or `nil` if the options ask for none.
  package let histograms: ScopeHistograms?
  /// The frame that was open for long when the recording ended, outside of motions, or `nil`.
  package internal(set) var openFrame: OpenFrame?
  /// The stalls for which frames may be missing, or `nil` if there are none, or a motion is known.
  package internal(set) var stallsBetweenFrames: StallsBetweenFrames?
  /// The highest blank time ratio of the run's lists in ms/s (M-27) if this is the primary surface, or
  /// `nil`.
  package internal(set) var blankRatio: Double?
  /// The estimated hitches if the surface had always been in motion, or `nil` if interactions are
  /// known or anything else can be evaluated.
  package internal(set) var assumingAlwaysMoving: AlwaysMovingEstimate?

  /// The main-thread work between commits, summed (M-12), or `nil` without commits or a main track.
  package var mainBusyBetweenCommits: TimeSpan? {
    mainWork.isEmpty ? nil : mainWork.busy
  }

  /// A Boolean value indicating whether at least one frame was evaluated, or the source lists
  /// hitches.
  package var isEvaluated: Bool { longestHitch != nil }

  /// The hitches with a part in the measured time, or all if none has.
  var countedHitches: [Hitch] {
    let counted = hitches.filter { $0.lengthInMotion > .zero }
    return counted.isEmpty ? hitches : counted
  }

  /// The number of hitches with a part in the measured time.
  package var hitchesInMotion: Int { countsInMotion.hitches ?? 0 }

  /// The number of hitches with a part in the measured time, or `nil` if no frame in it could be evaluated.
  package var knownHitchesInMotion: Int? { hitchTime == nil ? nil : hitchesInMotion }

  /// The longest part of a hitch in the measured time, zero if there is none, or `nil` if no frame in it
  /// could be evaluated.
  package var longestHitchInMotion: TimeSpan? {
    hitchTime != nil ? hitches.lazy.map(\.lengthInMotion).max() ?? .zero : nil
  }

  /// Returns whether this surface rather than `other` gives the verdict (M-24).
  func comesBefore(_ other: SurfaceAnalysis) -> Bool {
    if isOnScreen != other.isOnScreen { return isOnScreen }
    // Without an interaction, the frames of the recording count, of which none is known to be in motion.
    let isMoving = measuredTime.kind == .interaction
    if isMoving != (other.measuredTime.kind == .interaction) { return isMoving }
    let frames = (framesForVerdict, other.framesForVerdict)
    return frames.0 == frames.1 ? name < other.name : frames.0 > frames.1
  }

  /// The number of frames in motion that count for giving the verdict (M-24). A compositor shows those of all apps,
  /// so it gives the verdict only if the app has hardly any of its own. The desktop of Windows gives it only if there
  /// is no app.
  package var framesForVerdict: Int {
    let frames = countsInMotion.total ?? 0
    if name.hasPrefix("dwm.exe") { return 0 }
    return name.hasSuffix(" (compositor)") ? frames / 4 : frames
  }

  /// The hitch time ratio (M-5), or `nil` if unknown.
  package var ratio: HitchTimeRatio? {
    HitchTimeRatio(hitchTime: hitchTime, duration: measuredTime.duration)
  }

  /// The most common refresh interval, or `nil` if none is known.
  package var refreshInterval: TimeSpan? { refreshIntervals.first?.refreshInterval }

  /// The refresh intervals, without those within a hundredth of a more common one: a source may measure each anew.
  package var distinctRefreshIntervals: [TimeSpan] {
    refreshIntervals.map(\.refreshInterval).reduce(into: []) { known, next in
      if !known.contains(where: { ($0 - next).magnitude * 100 <= next }) { known.append(next) }
    }
  }
}

/// The number of frames with a refresh interval.
public struct IntervalCount: Codable, Equatable, Sendable {
  /// The refresh interval.
  public let refreshInterval: TimeSpan
  /// The number of frames.
  public let frames: Int

  private enum CodingKeys: String, CodingKey {
    case refreshInterval = "refreshIntervalNs", frames
  }
}

/// Counts of frames, each `nil` if the basis cannot determine it.
public struct FrameCounts: Codable, Hashable, Sendable {
  /// The number of frames.
  public internal(set) var total: Int?
  /// The number of frames to which the surface's basis applies (M-2).
  public internal(set) var evaluated: Int?
  /// The number of other frames.
  public internal(set) var notEvaluated: Int?
  /// The number of commits that ended after their deadline (M-1).
  public internal(set) var deadlineMisses: Int?
  /// The number of frames that were presented late (M-4), or `nil` if no frame could be evaluated.
  public internal(set) var hitches: Int?
  /// The number of whole refreshes that hitches skipped (M-7).
  public internal(set) var refreshesMissed: Int?
  /// The number of presented frames.
  public internal(set) var presented: Int?
  /// The number of frames that were never presented.
  public internal(set) var dropped: Int?
  /// The number of late frames without a lost refresh, which is latency, not a hitch (M-2).
  public internal(set) var lateWithoutHitch: Int?
  /// The number of refreshes at which nothing had to change.
  public internal(set) var notRequested: Int?
}

/// The measured time of a ratio.
package struct MeasuredTime: Hashable, Sendable {
  package let kind: MeasuredTimeKind
  package let duration: TimeSpan

  package init(kind: MeasuredTimeKind, duration: TimeSpan) {
    self.kind = kind
    self.duration = duration
  }
}

/// The kind of measured time.
public enum MeasuredTimeKind: String, Codable, Sendable, CaseIterable {
  /// The union of the surface's interactions.
  case interaction
  /// The whole recording.
  case recording
}

/// The least that a run's own work can account for (M-21). As measured is the most.
package struct LowerBounds: Equatable, Sendable {
  package let hitchTime: TimeSpan
  /// The number of deadline misses, or `nil` if no deadline is known.
  package let deadlineMisses: Int?
}

/// The time in which a thread waited for a lock, a disk or another process in its commits.
public struct BlockedInCommits: Codable, Equatable, Sendable {
  /// The sum over all commits in the measured time, divided by their number.
  public let perFrame: TimeSpan
  /// The longest time in one commit.
  public let longest: TimeSpan
}

/// The number and length of stalls of the main thread.
public struct Stalls: Codable, Equatable, Sendable {
  /// The number of stalls.
  public internal(set) var count: Int
  /// The longest stall, or zero if there was none.
  public internal(set) var longest: TimeSpan

  private enum CodingKeys: String, CodingKey { case count, longest = "longestNs" }
}

/// Percentiles of durations, Hyndman-Fan type 7 (M-8), rounded to the nanosecond.
public struct Percentiles: Codable, Hashable, Sendable {
  /// The number of values, at least 1.
  package internal(set) var count = 1
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

  private enum CodingKeys: CodingKey { case p50, p90, p95, p99, max }
}

/// The hitches that are late by a number of refreshes.
public struct LatenessBucket: Codable, Equatable, Sendable {
  /// The number of refreshes: 1, 2, 3, 4-7, 8-15 or 16+.
  public let refreshesLate: String
  /// The number of hitches.
  public let count: Int
}

/// The commits with a range of deadline utilization.
public struct DeadlineUtilizationBucket: Codable, Equatable, Sendable {
  /// The range: 0-50 %, 50-75 %, 75-100 %, then 1 late, 2 late, 3+ late.
  public let label: String
  /// The number of commits.
  public let count: Int
  /// A Boolean value indicating whether these commits missed their deadline.
  public let isLate: Bool

  private enum CodingKeys: String, CodingKey {
    case label = "utilization", count, isLate = "late"
  }
}

/// Consecutive frames that are late, or slow at an even spacing (M-9).
package struct HitchStreak: Equatable, Sendable {
  package let start: Timestamp
  package let frames: Int
  /// A Boolean value indicating whether the spacing is even, so that the scroll looks smooth but is
  /// slow.
  package let isSteady: Bool
  /// The even spacing, or `nil` if the streak is not steady.
  package let spacing: TimeSpan?

  /// The time from its first picture to its last, or zero if it is not steady.
  var length: TimeSpan { (spacing ?? .zero) * Int64(max(0, frames - 1)) }
}
