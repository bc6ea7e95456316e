package import ScrollTraceModel

extension Percentiles {
  /// Creates the percentiles of `values`, or returns `nil` if there are none.
  ///
  /// They are interpolated linearly between the closest ranks at p * (N - 1), Hyndman and Fan's
  /// type 7 (M-8), as in NumPy and Perfetto, and rounded to the nearest nanosecond, halves up.
  package init?(of values: consuming [TimeSpan]) {
    var ranked = RankedValues(values)
    guard let greatest = ranked.greatest else { return nil }
    count = ranked.count
    p50 = Self.percentile(50, of: &ranked)
    p90 = Self.percentile(90, of: &ranked)
    p95 = Self.percentile(95, of: &ranked)
    p99 = Self.percentile(99, of: &ranked)
    max = greatest
  }

  /// Returns a percentile of `values`, which must not be empty.
  static func percentile(_ percent: Int, of values: inout RankedValues<TimeSpan>) -> TimeSpan {
    let (whole, rest) = (percent * (values.count - 1)).quotientAndRemainder(dividingBy: 100)
    let low = values.value(ofRank: whole)
    guard rest > 0 else { return low }
    let step = values.value(ofRank: whole + 1) - low
    // step * rest / 100 without overflow: first the hundreds, then the rest.
    let (hundreds, units) = step.nanoseconds.quotientAndRemainder(dividingBy: 100)
    let part = hundreds * Int64(rest) + (units * Int64(rest) + 50) / 100
    return low + TimeSpan(nanoseconds: part)
  }
}

/// Values of which a few are read by rank, without sorting all of them.
struct RankedValues<Value: Comparable> {
  private var values: [Value]
  /// The ranks whose values are in place, ascending.
  private var known: [Int] = []
  /// The number of comparisons after which sorting is cheaper. Malicious values could make them
  /// quadratic.
  private var budget: Int

  init(_ values: consuming [Value]) {
    budget = values.count * 12
    self.values = values
  }

  var count: Int { values.count }

  var greatest: Value? { values.max() }

  /// Returns the greatest values, descending.
  mutating func greatest(_ count: Int) -> [Value] {
    guard count > 0 else { return [] }
    _ = value(ofRank: self.count - count)
    return values.suffix(count).sorted(by: >)
  }

  /// Returns the value of a rank, 0 for the smallest.
  mutating func value(ofRank rank: Int) -> Value {
    // Known ranks partition the values: none before is greater, and none after is smaller.
    var low = (known.last { $0 <= rank } ?? -1) + 1
    var high = (known.first { $0 >= rank } ?? count) - 1
    if low > rank || high < rank { return values[rank] }
    while low < high {
      budget -= high - low
      guard budget > 0 else {
        values[low...high].sort()
        break
      }
      let (left, right) = part(low, high)
      if rank <= left {
        high = left
      } else if rank >= right {
        low = right
      } else {
        break
      }
    }
    known.insert(rank, at: known.firstIndex { $0 > rank } ?? known.count)
    return values[rank]
  }

  /// Moves the smaller values between `low` and `high` to the front, and returns the end of the
  /// front and the start of the back. Values between them are in place.
  private mutating func part(_ low: Int, _ high: Int) -> (left: Int, right: Int) {
    values.withUnsafeMutableBufferPointer { values in
      let (first, middle, last) = (values[low], values[low + (high - low) / 2], values[high])
      // The median of the three.
      let pivot = max(min(first, middle), min(max(first, middle), last))
      var (left, right) = (low, high)
      while left <= right {
        while values[left] < pivot { left += 1 }
        while values[right] > pivot { right -= 1 }
        if left <= right {
          values.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      return (right, left)
    }
  }
}
