/// The outcome of a frame.
@usableFromInline package enum FrameOutcome: UInt8, Sendable {
  /// The source does not report the outcome.
  case unknown
  /// The frame was presented.
  case presented
  /// The frame was never presented.
  case dropped
  /// No frame was expected at this refresh, because nothing had changed.
  case notRequested
}

/// A display update. Properties that the source does not report are `nil`.
///
/// Analyses copy frames often, so frames are stored compactly, with -1 for an unknown time.
@usableFromInline package struct Frame: Hashable, Sendable {
  /// The source's number of the frame, which is unique on its surface.
  package var id: UInt64
  @usableFromInline var rawBegin: Int64 = -1
  @usableFromInline var rawCommitStart: Int64 = -1
  @usableFromInline var rawCommitEnd: Int64 = -1
  @usableFromInline var rawDeadline: Int64 = -1
  @usableFromInline var rawTarget: Int64 = -1
  @usableFromInline var rawPresented: Int64 = -1
  /// `Int64.min` if unknown.
  @usableFromInline var rawInterval = Int64.min
  /// -1 if unknown.
  private var rawTrack: Int32 = -1
  /// The empty name if there is none.
  private var rawSourceLabel: UInt32 = 0
  package var outcome: FrameOutcome
  /// A Boolean value indicating whether the source reports that the frame was presented on time,
  /// even if it does not report when (M-2).
  package var wasOnTime = false

  /// Creates a frame of which only the number is known.
  package init(id: UInt64) {
    self.id = id
    self.outcome = .unknown
  }

  /// The earliest time at which the host could work on the frame, or `nil` if unknown.
  @inlinable @inline(__always) package var start: Timestamp? {
    get { Timestamp(nanoseconds: rawBegin) }
    set { rawBegin = newValue?.nanoseconds ?? -1 }
  }

  /// The time at which the host started its work on the frame, or `nil` if unknown.
  @inlinable @inline(__always) package var commitStart: Timestamp? {
    get { Timestamp(nanoseconds: rawCommitStart) }
    set { rawCommitStart = newValue?.nanoseconds ?? -1 }
  }

  /// The time at which the host finished its work on the frame, or `nil` if unknown.
  @inlinable @inline(__always) package var commitEnd: Timestamp? {
    get { Timestamp(nanoseconds: rawCommitEnd) }
    set { rawCommitEnd = newValue?.nanoseconds ?? -1 }
  }

  /// The time by which the commit had to end, as the source reports it, or `nil` if unknown. It is
  /// never computed.
  @inlinable @inline(__always) package var deadline: Timestamp? {
    get { Timestamp(nanoseconds: rawDeadline) }
    set { rawDeadline = newValue?.nanoseconds ?? -1 }
  }

  /// The time at which the frame should be on screen, as the source reports it, or `nil` if
  /// unknown. It is never computed.
  @inlinable @inline(__always) package var target: Timestamp? {
    get { Timestamp(nanoseconds: rawTarget) }
    set { rawTarget = newValue?.nanoseconds ?? -1 }
  }

  /// The time the frame was presented, or `nil` if unknown.
  @inlinable @inline(__always) package var presented: Timestamp? {
    get { Timestamp(nanoseconds: rawPresented) }
    set { rawPresented = newValue?.nanoseconds ?? -1 }
  }

  /// The refresh interval of this frame, or `nil` if unknown.
  @inlinable @inline(__always) package var refreshInterval: TimeSpan? {
    get { rawInterval == Int64.min ? nil : TimeSpan(nanoseconds: rawInterval) }
    set { rawInterval = newValue?.nanoseconds ?? Int64.min }
  }

  /// The track that made the commit, or `nil` if unknown.
  package var track: TrackID? {
    get { rawTrack >= 0 ? TrackID(index: Int(rawTrack)) : nil }
    set { rawTrack = newValue.map { Int32(truncatingIfNeeded: $0.index) } ?? -1 }
  }

  /// The source's own classification of the frame, which is reported with ours.
  package var sourceLabel: StringID? {
    get { rawSourceLabel > 0 ? StringID(rawValue: rawSourceLabel) : nil }
    set { rawSourceLabel = newValue?.rawValue ?? 0 }
  }

  /// The frame's position in time: its start, otherwise its commit end, otherwise its presentation
  /// (M-5).
  package var place: Timestamp? { start ?? commitEnd ?? presented }

  /// The times of the frame that do not say where it belongs.
  var otherTimes: [Int64] {
    [start, deadline, target, commitStart].compactMap { $0?.nanoseconds }
  }

  /// Merges the known values of `other`, or returns `false` without a change if the two contradict.
  mutating func merge(_ other: Frame) -> Bool {
    if isOpen, other.isCorrection {
      (rawDeadline, rawTarget) = (other.rawDeadline, other.rawTarget)
      return true
    }
    let sameOutcome = outcome == .unknown || other.outcome == .unknown || outcome == other.outcome
    guard
      Self.agree(rawBegin, other.rawBegin), Self.agree(rawCommitStart, other.rawCommitStart),
      Self.agree(rawCommitEnd, other.rawCommitEnd), Self.agree(rawDeadline, other.rawDeadline),
      Self.agree(rawTarget, other.rawTarget), Self.agree(rawPresented, other.rawPresented),
      sameOutcome
    else { return false }
    // An unknown value is less than all known ones.
    rawBegin = max(rawBegin, other.rawBegin)
    rawCommitStart = max(rawCommitStart, other.rawCommitStart)
    rawCommitEnd = max(rawCommitEnd, other.rawCommitEnd)
    rawDeadline = max(rawDeadline, other.rawDeadline)
    rawTarget = max(rawTarget, other.rawTarget)
    rawPresented = max(rawPresented, other.rawPresented)
    refreshInterval = refreshInterval ?? other.refreshInterval
    outcome = outcome == .unknown ? other.outcome : outcome
    wasOnTime = wasOnTime || other.wasOnTime
    track = track ?? other.track
    sourceLabel = sourceLabel ?? other.sourceLabel
    return true
  }

  /// A Boolean value indicating whether the commit has not ended, as far as is known.
  private var isOpen: Bool { rawCommitEnd < 0 && rawPresented < 0 && outcome == .unknown }

  /// A Boolean value indicating whether only deadline and target are known, which corrects those of an open
  /// frame.
  private var isCorrection: Bool {
    rawDeadline >= 0 && rawTarget >= 0 && rawBegin < 0 && rawCommitStart < 0 && isOpen
      && refreshInterval == nil
  }

  /// Returns whether two stored times are equal or one is unknown.
  private static func agree(_ mine: Int64, _ other: Int64) -> Bool {
    mine == other || mine < 0 || other < 0
  }
}
