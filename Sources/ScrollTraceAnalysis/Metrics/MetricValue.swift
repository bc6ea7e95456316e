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
    switch (self, other) {
    case (.time(let left), .time(let right)): .time(left - right)
    case (.count(let left), .count(let right)): .count(left - right)
    case (.share(let left), .share(let right)): .share(left - right)
    case (.factor(let left), .factor(let right)): .factor(left - right)
    case (.millisecondsPerSecond(let left), .millisecondsPerSecond(let right)):
      .millisecondsPerSecond(left - right)
    case (.perSecond(let left), .perSecond(let right)): .perSecond(left - right)
    default: nil
    }
  }

  /// Returns `self / other`, or `nil` if the units differ or are shares.
  func divided(by other: MetricValue) -> Double? {
    switch (self, other) {
    case (.time(let left), .time(let right)):
      Double(left.nanoseconds) / Double(right.nanoseconds)
    case (.count(let left), .count(let right)), (.factor(let left), .factor(let right)),
      (.millisecondsPerSecond(let left), .millisecondsPerSecond(let right)),
      (.perSecond(let left), .perSecond(let right)):
      left / right
    default: nil
    }
  }

  /// -1, 0 or 1 if the number is below, at or above zero.
  package var sign: Int {
    switch self {
    case .time(let span): Int(span.nanoseconds.signum())
    case .count(let value), .share(let value), .factor(let value),
      .millisecondsPerSecond(let value), .perSecond(let value):
      value < 0 ? -1 : value > 0 ? 1 : 0
    }
  }

  package var time: TimeSpan? {
    if case .time(let span) = self { span } else { nil }
  }

  /// The median of one value for each run, by the rule of all percentiles (M-8), or `nil` without
  /// values.
  static func median(of values: [MetricValue]) -> MetricValue? {
    guard let first = values.first else { return nil }
    switch first {
    case .time: return Percentiles(of: values.compactMap(\.time)).map { .time($0.p50) }
    case .count: return median(of: values, MetricValue.count)
    case .share: return median(of: values, MetricValue.share)
    case .factor: return median(of: values, MetricValue.factor)
    case .millisecondsPerSecond: return median(of: values, MetricValue.millisecondsPerSecond)
    case .perSecond: return median(of: values, MetricValue.perSecond)
    }
  }

  private static func median(
    of values: [MetricValue], _ make: (Double) -> MetricValue
  ) -> MetricValue? {
    let numbers = values.map(\.number).sorted()
    guard !numbers.isEmpty else { return nil }
    let (low, high) = (numbers[(numbers.count - 1) / 2], numbers[numbers.count / 2])
    return make(low == high ? low : (low + high) / 2)
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
