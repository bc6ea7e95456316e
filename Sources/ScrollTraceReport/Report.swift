public import ScrollTraceAnalysis
public import ScrollTraceGate
package import ScrollTracePrediction

/// What is to be said: the runs that were analyzed and the verdict on them.
///
/// Renderers turn a report into text, JSON and other forms; they choose the layout, never facts.
public struct Report: Sendable {
  /// One analysis for each trace, in the order they were given, with ranked findings.
  public let runs: [Analysis]
  /// The predictions that rank the findings of each run.
  package let rankings: [[Prediction]]
  /// What the budget says of them.
  public let verdict: Verdict
  /// What differs between two sides of the runs; `nil` where they were not compared.
  package let comparison: Comparison?
  /// What would come of each run under changes, in the order of the runs; empty where nobody asked.
  package let predictions: [PredictionReport]

  /// A report on `runs`.
  public init(_ runs: [Analysis], verdict: Verdict = .withoutBudget) {
    (self.runs, rankings) = Self.ranked(runs)
    self.verdict = verdict
    comparison = nil
    predictions = []
  }

  /// A report on the predicted effect of changes, one run for each of `predictions`.
  package init(predictions: [PredictionReport]) {
    runs = predictions.map(\.ranking.analysis)
    rankings = predictions.map(\.ranking.predictions)
    verdict = .withoutBudget
    comparison = nil
    self.predictions = predictions
  }

  /// A report on what differs between two sides; its runs are those of the base, then the new ones.
  package init(_ comparison: Comparison) {
    (runs, rankings) = Self.ranked(comparison.base.runs + comparison.new.runs)
    verdict = .withoutBudget
    self.comparison = comparison
    predictions = []
  }

  /// Ranks the findings of each run: the one place where reports predict.
  private static func ranked(_ runs: [Analysis]) -> ([Analysis], [[Prediction]]) {
    let rankings = runs.map { PredictionRanking(of: $0) }
    return (rankings.map(\.analysis), rankings.map(\.predictions))
  }

  /// The bands that all ratios of the report are sorted into.
  package var profile: RatingThresholds { runs.first?.options.thresholds ?? .scroll }
}
