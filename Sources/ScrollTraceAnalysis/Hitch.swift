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
  public let frameIndex: Int?
  /// When the frame began; for skipped refreshes without a frame, when the gap began.
  public let begin: Timestamp?
  /// When its commit had to be done.
  public let deadline: Timestamp?
  /// When it should have been on the glass.
  public let target: Timestamp?
  /// When it was.
  public let presented: Timestamp?
  /// When the hitch is seen: from the expected to the actual instant. `length` is less if a hitch at
  /// the end of a motion is known in parts only.
  public let range: TimeRange
  /// How late the frame reached the glass (M-2, M-3).
  public let length: TimeSpan
  /// The part of `length` inside the denominator (M-5).
  public let lengthInside: TimeSpan
  /// Commit end minus deadline.
  public let overrun: TimeSpan?
  /// Whether `length` is estimated from the deadline (M-2).
  public let isEstimated: Bool
  /// Whole refreshes skipped (M-7).
  public let refreshesMissed: Int?
  /// The same of `lengthInside`; zero where nothing of it counts.
  public let refreshesMissedInside: Int?
  /// Where the lateness arose.
  public let kind: Kind
  /// How bad it is.
  public let severity: Severity?
  /// The source's own verdict.
  public let sourceLabel: String?
  /// The frame whose work pushed this one late; `nil` where it is its own fault or not known.
  public let cascadeOf: UInt64?
  /// What filled the window (M-16); `nil` where there is no main track or no window.
  public let attribution: Attribution?
  /// What filled the window of the frame that pushed this one late; `nil` without such a frame.
  public let originAttribution: Attribution?
  /// The parts of it that count in the ratio, ascending in each motion.
  let pieces: [TimeRange]
  /// In how many motions it counts: a frame in the making when another one begins is of both.
  let motionCount: Int

  /// Whether the screen stood still for 700 ms or more (M-7).
  public var isFrozen: Bool { length >= .milliseconds(700) }

  /// What the hitch is charged to: the work of the frame that pushed it late, else its own window's.
  public var chargedAttribution: Attribution? { originAttribution ?? attribution }
}

/// Which main-thread work filled the window of a hitch (M-16). The parts add up to the window.
public struct Attribution: Sendable {
  /// The work of one category, name and item.
  public struct Cause: Hashable, Sendable {
    /// The category.
    public let category: String
    /// The name.
    public let name: String
    /// The item, as the source writes it.
    public let item: String?
    /// The time inside such spans and not inside spans that they contain.
    public let selfTime: TimeSpan
    /// The part of the window, 0 ... 1.
    public let share: Double
  }

  /// The stretch that was looked at.
  public let window: TimeRange
  /// The work, most time first.
  public let causes: [Cause]
  /// Time in spans marked as waiting.
  public let waiting: TimeSpan
  /// Time in which the main thread had nothing to do: the cause lies elsewhere.
  public let idle: TimeSpan
  /// Time that no span explains.
  public let unrecorded: TimeSpan
}
