public import ScrollTraceModel

extension Percentiles {
  /// The percentiles of `values`, `nil` where there are none.
  ///
  /// Linear interpolation between closest ranks at p * (N - 1), Hyndman and Fan's type 7 (M-8), as
  /// in NumPy and Perfetto; the result is rounded to the nearest nanosecond, halves up.
  public init?(of values: [TimeSpan]) {
    let sorted = values.map(\.nanoseconds).sorted()
    guard let last = sorted.last else { return nil }
    count = sorted.count
    p50 = Self.percentile(50, of: sorted)
    p90 = Self.percentile(90, of: sorted)
    p95 = Self.percentile(95, of: sorted)
    p99 = Self.percentile(99, of: sorted)
    max = TimeSpan(nanoseconds: last)
  }

  /// The percentile `percent` of ascending, non-empty `values`.
  static func percentile(_ percent: Int, of values: [Int64]) -> TimeSpan {
    let (whole, rest) = (percent * (values.count - 1)).quotientAndRemainder(dividingBy: 100)
    let low = TimeSpan(nanoseconds: values[whole])
    guard rest > 0 else { return low }
    let step = TimeSpan(nanoseconds: values[whole + 1]) - low
    // step * rest / 100 without overflow: hundreds first, then what is left of them.
    let (hundreds, units) = step.nanoseconds.quotientAndRemainder(dividingBy: 100)
    let part = hundreds * Int64(rest) + (units * Int64(rest) + 50) / 100
    return low + TimeSpan(nanoseconds: part)
  }
}
