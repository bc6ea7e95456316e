import ScrollTraceModel

/// A value on both sides of a comparison. An unknown value is `nil`, never zero.
package struct ComparedValue: Equatable, Sendable {
  /// The value of the base: the median of several runs.
  package let base: MetricValue?
  /// The value of the new side: the median of several runs.
  package let new: MetricValue?

  package init(base: MetricValue?, new: MetricValue?) {
    self.base = base
    self.new = new
  }

  /// New minus base, or `nil` if one of them is unknown.
  package var difference: MetricValue? {
    guard let base, let new else { return nil }
    return new.minus(base)
  }

  /// The difference relative to the base, or `nil` if the base is not above zero or the new value
  /// is below zero. Shares have none, because their difference is already a share.
  package var relativeDifference: Double? {
    guard let base, base.sign > 0, let new, new.sign >= 0, let difference else { return nil }
    return difference.divided(by: base)
  }

  /// A Boolean value indicating whether both sides are equal or both unknown.
  package var isSame: Bool { base == new }

  /// The difference of times, or zero if unknown.
  var timeDifference: TimeSpan { difference?.time ?? .zero }

  /// The sums of times, `nil` for a side without any known value.
  static func sum(_ values: [ComparedValue]) -> ComparedValue {
    func sum(_ values: [MetricValue?]) -> MetricValue? {
      let times = values.compactMap { $0?.time }
      return times.isEmpty ? nil : .time(times.reduce(.zero, +))
    }
    return ComparedValue(base: sum(values.map(\.base)), new: sum(values.map(\.new)))
  }
}
