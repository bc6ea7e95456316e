import ScrollTraceModel

/// The main thread's spans, as evidence that a host was blocked rather than idle (M-3).
struct MainThreadEvidence {
  private let spans: SpanColumns
  private let waits: WaitingLabels
  /// The commits of the surface, sorted by start.
  private let commits: Commits

  /// The commits of frames, in an order of their positions.
  private struct Commits: NumberedCollection {
    let frames: FrameColumns
    var positions: [Int32] = []

    var count: Int { positions.count }

    subscript(index: Int) -> (start: Int64, end: Int64) {
      Self.commit(of: frames[Int(positions[index])]) ?? (0, 0)
    }

    static func commit(of frame: Frame) -> (start: Int64, end: Int64)? {
      guard let end = frame.commitEnd, let start = frame.commitStart ?? frame.start else {
        return nil
      }
      return (start.nanoseconds, end.nanoseconds)
    }
  }

  init(of trace: Trace, frames: FrameColumns, waits: WaitingLabels) {
    spans = trace.mainTrack.map { trace.tracks[$0.index].spans } ?? SpanColumns()
    self.waits = waits
    var positions: [Int32] = []
    for position in frames.indices where Commits.commit(of: frames[position]) != nil {
      positions.append(Int32(clamping: position))
    }
    commits = Commits(
      frames: frames,
      positions: positions.stablySorted { Commits.commit(of: frames[Int($0)])?.start ?? 0 })
  }

  /// The time that spans cover from a refresh after the last picture to the end. Only spans count
  /// that are not waits, start at or after `since` if it is known, and last for at least two refreshes
  /// of that time.
  func cover(
    since: Int64?, last: Int64, end: Int64, refresh: Int64, in sequence: FrameSequence
  ) -> (cover: [(start: Int64, end: Int64)], steps: Int) {
    var found: [TimeRange] = []
    var steps = 0
    func add(_ start: Int64, _ stop: Int64) {
      let from = sequence.relative(Timestamp(clamping: start))
      let to = min(sequence.relative(Timestamp(clamping: stop)), end)
      guard from >= since ?? .min, to - max(from, last) >= 2 * refresh else { return }
      found.append(
        TimeRange(start: sequence.time(max(from, last + refresh)), end: sequence.time(to)))
    }
    let first = since.map { sequence.time($0).nanoseconds } ?? 0
    let limit = sequence.time(end).nanoseconds
    for index in spans.times.partitionPoint({ $0.start >= first })..<spans.count {
      let span = spans.times[index]
      guard span.start < limit else { break }
      if !waits[spans.labels[index]] { add(span.start, span.end) }
      steps += 1
    }
    for commit in commits[commits.partitionPoint { $0.start >= first }...] {
      guard commit.start < limit else { break }
      add(commit.start, commit.end)
      steps += 1
    }
    let cover = TimeRangeSet(union: found).ranges.map {
      (start: sequence.relative($0.start), end: sequence.relative($0.end))
    }
    return (cover, steps)
  }
}
