import ScrollTraceModel

/// The time in which any of several tracks was busy, before each of the given times.
///
/// The times are known in advance, so one pass over all tracks finds every answer, and memory does
/// not grow with the number of spans.
struct UnionLoad {
  private let timestamps: [Int64]
  private var lengths: [Int64] = []

  /// Computes the busy time of the union of tracks before each of `timestamps`.
  init(of timelines: [BusyTimeline], before timestamps: [Int64]) {
    self.timestamps = Set(timestamps).sorted()
    if timelines.count == 1 {
      lengths = self.timestamps.map { timelines[0].busy(before: $0) }
    } else {
      // Few tracks are searched linearly; many are kept in a heap.
      timelines.count <= 8 ? sweepFew(timelines) : sweep(timelines.map(\.busyRanges))
    }
  }

  /// The busy time in `windows`, whose starts and ends must be among the given times.
  func busy(in windows: TimeRangeSet) -> TimeSpan {
    windows.ranges.reduce(into: .zero) { sum, window in
      sum += TimeSpan(nanoseconds: length(before: window.end) - length(before: window.start))
    }
  }

  private func length(before instant: Timestamp) -> Int64 {
    let index = timestamps.partitionPoint { $0 >= instant.nanoseconds }
    precondition(
      index < timestamps.count && timestamps[index] == instant.nanoseconds, "nobody said so before")
    return lengths[index]
  }

  /// Extends each busy range of the union as long as any track continues it.
  private mutating func sweepFew(_ timelines: [BusyTimeline]) {
    var tracks = timelines.map(\.spanCursor)
    var union = BusyUnion()
    while true {
      var begin = SpanCursor.never
      for track in tracks { begin = min(begin, track.start) }
      guard begin != SpanCursor.never else { break }
      answer(until: begin, union)
      union.covered = begin
      var before = Int64.min
      while union.covered > before {
        before = union.covered
        for index in tracks.indices where tracks[index].start <= union.covered {
          tracks[index].extend(&union)
        }
      }
    }
    answer(until: Int64.max, union)
  }

  /// Stores the answers for the times up to `limit`, before the range that follows `union`.
  private mutating func answer(until limit: Int64, _ union: BusyUnion) {
    while lengths.count < timestamps.count, timestamps[lengths.count] <= limit {
      lengths.append(union.length(before: timestamps[lengths.count]))
    }
  }

  /// Processes the ranges of all tracks in order of their starts.
  private mutating func sweep(_ tracks: [BusyRanges]) {
    var tracks = tracks
    var union = BusyUnion()
    var heads = RangeHeap(
      tracks.indices.compactMap { index in
        tracks[index].next().map {
          RangeHeap.Head(start: $0.start, end: $0.end, track: index)
        }
      })
    lengths.reserveCapacity(timestamps.count)
    while var head = heads.first {
      let limit = heads.secondBegin
      var isOver = false
      repeat {
        answer(until: head.start, union)
        union.add(head.start, head.end)
        if let next = tracks[head.track].next() {
          (head.start, head.end) = next
        } else {
          isOver = true
        }
      } while !isOver && head.start <= limit
      if isOver { heads.removeFirst() } else { heads.replaceFirst(with: head) }
    }
    answer(until: Int64.max, union)
  }
}

/// The next range of each track, earliest first, as a binary heap.
private struct RangeHeap {
  struct Head {
    var start: Int64
    var end: Int64
    var track: Int
  }

  private var heads: [Head]

  init(_ heads: [Head]) { self.heads = heads.sorted { $0.start < $1.start } }

  var first: Head? { heads.first }

  /// The start of the second range, or the end of time if there is none.
  var secondBegin: Int64 {
    switch heads.count {
    case ...1: Int64.max
    case 2: heads[1].start
    default: min(heads[1].start, heads[2].start)
    }
  }

  mutating func removeFirst() {
    guard let last = heads.popLast(), !heads.isEmpty else { return }
    replaceFirst(with: last)
  }

  mutating func replaceFirst(with head: Head) {
    var index = 0
    while true {
      var child = index * 2 + 1
      guard child < heads.count else { break }
      if child + 1 < heads.count, heads[child + 1].start < heads[child].start { child += 1 }
      guard heads[child].start < head.start else { break }
      heads[index] = heads[child]
      index = child
    }
    heads[index] = head
  }
}
