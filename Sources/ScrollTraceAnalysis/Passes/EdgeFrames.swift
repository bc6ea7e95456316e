import ScrollTraceModel

/// The frames that belong to an interaction without being in it (M-5): those that were being made when it
/// started, and those at its end.
///
/// Each counts once: the former at the start of the next interaction, the latter at the last instant of the
/// one that ends.
struct EdgeFrames {
  /// The positions of the frames and the time at which each counts, ascending.
  private let entries: [(time: Timestamp, position: Int)]
  private let times: [Int: Timestamp]

  /// Finds the edge frames among `frames`, which are sorted by time, in the union of the interactions.
  init(of frames: EvaluatedFrames, in time: TimeRangeSet) {
    var entries: [(time: Timestamp, position: Int)] = []
    func add(from end: Timestamp?, to next: Timestamp) {
      let rest = TimeRange(start: end ?? .zero, end: next)
      for frame in frames.slice(in: rest, by: { $0.frame.time }) where frame.motion != nil {
        let isAtEnd = end != nil && frame.frame.time == end
        entries.append((isAtEnd ? rest.start - TimeSpan(nanoseconds: 1) : next, frame.index))
      }
    }
    var end: Timestamp?
    for range in time.ranges {
      add(from: end, to: range.start)
      end = range.end
    }
    if let end { add(from: end, to: end + TimeSpan(nanoseconds: 1)) }
    self.entries = entries
    times = Dictionary(entries.map { ($0.position, $0.time) }) { first, _ in first }
  }

  /// The time at which a frame counts, or `nil` if that is its own time.
  func time(ofFrameAt position: Int) -> Timestamp? { times[position] }

  func positions(in range: TimeRange) -> [Int] {
    entries.slice(in: range) { $0.time }.map(\.position)
  }
}

extension RandomAccessCollection {
  /// The elements with a time in `range`. The collection is sorted by time, and elements without one
  /// are last.
  func slice(in range: TimeRange, by time: (Element) -> Timestamp?) -> SubSequence {
    func firstIndex(notBefore instant: Timestamp) -> Index {
      partitionPoint { time($0).map { $0 >= instant } ?? true }
    }
    return self[firstIndex(notBefore: range.start)..<firstIndex(notBefore: range.end)]
  }
}
