/// The outcome of a frame.
public enum FrameOutcome: UInt8, Sendable {
  /// The source does not report the outcome.
  case unknown
  /// The frame was presented.
  case presented
  /// The frame was never presented.
  case dropped
  /// No frame was expected at this refresh, because nothing had changed.
  case notRequested
}

/// A display update. Properties that the source does not report are `nil`; times are on the trace's clock.
public struct Frame: Hashable, Sendable {
  /// The source's number of the frame, which is unique on its surface.
  public var id: UInt64
  /// The earliest time at which the host could work on the frame.
  public var start: Timestamp?
  /// The time at which the host started its work on the frame.
  public var commitStart: Timestamp?
  /// The time at which the host finished its work on the frame.
  public var commitEnd: Timestamp?
  /// The time by which the commit had to end, as the source reports it. It is never computed.
  public var deadline: Timestamp?
  /// The time at which the frame should be on screen, as the source reports it. It is never computed.
  public var target: Timestamp?
  /// The time the frame was presented.
  public var presented: Timestamp?
  /// The refresh interval of this frame.
  public var refreshInterval: TimeSpan?
  @usableFromInline package var track: TrackID?
  /// The source's own classification of the frame, which is reported with ours.
  @usableFromInline package var sourceLabel: StringID?
  /// What became of the frame.
  public var outcome: FrameOutcome
  /// Whether the source reports that the frame was presented on time,
  /// even if it does not report when (M-2).
  @usableFromInline package var wasOnTime = false

  /// Creates a frame of which only the number is known.
  @inlinable package init(id: UInt64) {
    self.id = id
    self.outcome = .unknown
  }

  /// The frame's time: its start, otherwise its commit end, otherwise its presentation (M-5).
  @inlinable @inline(__always) package var time: Timestamp? { start ?? commitEnd ?? presented }

  /// Calls `body` with the times of the frame that do not say where it belongs.
  @inline(__always)
  func forEachOtherTime(_ body: (Int64) -> Void) {
    if let start { body(start.nanoseconds) }
    if let deadline { body(deadline.nanoseconds) }
    if let target { body(target.nanoseconds) }
    if let commitStart { body(commitStart.nanoseconds) }
  }

  /// Merges the known values of `other`, or returns `false` without a change if the two contradict.
  mutating func merge(_ other: Frame) -> Bool {
    if isOpen, other.isCorrection {
      (deadline, target) = (other.deadline, other.target)
      return true
    }
    let sameOutcome = outcome == .unknown || other.outcome == .unknown || outcome == other.outcome
    guard
      Self.agree(start, other.start), Self.agree(commitStart, other.commitStart),
      Self.agree(commitEnd, other.commitEnd), Self.agree(deadline, other.deadline),
      Self.agree(target, other.target), Self.agree(presented, other.presented), sameOutcome
    else { return false }
    start = start ?? other.start
    commitStart = commitStart ?? other.commitStart
    commitEnd = commitEnd ?? other.commitEnd
    deadline = deadline ?? other.deadline
    target = target ?? other.target
    presented = presented ?? other.presented
    refreshInterval = refreshInterval ?? other.refreshInterval
    outcome = outcome == .unknown ? other.outcome : outcome
    wasOnTime = wasOnTime || other.wasOnTime
    track = track ?? other.track
    sourceLabel = sourceLabel ?? other.sourceLabel
    return true
  }

  /// Whether the commit has not ended, as far as is known.
  private var isOpen: Bool { commitEnd == nil && presented == nil && outcome == .unknown }

  /// Whether only deadline and target are known, which corrects those of an open
  /// frame.
  private var isCorrection: Bool {
    deadline != nil && target != nil && start == nil && commitStart == nil && isOpen
      && refreshInterval == nil
  }

  /// Returns whether two times are equal or one is unknown.
  private static func agree(_ mine: Timestamp?, _ other: Timestamp?) -> Bool {
    mine == nil || other == nil || mine == other
  }
}
