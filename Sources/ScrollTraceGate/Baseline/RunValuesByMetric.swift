package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The values of a run by subject and metric, as stored in a baseline.
package struct RunValuesByMetric: Hashable, Sendable {
  package let trace: String
  /// The values in the units of the metrics' names, by `MetricSubject.text`, then by the metric's name.
  package let values: [String: [String: Double]]
  /// The best values that free cores could have given (M-21), where they are others; `nil` if unknown.
  package let valuesWithoutLoad: [String: [String: Double?]]
  /// The main-thread work and waits that take most time, or `nil` if unknown.
  package let work: [WorkCost]?
  /// The measured time that is left of a run that lost data, or `nil` if it lost none.
  package let lengthAfterLoss: TimeSpan?

  package init(
    trace: String, values: [String: [String: Double]],
    valuesWithoutLoad: [String: [String: Double?]] = [:], work: [WorkCost]? = nil,
    lengthAfterLoss: TimeSpan? = nil
  ) {
    self.work = work
    self.lengthAfterLoss = lengthAfterLoss
    self.trace = trace
    self.values = values
    self.valuesWithoutLoad = valuesWithoutLoad
  }

  package init(of run: Analysis, subjects: [MetricSubject]) {
    var values: [String: [String: Double]] = [:]
    var best: [String: [String: Double?]] = [:]
    for subject in subjects {
      guard let context = MetricContext(of: subject, in: run) else { continue }
      for metric in Metric.all where metric.isKnown(of: subject) {
        guard let value = metric.number(in: context) else { continue }
        values[subject.text, default: [:]][metric.name] = value
        let minimum = metric.numberWithoutLoad(in: context)
        if minimum != value { best[subject.text, default: [:]][metric.name] = .some(minimum) }
      }
    }
    self.init(
      trace: run.trace.source.path, values: values, valuesWithoutLoad: best,
      work: run.work.largest, lengthAfterLoss: run.lengthAfterLoss)
  }

  /// The best value of a metric that free cores could have given, or `nil` if the run lacks it.
  func valueWithoutLoad(of metric: Metric, _ subject: MetricSubject) -> Double? {
    guard let best = valuesWithoutLoad[subject.text]?[metric.name] else {
      return value(of: metric, subject)
    }
    return best ?? Metric.unboundedBest(metric)
  }

  /// The value of a metric, or `nil` if the run lacks it.
  func value(of metric: Metric, _ subject: MetricSubject) -> Double? {
    values[subject.text]?[metric.name]
  }
}

extension Analysis {
  /// The measured time that is left after a loss of data, or `nil` if none was lost.
  var lengthAfterLoss: TimeSpan? {
    trace.losses.isEmpty ? nil : evaluatedPrimarySurface?.measuredTime.duration
  }
}
