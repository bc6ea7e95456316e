import ScrollTraceModel

/// A frame and its evaluation on the surface's basis.
///
/// There is one for each frame of a trace, so it is stored compactly, with -1 for an unknown time.
struct EvaluatedFrame {
  let frame: Frame
  /// The frame's position in its surface.
  let index: Int
  /// The lateness by the frame's own times (M-2).
  var lateness = TimeSpan.zero
  /// The hitch time by the frame's own times or by the gap before it (M-3), the longest among its
  /// motions.
  var hitch = TimeSpan.zero
  private var rawInterval: Int64 = 0
  private var rawShown: Int64 = -1
  private var rawGapBegin: Int64 = -1
  private var rawGapEnd: Int64 = -1
  private var rawMotion: Int32 = -1
  /// A Boolean value indicating whether a motion determined the hitch.
  private var wasWalked = false
  /// A Boolean value indicating whether the basis applies to the frame (M-2).
  var isEvaluated = false
  /// A Boolean value indicating whether the lateness is known (M-2).
  private(set) var isLatenessKnown = false
  /// A Boolean value indicating whether the frame was late without a lost refresh, which is
  /// latency, not a hitch (M-2).
  var isLateWithoutHitch = false

  /// Creates a frame that has not been evaluated yet.
  init(index: Int, frame: Frame) {
    self.index = index
    self.frame = frame
  }

  /// The refresh interval: the frame's own, or the previous frame's.
  var refreshInterval: TimeSpan? {
    get { rawInterval > 0 ? TimeSpan(nanoseconds: rawInterval) : nil }
    set { rawInterval = newValue?.nanoseconds ?? 0 }
  }

  /// The frame's motion, as a position in `MotionRanges.all`, or `nil` at rest. If another motion
  /// starts while the frame is being made, the one that contains its start.
  var motion: Int? {
    get { rawMotion >= 0 ? Int(rawMotion) : nil }
    set { rawMotion = newValue.flatMap { Int32(exactly: $0) } ?? -1 }
  }

  /// The time of its picture, as far as the basis determines it: A in M-3.
  var shown: Timestamp? {
    get { Timestamp(nanoseconds: rawShown) }
    set { rawShown = newValue?.nanoseconds ?? -1 }
  }

  /// The range in which work for the frame was missing, if its hitch follows from the gap before
  /// it.
  var gapWork: TimeRange? {
    get {
      Timestamp(nanoseconds: rawGapBegin).map {
        TimeRange(start: $0, end: Timestamp(clamping: rawGapEnd))
      }
    }
    set {
      rawGapBegin = newValue?.start.nanoseconds ?? -1
      rawGapEnd = newValue?.end.nanoseconds ?? -1
    }
  }

  /// A Boolean value indicating whether a frame was expected. No frame is expected if nothing was
  /// requested.
  var isOwed: Bool { frame.outcome != .notRequested }

  /// The commit end minus the deadline (M-1), negative for slack, or `nil` if unknown or nothing
  /// was requested.
  var overrun: TimeSpan? {
    guard isOwed, let end = frame.commitEnd, let deadline = frame.deadline else { return nil }
    return end - deadline
  }

  /// A Boolean value indicating whether the commit missed its deadline (M-1), or `nil` if unknown.
  var missedDeadline: Bool? { overrun.map { $0 > .zero } }

  /// Returns whether the frame was started and, as far as the source reports, never presented.
  ///
  /// - Parameter sourceKnowsCommits: Whether the commit end of other frames on the surface is
  ///   known.
  func isUnshown(sourceKnowsCommits: Bool) -> Bool {
    if frame.outcome == .dropped { return true }
    guard frame.presented == nil, frame.outcome == .unknown else { return false }
    return sourceKnowsCommits && frame.commitEnd == nil && frame.start != nil
  }

  /// Stores the result of the frame's own times (M-2).
  mutating func take(_ entry: FrameSequence.Entry, from sequence: FrameSequence) {
    isLatenessKnown = entry.lateness != FrameSequence.unknown
    lateness = TimeSpan(nanoseconds: max(0, entry.lateness))
    hitch = TimeSpan(nanoseconds: entry.ownHitch)
    shown = entry.shown == FrameSequence.unknown ? nil : sequence.time(entry.shown)
  }

  /// Stores the result of the walk through the motion at `index` for one of its members (M-3).
  mutating func take(_ walk: MotionWalk, member: Int, of index: Int) {
    let found = walk.hitches[member]
    let isInSeveral = wasWalked
    wasWalked = true
    let sequence = walk.sequence
    let position = walk.members[member]
    let entry = sequence.entries[position]
    // The motion that contains the frame's start precedes those that start while it is being made.
    if motion == nil, !walk.guests.contains(position) { motion = index }
    let isLonger = !isInSeveral || found > hitch.nanoseconds
    hitch =
      isInSeveral
      ? max(hitch, TimeSpan(nanoseconds: max(found, entry.ownHitch)))
      : TimeSpan(nanoseconds: found)
    guard isLonger else { return }
    gapWork = found > entry.ownHitch ? walk.missingWork(member) : nil
  }
}

extension MotionWalk {
  /// The range in which work for a member was missing: from commit to commit if both are known,
  /// because work that is missing on screen was missing there.
  ///
  /// There is none if frames are placed by their starts: a start is late because of the previous
  /// frame, and the work for that one ends with its commit.
  func missingWork(_ member: Int) -> TimeRange? {
    let entry = sequence.entries[members[member]]
    let other = before[member] < 0 ? nil : sequence.entries[Int(before[member])]
    let unknown = FrameSequence.unknown
    let gapStart = other?.shown ?? min(start, entry.shown)
    let usesCommits = sequence.placesByPresentation || sequence.basis != .cadence
    let workStart = other.map(\.commitEnd) ?? start
    if usesCommits, workStart != unknown, entry.commitEnd != unknown, workStart < entry.commitEnd {
      return TimeRange(start: sequence.time(workStart), end: sequence.time(entry.commitEnd))
    }
    guard gapStart < entry.shown else { return nil }
    return TimeRange(start: sequence.time(gapStart), end: sequence.time(entry.shown))
  }
}
