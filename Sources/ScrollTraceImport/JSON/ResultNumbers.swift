import ScrollTraceModel

/// The numbers in a file of results, until it is read completely.
struct ResultNumbers {
  /// More than any file contains that a person reads.
  private static let maximumCount = 10_000

  private(set) var all: [Aggregate] = []
  private var leftOutCount: UInt64 = 0
  /// The number of invalid values.
  var invalidCount: UInt64 = 0

  /// Adds a number of `source` with one or more values, or nothing if there is none.
  mutating func add(_ metric: String, _ unit: String, _ values: [Double], of source: String) {
    guard !values.isEmpty else { return }
    guard all.count < Self.maximumCount else { return leftOutCount += 1 }
    all.append(Aggregate(metric, unit: unit, values: values, source: source))
  }

  /// Adds a number of `source` with one value, if it exists.
  mutating func add(_ metric: String, _ unit: String, _ value: Double?, of source: String) {
    if let value, value.isFinite { add(metric, unit, [value], of: source) }
  }

  /// Adds all numbers to `builder` and counts omitted ones.
  func finish(in builder: inout TraceBuilder) {
    for aggregate in all { builder.addAggregate(aggregate) }
    builder.countLoss(.limitReached, count: leftOutCount)
    builder.countLoss(.invalidValue, count: invalidCount)
  }
}

extension [Double] {
  /// The arithmetic mean, or `nil` if empty.
  var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

  /// Returns the linearly interpolated percentile `percent` (M-8) of ascending values, or `nil` if
  /// empty.
  func percentile(_ percent: Double) -> Double? {
    guard let last = indices.last else { return nil }
    let place = percent / 100 * Double(last)
    guard place >= 0, place <= Double(last) else { return nil }
    let below = Int(place)
    let above = Swift.min(below + 1, last)
    return self[below] + (self[above] - self[below]) * (place - Double(below))
  }
}
