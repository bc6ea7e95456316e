/// The thread that did a host's main work at each time, in a host whose commits move between threads.
///
/// The frames of an async app go from thread to thread with its tasks, so that no thread is the main
/// thread for long. A thread owns the time of its commits and of its work around them. Between two
/// commits, the threads of both own what they did, and so do threads on which their tasks went on.
/// Work of these threads during another one's commit is background work.
struct CommitOwners {
  /// A commit or other main work, with all spans in it, or the time that its thread owns.
  struct Piece {
    var start: Int64
    var end: Int64
    let track: TrackID
  }

  /// The threads with commits, and those on which their tasks went on.
  let tracks: Set<TrackID>
  /// The outermost spans that are main work, ascending by start.
  private(set) var work: [Piece] = []
  /// The commits, ascending. They do not overlap.
  private let commits: [Piece]

  /// Determines the owners, or `nil` if the commits of `trace` stay on one thread, or if threads commit
  /// at the same time, so that no thread follows another.
  init?(of trace: Trace) {
    let committing = Self.committingTracks(of: trace)
    guard committing.count > 1,
      let commits = Self.commits(of: trace, on: committing)
    else { return nil }
    self.commits = commits
    let reached = Self.reachedTracks(of: trace, commits)
    tracks = reached.values.reduce(committing) { $0.union($1) }
    addWork(of: trace, reached)
  }

  /// The turns of all threads, ascending and without gaps, from the first time to the last. The time
  /// before a piece belongs to its thread.
  var turns: [Piece] {
    var turns: [Piece] = []
    var now = Int64.min
    for piece in (commits + work).stablySorted(by: { ($0.start, $0.end) < ($1.start, $1.end) })
    where piece.end >= now {
      let last = turns.last
      if last?.track == piece.track { turns.removeLast() }
      let start = last?.track == piece.track ? last?.start : now
      turns.append(Piece(start: start ?? now, end: piece.end, track: piece.track))
      now = piece.end
    }
    if !turns.isEmpty { turns[turns.count - 1].end = Int64.max }
    return turns
  }

  // MARK: - Commits

  /// The threads between which the commits of surfaces move, if the main thread is one of them.
  private static func committingTracks(of trace: Trace) -> Set<TrackID> {
    guard let main = trace.mainTrack else { return [] }
    var all: Set<TrackID> = []
    for surface in trace.surfaces {
      var (found, last): (Set<TrackID>, TrackID?) = ([], nil)
      for frame in surface.frames where frame.track != last {
        last = frame.track
        guard let track = frame.track, frame.commitStart != nil,
          trace.processes[trace.tracks[track.index].process.index].isHost
        else { continue }
        found.insert(track)
      }
      if found.count > 1, found.contains(main) { all.formUnion(found) }
    }
    return all
  }

  /// The commits on `tracks`, or `nil` if commits of different threads overlap.
  private static func commits(of trace: Trace, on tracks: Set<TrackID>) -> [Piece]? {
    var all: [Piece] = []
    for surface in trace.surfaces {
      for frame in surface.frames {
        guard let track = frame.track, tracks.contains(track), let start = frame.commitStart
        else { continue }
        let end = max(start, frame.commitEnd ?? start)
        all.append(Piece(start: start.nanoseconds, end: end.nanoseconds, track: track))
      }
    }
    var commits: [Piece] = []
    for commit in all.stablySorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      guard let last = commits.last, commit.start < last.end else {
        commits.append(commit)
        continue
      }
      guard commit.track == last.track else { return nil }
      commits[commits.count - 1].end = max(last.end, commit.end)
    }
    return commits
  }

  /// The position of the first commit that ends after `instant`.
  private static func next(after instant: Int64, in commits: [Piece]) -> Int {
    commits.partitionPoint { $0.end > instant }
  }

  /// The threads of the commits before and after the gap before the commit at `index`.
  private static func neighbors(ofGapBefore index: Int, in commits: [Piece]) -> Set<TrackID> {
    Set([index - 1, index].filter(commits.indices.contains).map { commits[$0].track })
  }

  /// The threads on which tasks of the threads around a gap went on in it, by the position of the
  /// commit after the gap.
  private static func reachedTracks(
    of trace: Trace, _ commits: [Piece]
  ) -> [Int: Set<TrackID>] {
    var moves: [Int: [(from: TrackID, to: TrackID)]] = [:]
    for span in trace.asyncSpans {
      guard let end = span.endTrack else { continue }
      let gap = next(after: span.range.start.nanoseconds, in: commits)
      let isInGap = gap == commits.count || commits[gap].start >= span.range.end.nanoseconds
      if isInGap { moves[gap, default: []].append((span.track, end)) }
    }
    var reached: [Int: Set<TrackID>] = [:]
    for (gap, moves) in moves {
      var known = neighbors(ofGapBefore: gap, in: commits)
      // Onwards from the commit before, and backwards from the one after.
      for move in moves + moves.reversed()
      where known.contains(move.from) || known.contains(move.to) {
        known.formUnion([move.from, move.to])
      }
      reached[gap] = known
    }
    return reached
  }

  // MARK: - Work

  private mutating func addWork(of trace: Trace, _ reached: [Int: Set<TrackID>]) {
    let commitsOfTracks = Dictionary(grouping: commits, by: \.track)
    var between: [Int: [Piece]] = [:]
    for track in tracks.sorted() {
      for range in trace.tracks[track.index].spans.outermostRanges {
        let piece = Piece(start: range.start, end: range.end, track: track)
        let gap = Self.next(after: piece.start, in: commits)
        guard gap < commits.count, commits[gap].start < piece.end else {
          let owners = reached[gap] ?? Self.neighbors(ofGapBefore: gap, in: commits)
          if owners.contains(track) { between[gap, default: []].append(piece) }
          continue
        }
        let own = commitsOfTracks[track] ?? []
        let next = Self.next(after: piece.start, in: own)
        if next < own.count, own[next].start < piece.end { work.append(piece) }
      }
    }
    for candidates in between.values {
      var end = Int64.min
      for candidate in candidates.stablySorted(by: { ($0.start, $1.end) < ($1.start, $0.end) })
      where candidate.start >= end {
        work.append(candidate)
        end = candidate.end
      }
    }
    work = work.stablySorted { ($0.start, $0.end, $0.track) < ($1.start, $1.end, $1.track) }
  }
}

extension [CommitOwners.Piece] {
  /// The thread that owns an instant.
  func track(at instant: Int64) -> TrackID? {
    let index = partitionPoint { $0.end > instant }
    return index < count ? self[index].track : last?.track
  }
}

extension SpanColumns {
  /// The times of the spans that no other one contains. Spans that overlap are one.
  fileprivate var outermostRanges: [(start: Int64, end: Int64)] {
    var ranges: [(start: Int64, end: Int64)] = []
    for span in times {
      if let last = ranges.last, span.start < last.end {
        ranges[ranges.count - 1].end = Swift.max(last.end, span.end)
      } else {
        ranges.append((span.start, span.end))
      }
    }
    return ranges
  }
}
