package import ScrollTraceModel

/// A value of a metric with its unit.
package enum MetricValue: Equatable, Sendable {
  case time(TimeSpan)
  /// A count. The median of an even number of runs can be between two whole numbers.
  case count(Double)
  /// A part of a whole, 0 to 1.
  case share(Double)
  case factor(Double)
  case millisecondsPerSecond(Double)
  case perSecond(Double)

  /// Returns `self - other`, or `nil` if the units differ.
  package func minus(_ other: MetricValue) -> MetricValue? {
    if let left = time, let right = other.time { return .time(left - right) }
    return hasUnit(of: other) ? with(number - other.number) : nil
  }

  /// Returns `self / other`, or `nil` if the units differ or are shares.
  func divided(by other: MetricValue) -> Double? {
    if case .share = self { return nil }
    return hasUnit(of: other) ? number / other.number : nil
  }

  private func hasUnit(of other: MetricValue) -> Bool { with(0) == other.with(0) }

  /// Returns another number of the same unit, or `nil` for a time.
  private func with(_ number: Double) -> MetricValue? {
    switch self {
    case .time: nil
    case .count: .count(number)
    case .share: .share(number)
    case .factor: .factor(number)
    case .millisecondsPerSecond: .millisecondsPerSecond(number)
    case .perSecond: .perSecond(number)
    }
  }

  /// -1, 0 or 1 if the number is below, at or above zero.
  package var sign: Int { number < 0 ? -1 : number > 0 ? 1 : 0 }

  package var time: TimeSpan? {
    if case .time(let span) = self { span } else { nil }
  }

  /// The median of one value for each run, by the rule of all percentiles (M-8), or `nil` without
  /// values.
  static func median(of values: [MetricValue]) -> MetricValue? {
    guard let first = values.first else { return nil }
    if case .time = first {
      return Percentiles(of: values.compactMap(\.time)).map { .time($0.p50) }
    }
    let numbers = values.map(\.number).sorted()
    let (low, high) = (numbers[(numbers.count - 1) / 2], numbers[numbers.count / 2])
    return first.with(low == high ? low : (low + high) / 2)
  }

  /// The value in the metric's unit. Times are in nanoseconds.
  package var number: Double {
    switch self {
    case .time(let span): Double(span.nanoseconds)
    case .count(let value), .share(let value), .factor(let value),
      .millisecondsPerSecond(let value), .perSecond(let value):
      value
    }
  }
}
