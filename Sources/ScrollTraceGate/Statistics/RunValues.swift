import ScrollTraceLayout

/// The values of a side's runs, sorted.
struct RunValues {
  /// The values, ascending and never empty.
  let sorted: [Double]

  /// Creates the values from the finite ones, or `nil` if there is none.
  init?(_ values: [Double]) {
    let finite = values.filter(\.isFinite).sorted()
    guard !finite.isEmpty else { return nil }
    sorted = finite
  }

  var count: Int { sorted.count }

  /// Whether all values are equal, so that every resample is the same.
  var isConstant: Bool { sorted[0] == sorted[count - 1] }

  /// The minimum and the maximum, or `nil` for fewer than two values.
  var range: ClosedRange<Double>? { count > 1 ? sorted[0]...sorted[count - 1] : nil }

  /// The median: the middle value, or the mean of the two middle values.
  var median: Double {
    Self.middle(sorted[(count - 1) / 2], sorted[count / 2])
  }

  /// Returns the median of a resample with as many values, drawn with replacement.
  ///
  /// - Parameter counts: Room for the number of times that each value is drawn.
  func resampledMedian(_ numbers: inout SeededGenerator, counts: inout [Int]) -> Double {
    for index in counts.indices { counts[index] = 0 }
    for _ in 0..<count { counts[numbers.next(below: count)] += 1 }
    var (index, seen) = (0, counts[0])
    func advance(to rank: Int) -> Double {
      while seen <= rank {
        index += 1
        seen += counts[index]
      }
      return sorted[index]
    }
    let low = advance(to: (count - 1) / 2)
    return Self.middle(low, advance(to: count / 2))
  }

  /// The percentile `part`, interpolated at part · (N − 1) (M-8).
  func percentile(_ part: Double) -> Double {
    let rank = part * Double(count - 1)
    let low = min(max(0, Int(exactly: rank.rounded(.down)) ?? 0), count - 1)
    let high = min(low + 1, count - 1)
    let fraction = rank - Double(low)
    return sorted[low] == sorted[high]
      ? sorted[low] : sorted[low] * (1 - fraction) + sorted[high] * fraction
  }

  private static func middle(_ low: Double, _ high: Double) -> Double {
    low == high ? low : low / 2 + high / 2
  }
}
