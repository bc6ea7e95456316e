public import ScrollTraceAnalysis
public import ScrollTraceGate

/// What is to be said: the runs that were analyzed and the verdict on them.
///
/// Renderers turn a report into text, JSON and other forms; they choose the layout, never facts.
public struct Report: Sendable {
  /// One analysis for each trace, in the order they were given.
  public let runs: [Analysis]
  /// What the budget says of them.
  public let verdict: Verdict
  /// What differs between two sides of the runs; `nil` where they were not compared.
  package let comparison: Comparison?
  /// What would come of each run under changes, in the order of the runs; empty where nobody asked.
  package let predictions: [PredictionReport]

  /// A report on `runs`.
  public init(_ runs: [Analysis], verdict: Verdict = .withoutBudget) {
    self.runs = runs
    self.verdict = verdict
    comparison = nil
    predictions = []
  }

  /// A report on what would come of `runs` under changes, predicted for each of them.
  package init(_ runs: [Analysis], predictions: [PredictionReport]) {
    self.runs = runs
    verdict = .withoutBudget
    comparison = nil
    self.predictions = predictions
  }

  /// A report on what differs between two sides; its runs are those of the base, then the new ones.
  package init(_ comparison: Comparison) {
    runs = comparison.base.runs + comparison.new.runs
    verdict = .withoutBudget
    self.comparison = comparison
    predictions = []
  }

  /// The bands that all ratios of the report are sorted into.
  package var profile: RatingThresholds { runs.first?.options.thresholds ?? .scroll }
}
