import ScrollTraceModel

/// A frame with what the surface's basis makes of it, while a surface is being judged.
///
/// There is one for each frame of a trace, so it is stored small: an instant that is not known as -1.
struct EvaluatedFrame {
  /// The frame as the source knows it.
  let frame: Frame
  /// The frame's position in its surface.
  let index: Int
  /// How late it reached the glass by its own times (M-2).
  var lateness = TimeSpan.zero
  /// How late it reached the glass all told: by its own times or by the gap before it (M-3).
  var hitch = TimeSpan.zero
  private var rawInterval: Int64 = 0
  private var rawShown: Int64 = -1
  private var rawHitchEnd: Int64 = -1
  private var rawGapBegin: Int64 = -1
  private var rawGapEnd: Int64 = -1
  private var rawMotion: Int32 = -1
  /// Whether the basis could be applied to it (M-2).
  var isEvaluated = false
  /// Whether it was as late as the frame before it, which is latency, not hitch.
  var isLateWithoutHitch = false

  /// A frame that has not been judged yet, at `index` of its surface.
  init(index: Int, frame: Frame) {
    self.index = index
    self.frame = frame
  }

  /// The refresh interval that holds for it: its own, else the one that held before it.
  var refreshInterval: TimeSpan? {
    get { rawInterval > 0 ? TimeSpan(nanoseconds: rawInterval) : nil }
    set { rawInterval = newValue?.nanoseconds ?? 0 }
  }

  /// The motion it belongs to, as a position in `MotionRanges.joined`; `nil` at rest.
  var motion: Int? {
    get { rawMotion >= 0 ? Int(rawMotion) : nil }
    set { rawMotion = newValue.flatMap { Int32(exactly: $0) } ?? -1 }
  }

  /// When it was shown, as far as its basis knows: A in M-3.
  var shown: Timestamp? {
    get { Timestamp(nanoseconds: rawShown) }
    set { rawShown = newValue?.nanoseconds ?? -1 }
  }

  /// When the hitch ended, where that is not `shown`: a presentation that the basis does not go by.
  var hitchEnd: Timestamp? {
    get { Timestamp(nanoseconds: rawHitchEnd) }
    set { rawHitchEnd = newValue?.nanoseconds ?? -1 }
  }

  /// Where a gap made `hitch` longer than `lateness`: the stretch in which work for it was missing.
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

  /// Whether the display was owed it: a refresh at which nothing was requested is no frame.
  var isOwed: Bool { frame.outcome != .notRequested }

  /// Commit end minus deadline (M-1); negative is slack. Where nothing was requested, nothing is due.
  var overrun: TimeSpan? {
    guard isOwed, let end = frame.commitEnd, let deadline = frame.deadline else { return nil }
    return end - deadline
  }

  /// Whether the commit missed its deadline (M-1); `nil` where one of the two is unknown.
  var missedDeadline: Bool? { overrun.map { $0 > .zero } }

  /// Whether the frame was begun and never reached the glass, as far as the source can tell.
  ///
  /// - Parameter sourceKnowsCommits: whether other frames of the surface know their commit's end.
  func isUnshown(sourceKnowsCommits: Bool) -> Bool {
    if frame.outcome == .dropped { return true }
    guard frame.presented == nil, frame.outcome == .unknown else { return false }
    return sourceKnowsCommits && frame.commitEnd == nil && frame.start != nil
  }
}

/// The interactions of a surface as stretches in which it moves.
struct MotionRanges {
  /// The union of the interactions: the time a ratio is measured against (M-5).
  let time: TimeRangeSet
  /// The same with interactions that follow each other within one refresh joined to one motion:
  /// the display is owed a frame across the seam of a drag and its deceleration too (M-3).
  let joined: TimeRangeSet
  /// The motions that never ended, as positions in `joined`.
  let unfinished: Set<Int>

  /// The motions of `interactions` in a trace that ends at `traceEnd`.
  init(_ interactions: [Interaction], refreshInterval: TimeSpan?, traceEnd: Timestamp) {
    let ranges = interactions.map { TimeRange(start: $0.start, end: $0.end ?? traceEnd) }
    time = TimeRangeSet(union: ranges)
    joined = TimeRangeSet(union: ranges, joining: refreshInterval ?? .zero)
    var unfinished: Set<Int> = []
    for interaction in interactions where interaction.end == nil {
      if let index = joined.index(containing: interaction.start) { unfinished.insert(index) }
    }
    self.unfinished = unfinished
  }
}
