/// The samples of a counter over time. ``Trace/name(of:)`` returns its name.
public struct Counter: Sendable {
  /// A value at a point in time.
  public struct Sample: Hashable, Sendable {
    /// The time from which the value holds.
    public let time: Timestamp
    /// The value, in a unit that only the source knows.
    public let value: Double
  }

  package let label: LabelID
  /// The name of one of several series, or empty if the counter has only one.
  package let series: StringID
  /// A number that distinguishes counters of the same name, or 0 if there is only one.
  package let id: UInt64
  /// The time of each sample, ascending, in nanoseconds on the trace's clock.
  package private(set) var times: [Int64] = []
  package private(set) var values: [Double] = []

  /// The samples, sorted by time.
  public var samples: some RandomAccessCollection<Sample> {
    times.indices.lazy.map { Sample(time: Timestamp(clamping: times[$0]), value: values[$0]) }
  }

  func sorted() -> Counter {
    let order = Array(times.indices).stablySorted { times[$0] }
    var copy = self
    copy.times = order.map { times[$0] }
    copy.values = order.map { values[$0] }
    return copy
  }

  /// Keeps only the samples whose time satisfies `isKept`.
  mutating func keep(_ isKept: (Int64) -> Bool) {
    let kept = times.indices.filter { isKept(times[$0]) }
    guard kept.count < times.count else { return }
    (times, values) = (kept.map { times[$0] }, kept.map { values[$0] })
  }

  mutating func append(_ value: Double, at time: Int64) {
    times.append(time)
    values.append(value)
  }
}
