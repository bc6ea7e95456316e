import ScrollTraceModel

/// A frame with what the surface's basis makes of it.
///
/// There is one for each frame of a trace, so it is stored small: an instant that is not known as -1.
struct EvaluatedFrame {
  /// The frame as the source knows it.
  let frame: Frame
  /// The frame's position in its surface.
  let index: Int
  /// How late it reached the screen by its own times (M-2).
  var lateness = TimeSpan.zero
  /// Its hitch time: by its own times or by the gap before it (M-3); the longest of its motions.
  var hitch = TimeSpan.zero
  private var rawInterval: Int64 = 0
  private var rawShown: Int64 = -1
  private var rawGapBegin: Int64 = -1
  private var rawGapEnd: Int64 = -1
  private var rawMotion: Int32 = -1
  /// Whether the basis could be applied to it (M-2).
  var isEvaluated = false
  /// Whether its lateness is known (M-2).
  private(set) var isLatenessKnown = false
  /// Whether it was late and no refresh was lost by it, which is latency, not hitch (M-2).
  var isLateWithoutHitch = false

  /// A frame that has not been evaluated yet, at `index` of its surface.
  init(index: Int, frame: Frame) {
    self.index = index
    self.frame = frame
  }

  /// The refresh interval that holds for it: its own, else the one that held before it.
  var refreshInterval: TimeSpan? {
    get { rawInterval > 0 ? TimeSpan(nanoseconds: rawInterval) : nil }
    set { rawInterval = newValue?.nanoseconds ?? 0 }
  }

  /// The motion it belongs to, as a position in `MotionRanges.all`; `nil` at rest. Of a frame in the
  /// making when another one begins, the one that holds its start.
  var motion: Int? {
    get { rawMotion >= 0 ? Int(rawMotion) : nil }
    set { rawMotion = newValue.flatMap { Int32(exactly: $0) } ?? -1 }
  }

  /// The place of its picture, as far as its basis knows: A in M-3.
  var shown: Timestamp? {
    get { Timestamp(nanoseconds: rawShown) }
    set { rawShown = newValue?.nanoseconds ?? -1 }
  }

  /// The range in which work for it was missing, if the gap before it made its hitch.
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

  /// Whether the screen was owed it: a refresh at which nothing was requested is no frame.
  var isOwed: Bool { frame.outcome != .notRequested }

  /// Commit end minus deadline (M-1); negative is slack. Where nothing was requested, nothing is due.
  var overrun: TimeSpan? {
    guard isOwed, let end = frame.commitEnd, let deadline = frame.deadline else { return nil }
    return end - deadline
  }

  /// Whether the commit missed its deadline (M-1), or `nil` if one of the two is unknown.
  var missedDeadline: Bool? { overrun.map { $0 > .zero } }

  /// Whether the frame was begun and never reached the screen, as far as the source can tell.
  ///
  /// - Parameter sourceKnowsCommits: whether other frames of the surface know their commit's end.
  func isUnshown(sourceKnowsCommits: Bool) -> Bool {
    if frame.outcome == .dropped { return true }
    guard frame.presented == nil, frame.outcome == .unknown else { return false }
    return sourceKnowsCommits && frame.commitEnd == nil && frame.start != nil
  }

  /// Takes over what its own times say (M-2).
  mutating func take(_ entry: FrameSequence.Entry, from sequence: FrameSequence) {
    isLatenessKnown = entry.lateness != FrameSequence.unknown
    lateness = TimeSpan(nanoseconds: max(0, entry.lateness))
    hitch = TimeSpan(nanoseconds: entry.ownHitch)
    shown = entry.shown == FrameSequence.unknown ? nil : sequence.time(entry.shown)
  }

  /// Takes over what a walk through its motion at `index` says of its member (M-3).
  mutating func take(_ walk: MotionWalk, member: Int, of index: Int) {
    let found = walk.hitches[member]
    let isInSeveral = motion != nil
    let sequence = walk.sequence
    let entry = sequence.entries[walk.members[member]]
    // The motion that holds its start comes before those that begin while it is in the making.
    if !isInSeveral { motion = index }
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
  /// The range in which work for a member was missing: from commit to commit, where both are known,
  /// since what is missing on screen was missing there.
  ///
  /// Not where frames are placed by their starts: a start comes late because of what the frame before
  /// it did, which ends with that one's commit.
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
