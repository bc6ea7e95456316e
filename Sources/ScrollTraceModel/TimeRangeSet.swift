/// A set of times, as ascending ranges that neither touch nor overlap.
package struct TimeRangeSet: Equatable, Sendable {
  /// The ranges, ascending, none empty and no two touching.
  package let ranges: [TimeRange]
  /// The total length of the ranges before each range, and of all ranges.
  private let sums: [Int64]

  /// Creates the union of `ranges`, which may overlap, touch and be in any order.
  ///
  /// - Parameter joining: The distance below which ranges are joined, including the space between
  ///   them.
  package init(union ranges: [TimeRange], joining: TimeSpan = .zero) {
    // Most are their own union, of which no copy is needed.
    let union = Self.areUnion(ranges, joining) ? ranges : Self.merged(ranges, joining)
    var sums: [Int64] = [0]
    sums.reserveCapacity(union.count + 1)
    // The ranges do not overlap, so their sum fits if their ends do.
    for range in union { sums.append(sums[sums.count - 1] + range.length.nanoseconds) }
    (self.ranges, self.sums) = (union, sums)
  }

  /// Returns whether ranges are ascending, and further apart than `joining`.
  private static func areUnion(_ ranges: [TimeRange], _ joining: TimeSpan) -> Bool {
    guard joining >= .zero, ranges.allSatisfy({ $0.length > .zero }) else { return false }
    return zip(ranges, ranges.dropFirst()).allSatisfy {
      $1.start > $0.end && $1.start - $0.end > joining
    }
  }

  private static func merged(_ ranges: [TimeRange], _ joining: TimeSpan) -> [TimeRange] {
    var merged: [TimeRange] = []
    for range in ranges.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) })
    where range.length > .zero {
      if let last = merged.last, range.start - last.end <= joining {
        merged[merged.count - 1] = TimeRange(start: last.start, end: max(last.end, range.end))
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  package var length: TimeSpan {
    TimeSpan(nanoseconds: sums[ranges.count])
  }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The index of the range that contains `instant`, or `nil` if none does.
  package func index(containing instant: Timestamp) -> Int? {
    let candidate = firstIndex(endingAfter: instant)
    guard candidate < ranges.count, ranges[candidate].start <= instant else { return nil }
    return candidate
  }

  /// Returns the length of the part of `range` that the set covers.
  package func coveredLength(of range: TimeRange) -> TimeSpan {
    TimeSpan(nanoseconds: covered(before: range.end) - covered(before: range.start))
  }

  private func covered(before instant: Timestamp) -> Int64 {
    let index = firstIndex(endingAfter: instant)
    guard index < ranges.count, ranges[index].start < instant else { return sums[index] }
    return sums[index] + (instant - ranges[index].start).nanoseconds
  }

  /// Returns the times that both sets contain.
  package func intersection(_ other: TimeRangeSet) -> TimeRangeSet {
    var shared: [TimeRange] = []
    let (few, many) = ranges.count < other.ranges.count ? (self, other) : (other, self)
    for range in few.ranges {
      var index = many.firstIndex(endingAfter: range.start)
      while index < many.ranges.count, many.ranges[index].start < range.end {
        shared.append(many.ranges[index].intersection(range))
        index += 1
      }
    }
    return TimeRangeSet(union: shared)
  }

  /// The index of the first range that ends after `instant`, or `ranges.count` if none does.
  package func firstIndex(endingAfter instant: Timestamp) -> Int {
    ranges.partitionPoint { $0.end > instant }
  }
}
