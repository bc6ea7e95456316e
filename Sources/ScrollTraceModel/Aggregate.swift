/// A sum, ratio or percentile that the source reports instead of or in addition to frames (M-2).
package struct Aggregate: Equatable, Sendable {
  /// A stable one-word name, such as `totalFrames`.
  package let metric: String
  /// The unit of the values, such as `frames` or `ms`.
  package let unit: String
  /// One value, or the values of a histogram's buckets in order.
  package let values: [Double]
  /// The object that the number describes, such as a process or window.
  package let source: String

  /// Creates a number that describes `source`.
  package init(_ metric: String, unit: String, values: [Double], source: String) {
    self.metric = metric
    self.unit = unit
    self.values = values
    self.source = source
  }
}

extension TraceBuilder {
  /// Adds a number that the source reports.
  package mutating func addAggregate(_ aggregate: Aggregate) {
    aggregates.append(aggregate)
  }
}
