public import ScrollTraceModel

/// A frame that reached the screen later than it should have (M-4), or refreshes without a frame.
public struct Hitch: Sendable {
  /// Where the lateness arose.
  public enum Kind: String, Sendable, CaseIterable {
    /// The commit ended after its deadline.
    case commit
    /// The commit was on time, the display late.
    case render
    /// No frame came where the display was owed one, and the next one was on time itself.
    case skippedRefresh
    /// The source does not tell.
    case unknown
  }

  /// How bad a hitch is, in refreshes (M-7).
  public enum Severity: String, Sendable, CaseIterable {
    /// Up to one refresh.
    case low
    /// Up to two.
    case moderate
    /// More.
    case high
  }

  /// The frame's number; `nil` for refreshes that no frame ended.
  public let frame: UInt64?
  /// The frame's position in its surface's `FrameColumns`; `nil` as for `frame`.
  package let frameIndex: Int?
  /// When the frame began; for skipped refreshes without a frame, when the gap began.
  public let start: Timestamp?
  /// When its commit had to be done.
  package let deadline: Timestamp?
  /// When it should have been on screen.
  package let target: Timestamp?
  /// When it was.
  public let presented: Timestamp?
  /// When the hitch is seen: from the expected to the actual instant. `length` is less if a hitch at
  /// the end of a motion is known in parts only.
  package let range: TimeRange
  /// How late the frame reached the screen (M-2, M-3).
  public let length: TimeSpan
  /// The part of `length` inside the denominator (M-5).
  public let lengthInMotion: TimeSpan
  /// Commit end minus deadline.
  package let overrun: TimeSpan?
  /// Whether `length` is estimated from the deadline (M-2).
  package let isEstimated: Bool
  /// Whole refreshes skipped (M-7).
  public let refreshesMissed: Int?
  /// The same of `lengthInMotion`; zero where nothing of it counts.
  package let refreshesMissedInside: Int?
  /// Where the lateness arose.
  public let kind: Kind
  /// How bad it is.
  public let severity: Severity?
  /// The source's own verdict.
  package let sourceLabel: String?
  /// The frame whose work pushed this one late, or `nil` if it is its own fault or not known.
  package let delayedByFrame: UInt64?
  /// What filled the window (M-16), or `nil` if there is no main track or no window.
  package let attribution: Attribution?
  /// What filled the window of the frame that pushed this one late; `nil` without such a frame.
  package let originAttribution: Attribution?
  /// The parts of it that count in the ratio, ascending in each motion.
  let pieces: [TimeRange]
  /// In how many motions it counts: a frame in the making when another one begins is of both.
  let motionCount: Int

  /// Whether the screen stood still for 700 ms or more (M-7).
  package var isFrozen: Bool { length >= .milliseconds(700) }

  /// What the hitch is attributed to: the work of the frame that pushed it late, else its own window's.
  package var chargedAttribution: Attribution? { originAttribution ?? attribution }
}

/// Which main-thread work filled the window of a hitch (M-16). The parts add up to the window.
package struct Attribution: Sendable {
  /// The work of one category, name and item.
  package struct Cause: Hashable, Sendable {
    /// The category.
    package let category: String
    /// The name.
    package let name: String
    /// The item, as the source writes it.
    package let item: String?
    /// The time inside such spans and not inside spans that they contain.
    package let selfTime: TimeSpan
    /// The part of the window, 0 ... 1.
    package let share: Double
  }

  /// The range that was looked at.
  package let window: TimeRange
  /// The work, most time first.
  package let causes: [Cause]
  /// The time in spans marked as waiting.
  package let waiting: TimeSpan
  /// The time in which the thread was ready to run and had no core (M-25).
  package let notScheduled: TimeSpan
  /// The time in which the thread was blocked inside a span that is not marked as waiting (M-25).
  package let blocked: TimeSpan
  /// The time off a core inside a span, of which the source does not say whether the thread was ready or
  /// blocked (M-25).
  package let notRunning: TimeSpan
  /// The time between the frame's start and its commit's, without a span and without need for a core.
  package let lateStart: TimeSpan
  /// The time in which the main thread had nothing to do: the cause lies elsewhere.
  package let idle: TimeSpan
  /// The time that no span explains.
  package let unrecorded: TimeSpan
  /// The spans that were open in the time that counts as blocked or not running, most time first.
  package let blockedIn: [Cause]
  /// What the thread did in the window by the system's own count (M-25), or `nil` if unknown.
  package let thread: ThreadTimes?
}

extension Attribution {
  /// The time in which the thread had work and was off a core, or came to its frame late (M-25).
  package var offCore: TimeSpan { notScheduled + blocked + notRunning + lateStart }

  /// The parts of the window that are not work, in the order of reports.
  package var rest: [(kind: CauseSummary.Kind, time: TimeSpan)] {
    [
      (.waiting, waiting), (.notScheduled, notScheduled), (.blocked, blocked),
      (.notRunning, notRunning), (.lateStart, lateStart), (.idle, idle), (.unrecorded, unrecorded),
    ]
  }
}
