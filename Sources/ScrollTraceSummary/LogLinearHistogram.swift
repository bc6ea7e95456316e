/// Counts of durations in buckets whose width grows with the duration.
///
/// A power of two has 8 buckets (3 sub-bucket bits), so that a value differs from its bucket's middle
/// by at most 1/16. Values below 16 ns have a bucket each. All histograms have the same buckets, so
/// that sums are exact.
package struct LogLinearHistogram: Hashable, Sendable {
  /// The number of bits that divide a power of two into buckets.
  package static let subBucketBits = 3
  /// The number of buckets that values up to 2⁶³ − 1 have.
  package static let bucketCount = 488

  /// The buckets with a count, ascending.
  package private(set) var buckets: [Int] = []
  /// The counts of those buckets, all greater than zero.
  package private(set) var counts: [WideInteger] = []

  package init() {}

  /// Creates a histogram, or returns `nil` if `buckets` are not ascending buckets with one count each.
  package init?(buckets: [Int], counts: [WideInteger]) {
    guard buckets.count == counts.count, counts.allSatisfy({ $0 > 0 && $0 <= .maximumInSummary }),
      buckets.allSatisfy({ (0..<Self.bucketCount).contains($0) }),
      zip(buckets, buckets.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.buckets = buckets
    self.counts = counts
  }

  /// Returns the bucket of a duration in nanoseconds; negative ones have that of zero.
  package static func bucket(of value: Int64) -> Int {
    guard value > 0 else { return 0 }
    let shift = max(0, 60 - value.leadingZeroBitCount)
    return shift << subBucketBits + Int(truncatingIfNeeded: value >> Int64(shift))
  }

  /// Returns the least duration of a bucket, in nanoseconds.
  package static func lowerBound(of bucket: Int) -> Int64 {
    let shift = max(0, bucket >> subBucketBits - 1)
    return Int64(bucket - shift << subBucketBits) << Int64(shift)
  }

  /// Counts a duration in nanoseconds.
  package mutating func count(_ value: Int64) {
    add(1, to: Self.bucket(of: value))
  }

  /// Adds the counts of another histogram.
  package mutating func add(_ other: LogLinearHistogram) {
    guard !buckets.isEmpty else {
      self = other
      return
    }
    for (bucket, count) in zip(other.buckets, other.counts) { add(count, to: bucket) }
  }

  mutating func multiply(by weight: Int64) {
    for index in counts.indices { counts[index] = counts[index].timesUpToMost(weight) }
  }

  private mutating func add(_ count: WideInteger, to bucket: Int) {
    var (low, high) = (0, buckets.count)
    while low < high {
      let middle = (low + high) / 2
      if buckets[middle] < bucket { low = middle + 1 } else { high = middle }
    }
    if low < buckets.count, buckets[low] == bucket {
      counts[low].addUpToMost(count)
    } else {
      buckets.insert(bucket, at: low)
      counts.insert(count, at: low)
    }
  }

  /// The number of counted values.
  package var total: WideInteger {
    counts.reduce(into: 0) { $0.addUpToMost($1) }
  }

  /// Returns the middle of the bucket of a percentile in nanoseconds, or `nil` without values.
  ///
  /// The percentile is the value with the rank ⌈share × n⌉.
  ///
  /// - Parameter perMille: The share of values that are not greater, in thousandths.
  package func percentile(_ perMille: WideInteger) -> Int64? {
    let all = total
    guard all > 0 else { return nil }
    let rank = max(1, (all * perMille + 999) / 1000)
    var seen: WideInteger = 0
    for (bucket, count) in zip(buckets, counts) {
      seen += count
      if seen >= rank { return Self.middle(of: bucket) }
    }
    return buckets.last.map(Self.middle)
  }

  /// Returns the middle of a bucket, in nanoseconds.
  package static func middle(of bucket: Int) -> Int64 {
    let shift = Int64(max(0, bucket >> subBucketBits - 1))
    return lowerBound(of: bucket) + (1 << shift) / 2
  }
}

extension WideInteger {
  /// Returns the product of two numbers that are not negative, but not beyond the largest one.
  package func timesUpToMost(_ other: Int64) -> WideInteger {
    guard other > 0 else { return 0 }
    return self > .maximumInSummary / other ? .maximumInSummary : self * WideInteger(other)
  }
}
