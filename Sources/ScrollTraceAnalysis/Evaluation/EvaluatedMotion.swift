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
    /// The frame that was started and not presented, or `nil` if there was none.
    var frame: Int?
    /// The gap from the last picture to the motion's end.
    var gap: TimeRange
    var length: TimeSpan
    var segments: [TimeRange]
    /// The parts of the hitch in the interactions.
    var pieces: [TimeRange]
    /// The refresh interval at that time.
    var refreshInterval: TimeSpan

    var range: TimeRange {
      TimeRange(
        start: segments.first?.start ?? gap.start, end: segments.last?.end ?? gap.end)
    }
  }

  let motion: Motion
  /// Whether the motion was looked at, as far as there was something to see.
  private(set) var wasEvaluated = true
  private(set) var hitches: [FrameHitch] = []
  private(set) var tail: TailHitch?
  private let repeated: Int64
  private let notYet: TimeRange
  private let settled: TimeRange
  /// The refreshes at which nothing was requested.
  private let notRequested: TimedRefreshes
  /// The refreshes of frames whose pictures are unknown.
  private let lost: TimedRefreshes
  private let unknown: [TimeRange]
  private let pictures: TimedRefreshes
  /// The parts of hitches, ascending by start, and the longest of them.
  private let pieces: [TimeRange]
  private let longestPiece: TimeSpan
  /// The longest refresh interval of a picture.
  private let refresh: Int64

  init(_ walk: MotionWalk) {
    let sequence = walk.sequence
    let motion = walk.motion
    self.motion = motion
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(start: sequence.time(start), end: sequence.time(end))
    }
    var repeated: Int64 = 0
    for (member, position) in walk.members.enumerated() where walk.hitches[member] > 0 {
      let entry = sequence.entries[position]
      guard let shown = entry.shown else { continue }
      let pieces = motion.parts(of: range(shown - walk.hitches[member], shown))
      repeated += pieces.reduce(0) { $0 + $1.length.nanoseconds }
      hitches.append(FrameHitch(frame: entry.position, pieces: pieces))
    }
    if walk.tailHitch > 0 {
      let segments = walk.tailPieces.map { range($0.start, $0.end) }
      let pieces = segments.flatMap(motion.parts)
      repeated += pieces.reduce(0) { $0 + $1.length.nanoseconds }
      tail = TailHitch(
        frame: walk.tailFrame.map { sequence.entries[$0].position },
        gap: range(walk.tailStart, walk.end), length: TimeSpan(nanoseconds: walk.tailHitch),
        segments: segments, pieces: pieces, refreshInterval: TimeSpan(nanoseconds: walk.tailRefresh)
      )
    }
    self.repeated = repeated
    notYet = range(walk.start, walk.start + walk.notYetTime)
    settled = range(walk.end - walk.settledTime, walk.end)
    notRequested = TimedRefreshes(walk.notRequestedRefreshes, of: sequence)
    lost = TimedRefreshes(walk.lostRefreshes, of: sequence)
    unknown = walk.unknownPieces.map { range($0.start, $0.end) }
    let shown = walk.members.lazy.compactMap { member -> (time: Int64, refresh: Int64)? in
      let entry = sequence.entries[member]
      guard let time = entry.shown, walk.start <= time, time <= walk.end else { return nil }
      return (time, entry.refresh)
    }
    pictures = TimedRefreshes(shown, of: sequence)
    pieces = (hitches.flatMap(\.pieces) + (tail?.pieces ?? [])).stablySorted { $0.start }
    longestPiece = pieces.map(\.length).max() ?? .zero
    refresh = max(walk.refresh, pictures.longest)
  }

  /// Creates the result of a motion that was not examined, all of which is unknown.
  init(unevaluated motion: Motion) {
    self.motion = motion
    (repeated, refresh) = (0, 1)
    notYet = TimeRange(start: motion.start, end: motion.start)
    settled = notYet
    (notRequested, lost, pictures) = (TimedRefreshes(), TimedRefreshes(), TimedRefreshes())
    (unknown, pieces, longestPiece) = (motion.ranges, [], .zero)
    wasEvaluated = motion.isLost
  }

  private var length: Int64 { motion.ranges.reduce(0) { $0 + $1.length.nanoseconds } }

  var ledger: RefreshLedger {
    LedgerDraft(
      length: length, notYet: notYet.length.nanoseconds, repeated: repeated,
      notRequested: notRequested.total.time, settled: settled.length.nanoseconds,
      unknown: unknown.reduce(0) { $0 + $1.length.nanoseconds } + lost.total.time,
      pictures: pictures.total, refresh: refresh
    ).ledger
  }

  func ledger(in time: TimeRangeSet) -> RefreshLedger {
    func covered(_ ranges: [TimeRange]) -> Int64 {
      ranges.reduce(0) { $0 + time.coveredLength(of: $1).nanoseconds }
    }
    var draft = LedgerDraft(
      length: covered(motion.ranges), notYet: covered([notYet]), repeated: 0, notRequested: 0,
      settled: covered([settled]), unknown: covered(unknown), pictures: (0, 0), refresh: refresh)
    var index = time.firstIndex(endingAfter: motion.start)
    while index < time.ranges.count, time.ranges[index].start < motion.end {
      add(time.ranges[index], to: &draft)
      index += 1
    }
    return draft.ledger
  }

  private func add(_ range: TimeRange, to draft: inout LedgerDraft) {
    // The last instant of a motion belongs to the part that ends with it, and what was being made when it
    // started, to the part that starts with it.
    let start = range.start <= motion.start ? nil : range.start
    let end = range.end >= motion.end ? nil : range.end
    let shown = pictures.sum(from: start, to: end)
    draft.pictures.count += shown.count
    draft.pictures.time += shown.time
    draft.notRequested += notRequested.sum(from: start, to: end).time
    draft.unknown += lost.sum(from: start, to: end).time
    let first = pieces.partitionPoint { $0.start > range.start - longestPiece }
    let last = pieces.partitionPoint { $0.start >= range.end }
    for piece in pieces[first..<max(first, last)] {
      draft.repeated += piece.intersection(range).length.nanoseconds
    }
  }
}

/// Refreshes with a time, and their lengths.
private struct TimedRefreshes {
  /// The times, ascending, and the sum of the lengths before each.
  private var rows = PackedRows(columnCount: 2)

  private(set) var total: (count: Int, time: Int64) = (0, 0)
  /// The longest refresh, or 0 if there are none.
  private(set) var longest: Int64 = 0

  init() {}

  init(
    _ refreshes: some Sequence<(time: Int64, refresh: Int64)>, of sequence: FrameSequence
  ) {
    self.init()
    var before = Int64.min
    for (time, refresh) in refreshes {
      // Most come in order, and a copy of those of all frames takes more room than what is kept of them.
      guard time >= before else {
        self = TimedRefreshes(Array(refreshes).stablySorted { $0.time < $1.time }, of: sequence)
        return
      }
      before = time
      rows.append {
        $0[0] = UInt64(bitPattern: sequence.time(time).nanoseconds)
        $0[1] = UInt64(bitPattern: total.time)
      }
      total = (total.count + 1, total.time.saturatingAdd(refresh))
      longest = max(longest, refresh)
    }
  }

  /// The number of the refreshes from `start` to before `end` and their length; `nil` for no limit.
  func sum(from start: Timestamp?, to end: Timestamp?) -> (count: Int, time: Int64) {
    let first = start.map(count(before:)) ?? 0
    let last = end.map(count(before:)) ?? rows.count
    return first < last ? (last - first, time(before: last) - time(before: first)) : (0, 0)
  }

  private func count(before time: Timestamp) -> Int {
    (0..<rows.count).partitionPoint { Int64(bitPattern: rows[$0, 0]) >= time.nanoseconds }
  }

  private func time(before row: Int) -> Int64 {
    row < rows.count ? Int64(bitPattern: rows[row, 1]) : total.time
  }
}
