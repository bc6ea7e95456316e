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
  /// Whether the motion was looked at.
  private(set) var wasEvaluated = true
  private(set) var hitches: [FrameHitch] = []
  private(set) var tail: TailHitch?
  private let repeated: Int64
  private let notYet: TimeRange
  private let settled: TimeRange
  /// The refreshes at which nothing was requested, and the sum of those before each; ascending.
  private let notRequested: [Timestamp]
  private let notRequestedSums: [Int64]
  /// The places of frames whose pictures are unknown; ascending.
  private let lost: [Timestamp]
  private let unknown: [TimeRange]
  /// The pictures; ascending.
  private let pictures: [Timestamp]
  /// The parts of hitches, ascending by start, and the longest of them.
  private let pieces: [TimeRange]
  private let longestPiece: TimeSpan
  private let refresh: Int64

  /// Creates the result of the walk through the motion at `index`.
  init(_ walk: MotionWalk, at index: Int) {
    let sequence = walk.sequence
    let motion = walk.motion
    self.motion = motion
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(start: sequence.time(start), end: sequence.time(end))
    }
    var repeated: Int64 = 0
    for (member, position) in walk.members.enumerated() where walk.hitches[member] > 0 {
      let entry = sequence.entries[position]
      let pieces = motion.parts(of: range(entry.shown - walk.hitches[member], entry.shown))
      repeated += pieces.reduce(0) { $0 + $1.length.nanoseconds }
      hitches.append(FrameHitch(frame: entry.position, pieces: pieces))
    }
    if walk.tailHitch > 0 {
      let segments = walk.tailPieces.map { range($0.start, $0.end) }
      let pieces = segments.flatMap(motion.parts)
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
    let idle = walk.notRequestedPlaces.stablySorted { $0.time }
    notRequested = idle.map { sequence.time($0.time) }
    notRequestedSums = idle.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.refresh) }
    lost = walk.lostPlaces.map(sequence.time).sorted()
    unknown = walk.unknownPieces.map { range($0.start, $0.end) }
    pictures = walk.members.map { sequence.entries[$0].shown }
      .filter { $0 != FrameSequence.unknown && walk.start <= $0 && $0 <= walk.end }
      .map(sequence.time).sorted()
    pieces = (hitches.flatMap(\.pieces) + (tail?.pieces ?? [])).stablySorted { $0.start }
    longestPiece = pieces.map(\.length).max() ?? .zero
    refresh = walk.refresh
  }

  /// Creates the result of a motion that was not examined, all of which is unknown.
  init(unevaluated motion: Motion) {
    self.motion = motion
    (repeated, refresh) = (0, 1)
    notYet = TimeRange(start: motion.start, end: motion.start)
    settled = notYet
    (notRequested, notRequestedSums, lost) = ([], [0], [])
    (unknown, pictures, pieces, longestPiece) = (motion.ranges, [], [], .zero)
    wasEvaluated = false
  }

  /// The total length of its interactions.
  private var length: Int64 { motion.ranges.reduce(0) { $0 + $1.length.nanoseconds } }

  /// The ledger of the whole motion.
  func ledger(refreshInterval: TimeSpan) -> RefreshLedger {
    LedgerDraft(
      length: length, notYet: notYet.length.nanoseconds, repeated: repeated,
      notRequested: notRequestedSums[notRequested.count],
      settled: settled.length.nanoseconds,
      unknown: unknown.reduce(0) { $0 + $1.length.nanoseconds } + Int64(lost.count) * refresh,
      pictures: Int64(pictures.count), refresh: refresh
    ).ledger(refreshInterval: refreshInterval)
  }

  /// The ledger of the part of the motion in `time`.
  func ledger(in time: TimeRangeSet, refreshInterval: TimeSpan) -> RefreshLedger {
    func covered(_ ranges: [TimeRange]) -> Int64 {
      ranges.reduce(0) { $0 + time.coveredLength(of: $1).nanoseconds }
    }
    var draft = LedgerDraft(
      length: covered(motion.ranges), notYet: covered([notYet]), repeated: 0, notRequested: 0,
      settled: covered([settled]), unknown: covered(unknown), pictures: 0, refresh: refresh)
    var index = time.firstIndex(endingAfter: motion.start)
    while index < time.ranges.count, time.ranges[index].start < motion.end {
      add(time.ranges[index], to: &draft)
      index += 1
    }
    return draft.ledger(refreshInterval: refreshInterval)
  }

  /// Adds what lies in `range`.
  private func add(_ range: TimeRange, to draft: inout LedgerDraft) {
    // The last instant of a motion belongs to the part that ends with it, and what was being made when it
    // started, to the part that starts with it.
    func held(_ instants: [Timestamp]) -> Range<Int> {
      let first =
        range.start <= motion.start ? 0 : instants.partitionPoint { $0 >= range.start }
      let last =
        range.end >= motion.end
        ? instants.count : instants.partitionPoint { $0 >= range.end }
      return first..<max(first, last)
    }
    let idle = held(notRequested)
    draft.notRequested += notRequestedSums[idle.upperBound] - notRequestedSums[idle.lowerBound]
    draft.unknown += Int64(held(lost).count) * refresh
    draft.pictures += Int64(held(pictures).count)
    let first = pieces.partitionPoint { $0.start > range.start - longestPiece }
    let last = pieces.partitionPoint { $0.start >= range.end }
    for piece in pieces[first..<max(first, last)] {
      draft.repeated += piece.intersection(range).length.nanoseconds
    }
  }
}
