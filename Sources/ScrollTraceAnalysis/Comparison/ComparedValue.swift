import ScrollTraceModel

/// One number on both sides of a comparison. What a side does not know is `nil`, never zero.
package struct ComparedValue: Hashable, Sendable {
  /// The base's; over several runs their median.
  package let base: MetricValue?
  /// The new one's; over several runs their median.
  package let new: MetricValue?

  /// A number of both sides.
  package init(base: MetricValue?, new: MetricValue?) {
    self.base = base
    self.new = new
  }

  /// New minus base, or `nil` if a side does not know it.
  package var difference: MetricValue? {
    guard let base, let new else { return nil }
    return new.minus(base)
  }

  /// The difference as a part of the base, or `nil` if the base is not above zero or the new
  /// side below, and for shares, whose difference is a part already.
  package var relativeDifference: Double? {
    guard let base, base.sign > 0, let new, new.sign >= 0, let difference else { return nil }
    return difference.divided(by: base)
  }

  /// Whether both sides say the same, also where both do not know.
  package var isSame: Bool { base == new }

  /// The difference where it is one of time, and zero where it is not known.
  var timeDifference: TimeSpan { difference?.time ?? .zero }

  /// The sums of times; `nil` for a side of which none is known.
  static func sum(_ values: [ComparedValue]) -> ComparedValue {
    func sum(_ values: [MetricValue?]) -> MetricValue? {
      let times = values.compactMap { $0?.time }
      return times.isEmpty ? nil : .time(times.reduce(.zero, +))
    }
    return ComparedValue(base: sum(values.map(\.base)), new: sum(values.map(\.new)))
  }
}
