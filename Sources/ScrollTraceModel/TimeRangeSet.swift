/// A set of instants as ascending ranges that neither touch nor overlap.
public struct TimeRangeSet: Hashable, Sendable {
  /// The ranges, ascending, none empty, no two touching.
  public let ranges: [TimeRange]

  /// The union of `ranges`, which may overlap, touch and come in any order.
  ///
  /// - Parameter joining: ranges closer than this are joined to one, the space between included.
  public init(union ranges: [TimeRange], joining: TimeSpan = .zero) {
    var merged: [TimeRange] = []
    for range in ranges.sorted(by: { ($0.begin, $0.end) < ($1.begin, $1.end) })
    where range.length > .zero {
      if let last = merged.last, range.begin - last.end <= joining {
        merged[merged.count - 1] = TimeRange(begin: last.begin, end: max(last.end, range.end))
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  /// The total length of the ranges.
  public var length: TimeSpan {
    ranges.reduce(into: .zero) { $0 += $1.length }
  }

  /// Whether the set holds no instant.
  public var isEmpty: Bool { ranges.isEmpty }

  /// The index of the range that holds `instant`, `nil` where none does.
  public func index(containing instant: Timestamp) -> Int? {
    let candidate = firstIndex(endingAfter: instant)
    guard candidate < ranges.count, ranges[candidate].begin <= instant else { return nil }
    return candidate
  }

  /// How much of `range` the set covers.
  public func coveredLength(of range: TimeRange) -> TimeSpan {
    var total = TimeSpan.zero
    var index = firstIndex(endingAfter: range.begin)
    while index < ranges.count, ranges[index].begin < range.end {
      total += ranges[index].intersection(range).length
      index += 1
    }
    return total
  }

  /// The instants that both sets hold.
  public func intersection(_ other: TimeRangeSet) -> TimeRangeSet {
    var shared: [TimeRange] = []
    var (mine, theirs) = (0, 0)
    while mine < ranges.count, theirs < other.ranges.count {
      shared.append(ranges[mine].intersection(other.ranges[theirs]))
      if ranges[mine].end < other.ranges[theirs].end {
        mine += 1
      } else {
        theirs += 1
      }
    }
    return TimeRangeSet(union: shared)
  }

  /// The index of the first range that ends after `instant`; `ranges.count` where none does.
  public func firstIndex(endingAfter instant: Timestamp) -> Int {
    ranges.partitionPoint { $0.end > instant }
  }
}
