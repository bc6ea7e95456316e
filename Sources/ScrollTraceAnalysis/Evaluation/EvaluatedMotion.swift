import ScrollTraceModel

/// What a walk through one motion found.
struct EvaluatedMotion {
  /// A hitch of a frame in the motion.
  struct FrameHitch {
    /// The frame's position in the surface.
    var frame: Int
    /// The parts of the hitch inside the interactions.
    var pieces: [TimeRange]
  }

  /// A hitch that no frame of the motion ended.
  struct TailHitch {
    /// The motion's position among the surface's.
    var motion: Int
    /// The frame that was begun and not shown; `nil` if there was none.
    var frame: Int?
    /// From the last picture to the motion's end.
    var gap: TimeRange
    /// How long the hitch is.
    var length: TimeSpan
    /// Where it lies.
    var segments: [TimeRange]
    /// The parts of it inside the interactions.
    var pieces: [TimeRange]
    /// The refresh interval that held.
    var refreshInterval: TimeSpan

    /// From the first to the last instant of the hitch.
    var range: TimeRange {
      TimeRange(
        start: segments.first?.start ?? gap.start, end: segments.last?.end ?? gap.end)
    }
  }

  let motion: Motion
  private(set) var hitches: [FrameHitch] = []
  private(set) var tail: TailHitch?
  private let repeated: Int64
  private let notYet: TimeRange
  private let settled: TimeRange
  private let notRequested: [(time: Timestamp, refresh: Int64)]
  private let lost: [Timestamp]
  private let unknown: [TimeRange]
  private let pictures: [Timestamp]
  private let refresh: Int64

  /// What `walk` found of the motion at `index` of the surface.
  init(_ walk: MotionWalk, at index: Int) {
    let sequence = walk.sequence
    let motion = walk.motion
    self.motion = motion
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(start: sequence.time(start), end: sequence.time(end))
    }
    func cut(_ range: TimeRange) -> [TimeRange] {
      // A motion has few interactions, but a hostile one may have many.
      var index = motion.ranges.partitionPoint { $0.end > range.start }
      var parts: [TimeRange] = []
      while index < motion.ranges.count, motion.ranges[index].start < range.end {
        let part = motion.ranges[index].intersection(range)
        if part.length > .zero { parts.append(part) }
        index += 1
      }
      return parts
    }
    var repeated: Int64 = 0
    for (member, position) in walk.members.enumerated() where walk.hitches[member] > 0 {
      let entry = sequence.entries[position]
      let pieces = cut(range(entry.shown - walk.hitches[member], entry.shown))
      repeated += pieces.reduce(0) { $0 + $1.length.nanoseconds }
      hitches.append(FrameHitch(frame: entry.position, pieces: pieces))
    }
    if walk.tailHitch > 0 {
      let segments = walk.tailPieces.map { range($0.start, $0.end) }
      let pieces = segments.flatMap(cut)
      repeated += pieces.reduce(0) { $0 + $1.length.nanoseconds }
      tail = TailHitch(
        motion: index, frame: walk.tailFrame.map { sequence.entries[$0].position },
        gap: range(walk.tailStart, walk.end), length: TimeSpan(nanoseconds: walk.tailHitch),
        segments: segments, pieces: pieces, refreshInterval: TimeSpan(nanoseconds: walk.tailRefresh)
      )
    }
    self.repeated = repeated
    notYet = range(walk.start, walk.start + walk.notYetTime)
    settled = range(walk.end - walk.settledTime, walk.end)
    notRequested = walk.notRequestedPlaces.map { (sequence.time($0.time), $0.refresh) }
    lost = walk.lostPlaces.map(sequence.time)
    unknown = walk.unknownPieces.map { range($0.start, $0.end) }
    pictures = walk.members.map { sequence.entries[$0].shown }
      .filter { $0 != FrameSequence.unknown && walk.start <= $0 && $0 <= walk.end }
      .map(sequence.time)
    refresh = walk.refresh
  }

  /// A motion of which nothing was looked at: all of it is unknown.
  init(unevaluated motion: Motion) {
    self.motion = motion
    (repeated, refresh) = (0, 1)
    notYet = TimeRange(start: motion.start, end: motion.start)
    settled = notYet
    (notRequested, lost, unknown, pictures) = ([], [], motion.ranges, [])
  }

  /// How long its interactions are.
  private var length: Int64 { motion.ranges.reduce(0) { $0 + $1.length.nanoseconds } }

  /// The ledger of all of it.
  func ledger(refreshInterval: TimeSpan) -> RefreshLedger {
    LedgerDraft(
      length: length, notYet: notYet.length.nanoseconds, repeated: repeated,
      notRequested: notRequested.reduce(0) { $0 + $1.refresh },
      settled: settled.length.nanoseconds,
      unknown: unknown.reduce(0) { $0 + $1.length.nanoseconds } + Int64(lost.count) * refresh,
      pictures: Int64(pictures.count), refresh: refresh
    ).ledger(refreshInterval: refreshInterval)
  }

  /// The ledger of the part of it that `time` holds.
  func ledger(in time: TimeRangeSet, refreshInterval: TimeSpan) -> RefreshLedger {
    let last = motion.end
    func holds(_ instant: Timestamp) -> Bool {
      // The last instant of a motion belongs to the part that it ends.
      time.index(containing: instant) != nil
        || instant >= last
          && time.index(containing: last - TimeSpan(nanoseconds: 1)) != nil
    }
    func covered(_ ranges: [TimeRange]) -> Int64 {
      ranges.reduce(0) { $0 + time.coveredLength(of: $1).nanoseconds }
    }
    let pieces = hitches.flatMap(\.pieces) + (tail?.pieces ?? [])
    return LedgerDraft(
      length: covered(motion.ranges), notYet: covered([notYet]), repeated: covered(pieces),
      notRequested: notRequested.reduce(0) { $0 + (holds($1.time) ? $1.refresh : 0) },
      settled: covered([settled]),
      unknown: covered(unknown) + Int64(lost.count(where: holds)) * refresh,
      pictures: Int64(pictures.count(where: holds)), refresh: refresh
    ).ledger(refreshInterval: refreshInterval)
  }
}
