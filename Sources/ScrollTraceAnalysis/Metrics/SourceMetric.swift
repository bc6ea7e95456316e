import ScrollTraceModel

/// A number that sources report, for one subject.
package struct SourceMetric {
  /// The maximum number of names in a list.
  private static let mostNames = 6

  private let name: String
  private let source: NamePattern?
  private let higherIsBetter: Bool

  /// Creates the number that `metric` refers to, or returns `nil` if the metric is computed from
  /// frames.
  package init?(_ metric: Metric, _ subject: MetricSubject) {
    guard let name = metric.sourceName else { return nil }
    self.name = name
    higherIsBetter = metric.higherIsBetter
    if case .surface(let pattern) = subject { source = NamePattern(pattern) } else { source = nil }
  }

  /// Returns the worst value of all matching sources in `run`, or `nil` if none reports a single value.
  package func value(in run: Analysis) -> Double? {
    let values = run.trace.aggregates.lazy.filter { aggregate in
      aggregate.metric == name && aggregate.values.count == 1
        && (source?.matches(aggregate.source) ?? true)
    }.map { $0.values[0] }
    return higherIsBetter ? values.min() : values.max()
  }

  /// Lists the numbers that the sources of `runs` report.
  package func known(in runs: [Analysis]) -> String {
    var names: [String] = []
    for aggregate in runs.lazy.flatMap(\.trace.aggregates) where aggregate.values.count == 1 {
      if names.count > Self.mostNames { break }
      if !names.contains(aggregate.metric) { names.append(aggregate.metric) }
    }
    guard !names.isEmpty else { return "the sources report no numbers" }
    let more = names.count > Self.mostNames ? ", …" : ""
    return "there are " + names.prefix(Self.mostNames).joined(separator: ", ") + more
  }
}
