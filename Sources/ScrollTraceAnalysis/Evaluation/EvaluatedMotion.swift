import ScrollTraceModel

/// The result of the walk through a motion.
struct EvaluatedMotion {
  /// A hitch of a frame in the motion.
  struct FrameHitch {
    var frame: Int
    /// The parts of the hitch in the interactions.
    var pieces: [TimeRange]
  }

  /// A hitch at the end of a motion that no frame ended.
  struct TailHitch {
    /// The position of the motion on the surface.
    var motion: Int
    /// The frame that was started and not presented, or `nil` if there was none.
    var frame: Int?
    /// The gap from the last picture to the motion's end.
    var gap: TimeRange
    var length: TimeSpan
    /// The ranges of the hitch.
    var segments: [TimeRange]
    /// The parts of the hitch in the interactions.
    var pieces: [TimeRange]
    /// The refresh interval at that time.
    var refreshInterval: TimeSpan

    /// The range from the start to the end of the hitch.
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

  /// Creates the result of the walk through the motion at `index`.
  init(_ walk: MotionWalk, at index: Int) {
    let sequence = walk.sequence
    let motion = walk.motion
    self.motion = motion
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(start: sequence.time(start), end: sequence.time(end))
    }
    func cut(_ range: TimeRange) -> [TimeRange] {
      // A motion usually has few interactions, but a malicious trace may have many.
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

  /// Creates the result of a motion that was not examined, all of which is unknown.
  init(unevaluated motion: Motion) {
    self.motion = motion
    (repeated, refresh) = (0, 1)
    notYet = TimeRange(start: motion.start, end: motion.start)
    settled = notYet
    (notRequested, lost, unknown, pictures) = ([], [], motion.ranges, [])
  }

  /// The total length of its interactions.
  private var length: Int64 { motion.ranges.reduce(0) { $0 + $1.length.nanoseconds } }

  /// The ledger of the whole motion.
  func ledger(refreshInterval: TimeSpan) -> RefreshLedger {
    LedgerDraft(
      length: length, notYet: notYet.length.nanoseconds, repeated: repeated,
      notRequested: notRequested.reduce(0) { $0 + $1.refresh },
      settled: settled.length.nanoseconds,
      unknown: unknown.reduce(0) { $0 + $1.length.nanoseconds } + Int64(lost.count) * refresh,
      pictures: Int64(pictures.count), refresh: refresh
    ).ledger(refreshInterval: refreshInterval)
  }

  /// The ledger of the part of the motion in `time`.
  func ledger(in time: TimeRangeSet, refreshInterval: TimeSpan) -> RefreshLedger {
    let last = motion.end
    func holds(_ instant: Timestamp) -> Bool {
      // The last instant of a motion belongs to the part that ends with it.
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
