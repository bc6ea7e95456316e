import ScrollTraceModel

/// A frame and its evaluation on the surface's basis.
struct EvaluatedFrame {
  let frame: Frame
  /// The frame's position in its surface.
  let index: Int
  /// The refresh interval: the frame's own, or the previous frame's.
  let refreshInterval: TimeSpan?
  /// The frame's motion, as a position in `MotionRanges.all`, or `nil` at rest. If another motion
  /// starts while the frame is being made, the one that contains its start.
  let motion: Int?
  /// The time of its picture, as far as the basis determines it: A in M-3.
  let shown: Timestamp?
  /// The lateness by the frame's own times (M-2).
  let lateness: TimeSpan
  /// The hitch time by the frame's own times or by the gap before it (M-3), the longest among its
  /// motions.
  let hitch: TimeSpan
  /// The range in which work for the frame was missing, if its hitch follows from the gap before
  /// it.
  let gapWork: TimeRange?
  /// Whether the basis applies to the frame (M-2).
  let isEvaluated: Bool
  /// Whether the lateness is known (M-2).
  let isLatenessKnown: Bool

  /// Whether the frame was late without a lost refresh, which is latency, not a hitch (M-2).
  var isLateWithoutHitch: Bool { lateness > .zero && hitch == .zero }

  var isOwed: Bool { frame.isOwed }
  var overrun: TimeSpan? { frame.overrun }
  var missedDeadline: Bool? { frame.missedDeadline }
}

extension Frame {
  /// Whether a frame was expected. No frame is expected if nothing was requested.
  var isOwed: Bool { outcome != .notRequested }

  /// Whether the frame started, and no end is known.
  var isOpen: Bool {
    outcome == .unknown && start != nil && commitEnd == nil && presented == nil
  }

  /// The recorded time of its picture, or `nil` without one.
  var pictureTime: Timestamp? { isOwed && outcome != .dropped ? presented : nil }

  var commitLength: TimeSpan? {
    guard isOwed, let start = commitStart, let end = commitEnd else { return nil }
    return end - start
  }

  /// The commit end minus the deadline (M-1), negative for slack, or `nil` if unknown or nothing
  /// was requested.
  var overrun: TimeSpan? {
    guard isOwed, let end = commitEnd, let deadline else { return nil }
    return end - deadline
  }

  /// Whether the commit missed its deadline (M-1), or `nil` if unknown.
  var missedDeadline: Bool? { overrun.map { $0 > .zero } }
}

/// The frames of a surface with their refresh intervals: their own, or the previous frame's.
struct TimedFrames {
  let frames: FrameColumns
  /// The interval of each frame, or nothing if all frames have their own.
  private var intervals: [TimeSpan?] = []

  /// Creates the frames of a surface.
  ///
  /// - Parameters:
  ///   - fallback: The interval of the frames before the first that has one.
  ///   - isStated: Whether `fallback` is the interval of all frames.
  init(_ frames: FrameColumns, fallback: TimeSpan?, isStated: Bool) {
    self.frames = frames
    if isStated, let fallback {
      intervals = Array(repeating: fallback, count: frames.count)
      return
    }
    guard frames.contains(where: { $0.refreshInterval == nil }) else { return }
    var known = frames.lazy.compactMap(\.refreshInterval).first ?? fallback
    intervals.reserveCapacity(frames.count)
    for frame in frames {
      known = frame.refreshInterval ?? known
      intervals.append(known)
    }
  }

  @inline(__always)
  func refreshInterval(of frame: Frame, at index: Int) -> TimeSpan? {
    intervals.isEmpty ? frame.refreshInterval : intervals[index]
  }

  /// The known intervals of all frames.
  var refreshIntervals: some Sequence<TimeSpan> {
    frames.indices.lazy.compactMap { refreshInterval(of: frames[$0], at: $0) }
  }
}

/// The frames of a surface and their evaluation, in order of time.
///
/// There are very many, so little is stored for each, and what few have is stored apart.
struct EvaluatedFrames {
  let source: TimedFrames
  private var rows: [Row]
  private var late: [Late] = []

  private struct Row {
    /// The motion's position plus 1, or 0 at rest.
    var motion: UInt32 = 0
    /// The position in `late` plus 1, or 0 if the frame was on time.
    var late: UInt32 = 0
    /// The clock that determines the time of its picture, or `nil` without one.
    var picture: FrameSequence.Clock?
    /// Whether a motion determined the hitch.
    var wasWalked = false
    var isEvaluated = false
    var isLatenessKnown = false
  }

  private struct Late {
    var lateness = TimeSpan.zero
    var hitch = TimeSpan.zero
    var gapWork: TimeRange?
  }

  init(_ source: TimedFrames) {
    self.source = source
    rows = Array(repeating: Row(), count: source.frames.count)
  }

  /// Stores the result of a frame's own times (M-2).
  mutating func store(_ entry: FrameSequence.Entry, ownHitch: Int64) {
    let (index, lateness) = (entry.position, entry.lateness)
    rows[index].isLatenessKnown = lateness != nil
    rows[index].picture = entry.picture
    guard let lateness, lateness > 0 else { return }
    change(index) {
      $0.lateness = TimeSpan(nanoseconds: lateness)
      $0.hitch = TimeSpan(nanoseconds: ownHitch)
    }
  }

  /// Stores the result of the walk through the motion at `motion` for one of its members (M-3).
  mutating func store(_ walk: MotionWalk, member: Int, of motion: Int) {
    let position = walk.members[member]
    let index = walk.context.sequence.index(at: position)
    let (found, isInSeveral) = (walk.hitches[member], rows[index].wasWalked)
    rows[index].wasWalked = true
    // The motion that contains the frame's start precedes those that start while it is being made.
    if rows[index].motion == 0, !walk.guests.contains(position) { set(motion: motion, at: index) }
    guard found > 0 || rows[index].late > 0 else { return }
    let own = walk.context.sequence.ownHitch(at: position)
    change(index) {
      let isLonger = !isInSeveral || found > $0.hitch.nanoseconds
      $0.hitch =
        isInSeveral
        ? Swift.max($0.hitch, TimeSpan(nanoseconds: Swift.max(found, own)))
        : TimeSpan(nanoseconds: found)
      if isLonger { $0.gapWork = found > own ? walk.missingWork(member) : nil }
    }
  }

  mutating func set(motion: Int, at index: Int) {
    rows[index].motion = UInt32(exactly: motion + 1) ?? 0
  }

  /// Finds out to which frames the basis applies, of those with a refresh interval.
  ///
  /// - Parameter countsDropped: Whether it applies to dropped frames at rest.
  mutating func findEvaluated(countingDropped countsDropped: Bool) {
    for index in rows.indices {
      let frame = source.frames[index]
      guard source.refreshInterval(of: frame, at: index) != nil else { continue }
      let isDropped = frame.outcome == .dropped
      let row = rows[index]
      rows[index].isEvaluated =
        row.motion > 0
        ? isDropped || row.picture != nil : isDropped && countsDropped || row.isLatenessKnown
    }
  }

  /// Returns whether the frame at a position has a hitch, without a copy of the frame.
  @inline(__always) func hasHitch(at index: Int) -> Bool {
    let position = rows[index].late
    return position > 0 && late[Int(position) - 1].hitch > .zero
  }

  private mutating func change(_ index: Int, _ body: (inout Late) -> Void) {
    if rows[index].late == 0 {
      late.append(Late())
      rows[index].late = UInt32(truncatingIfNeeded: late.count)
    }
    body(&late[Int(rows[index].late) - 1])
  }
}

extension EvaluatedFrames: NumberedCollection {
  var count: Int { rows.count }

  @inline(__always) subscript(index: Int) -> EvaluatedFrame {
    let (row, frame) = (rows[index], source.frames[index])
    let late = row.late > 0 ? late[Int(row.late) - 1] : Late()
    let shown: Timestamp? =
      switch row.picture {
      case .presented: frame.presented
      case .estimate: frame.deadline.map { $0 + late.lateness }
      case .start: frame.start
      case nil: nil
      }
    return EvaluatedFrame(
      frame: frame, index: index,
      refreshInterval: source.refreshInterval(of: frame, at: index),
      motion: row.motion > 0 ? Int(row.motion) - 1 : nil, shown: shown, lateness: late.lateness,
      hitch: late.hitch, gapWork: late.gapWork, isEvaluated: row.isEvaluated,
      isLatenessKnown: row.isLatenessKnown)
  }
}

/// Some of the frames of a surface, or all of them in another order.
struct SelectedFrames: NumberedCollection {
  let frames: EvaluatedFrames
  /// The positions of the frames in this order, or `nil` for all.
  let positions: [Int]?

  var count: Int { positions?.count ?? frames.count }

  @inline(__always) subscript(index: Int) -> EvaluatedFrame { frames[position(at: index)] }

  /// The values that a closure finds in the frames, without their evaluation.
  @inline(__always) func values(_ value: (Frame) -> TimeSpan?) -> [TimeSpan] {
    var found: [TimeSpan] = []
    found.reserveCapacity(count)
    for index in indices {
      if let value = value(frames.source.frames[position(at: index)]) { found.append(value) }
    }
    return found
  }

  func hasHitch(at index: Int) -> Bool { frames.hasHitch(at: position(at: index)) }

  @inline(__always) private func position(at index: Int) -> Int {
    positions.map { $0[index] } ?? index
  }
}

extension MotionWalk {
  /// The range in which work for a member was missing: from commit to commit if both are known,
  /// because work that is missing on screen was missing there.
  ///
  /// There is none if pictures are timed by frame starts: a start is late because of the previous
  /// frame, and the work for that one ends with its commit.
  func missingWork(_ member: Int) -> TimeRange? {
    let entry = sequence.entries[members[member]]
    let other = before[member].map { sequence.entries[Int($0)] }
    let usesCommits = sequence.timesByPresentation || sequence.basis != .cadence
    if usesCommits, let workStart = other == nil ? start : other?.commitEnd,
      let workEnd = entry.commitEnd, workStart < workEnd
    {
      return TimeRange(start: sequence.time(workStart), end: sequence.time(workEnd))
    }
    guard let shown = entry.shown else { return nil }
    let gapStart = other?.shown ?? min(start, shown)
    return gapStart < shown
      ? TimeRange(start: sequence.time(gapStart), end: sequence.time(shown)) : nil
  }
}
