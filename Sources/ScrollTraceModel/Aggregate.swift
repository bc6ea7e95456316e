/// A sum, ratio or percentile that the source tells itself, instead of frames or beside them (M-2).
package struct Aggregate: Hashable, Sendable {
  /// What it is, in one word that stays the same from version to version, such as `totalFrames`.
  package let metric: String
  /// The unit of the values, such as `frames` or `ms`.
  package let unit: String
  /// One value, or those of a histogram's buckets in order.
  package let values: [Double]
  /// Of what the source tells it: a process, a window.
  package let source: String

  /// A number that the source tells of `source`.
  package init(_ metric: String, unit: String, values: [Double], source: String) {
    self.metric = metric
    self.unit = unit
    self.values = values
    self.source = source
  }
}

extension TraceBuilder {
  /// Adds a number that the source tells itself.
  package mutating func addAggregate(_ aggregate: Aggregate) {
    aggregates.append(aggregate)
  }
}
