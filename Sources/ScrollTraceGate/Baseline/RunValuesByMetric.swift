package import ScrollTraceAnalysis
import ScrollTraceModel

/// The values of a run by subject and metric, as stored in a baseline.
package struct RunValuesByMetric: Hashable, Sendable {
  /// The path of the trace.
  package let trace: String
  /// The values in the units of the metrics' names, by `MetricSubject.text`, then by the metric's name.
  package let values: [String: [String: Double]]

  package init(trace: String, values: [String: [String: Double]]) {
    self.trace = trace
    self.values = values
  }

  /// Creates the values of `subjects` in `run`.
  package init(of run: Analysis, subjects: [MetricSubject]) {
    var values: [String: [String: Double]] = [:]
    for subject in subjects {
      guard let context = MetricContext(of: subject, in: run) else { continue }
      for metric in Metric.all where metric.isKnown(of: subject) {
        values[subject.text, default: [:]][metric.name] = metric.number(in: context)
      }
    }
    self.init(trace: run.trace.source.path, values: values)
  }

  /// The value of a metric, or `nil` if the run lacks it.
  func value(of metric: Metric, _ subject: MetricSubject) -> Double? {
    values[subject.text]?[metric.name]
  }
}
