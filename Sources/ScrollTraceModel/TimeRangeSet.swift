/// A set of instants as ascending ranges that neither touch nor overlap.
public struct TimeRangeSet: Hashable, Sendable {
  /// The ranges, ascending, none empty, no two touching.
  public let ranges: [TimeRange]
  /// The length of all ranges before each, and of all.
  private let sums: [Int64]

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
    var sums: [Int64] = [0]
    sums.reserveCapacity(merged.count + 1)
    // The ranges do not overlap, so that their sum fits wherever their ends fit.
    for range in merged { sums.append(sums[sums.count - 1] + range.length.nanoseconds) }
    self.sums = sums
  }

  /// The total length of the ranges.
  public var length: TimeSpan {
    TimeSpan(nanoseconds: sums[ranges.count])
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
    TimeSpan(nanoseconds: covered(before: range.end) - covered(before: range.begin))
  }

  private func covered(before instant: Timestamp) -> Int64 {
    let index = firstIndex(endingAfter: instant)
    guard index < ranges.count, ranges[index].begin < instant else { return sums[index] }
    return sums[index] + (instant - ranges[index].begin).nanoseconds
  }

  /// The instants that both sets hold.
  public func intersection(_ other: TimeRangeSet) -> TimeRangeSet {
    var shared: [TimeRange] = []
    let (few, many) = ranges.count < other.ranges.count ? (self, other) : (other, self)
    for range in few.ranges {
      var index = many.firstIndex(endingAfter: range.begin)
      while index < many.ranges.count, many.ranges[index].begin < range.end {
        shared.append(many.ranges[index].intersection(range))
        index += 1
      }
    }
    return TimeRangeSet(union: shared)
  }

  /// The index of the first range that ends after `instant`; `ranges.count` where none does.
  public func firstIndex(endingAfter instant: Timestamp) -> Int {
    ranges.partitionPoint { $0.end > instant }
  }
}
