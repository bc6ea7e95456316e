/// The samples of a counter over time.
package struct Counter: Sendable {
  package let label: LabelID
  /// The name of one of several series, or empty if the counter has only one.
  package let series: StringID
  /// A number that distinguishes counters of the same name, or 0 if there is only one.
  package let id: UInt64
  /// The time of each sample, ascending, in nanoseconds on the trace's clock.
  package internal(set) var times: [Int64] = []
  package internal(set) var values: [Double] = []
}
