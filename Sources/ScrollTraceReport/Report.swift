public import ScrollTraceAnalysis
public import ScrollTraceGate
package import ScrollTraceSummary

/// A report to render: what was analyzed, and the question it answers.
///
/// Renderers turn a report into text, JSON and other forms; they choose the layout, never facts.
public struct Report: Sendable {
  /// The question that a report answers, with the material for the answer.
  package enum Content: Sendable {
    /// How smoothly each run went.
    case runs([Analysis])
    /// Whether the runs pass a gate.
    case gate([Analysis], Verdict)
    /// What differs between two sides.
    case comparison(Comparison, Verdict)
    /// The hitch time that each run loses without each of its causes.
    case predictions([PredictionReport])
    /// What happened in one frame of each run.
    case frame([Analysis], number: UInt64)
    /// How smoothly many traces went in sum.
    case summary(TraceSummary, RatingThresholds)
    /// How a value of many traces changed.
    case trend(Trend)
  }

  package let content: Content

  /// A report on `runs` in the order they were given, with the verdict on them if there is one.
  public init(_ runs: [Analysis], verdict: Verdict = .withoutBudget) {
    content = verdict == .withoutBudget ? .runs(runs) : .gate(runs, verdict)
  }

  /// A report on one frame of each of `runs`, or on all of them if `frame` is `nil`.
  package init(_ runs: [Analysis], frame: UInt64?) {
    content = frame.map { .frame(runs, number: $0) } ?? .runs(runs)
  }

  package init(_ summary: TraceSummary, thresholds: RatingThresholds) {
    content = .summary(summary, thresholds)
  }

  package init(_ trend: Trend) {
    content = .trend(trend)
  }

  package init(predictions: [PredictionReport]) {
    content = .predictions(predictions)
  }

  package init(_ comparison: Comparison, verdict: Verdict) {
    content = .comparison(comparison, verdict)
  }

  // MARK: - Material

  /// One analysis for each trace; those of a comparison are the base's, then the new ones.
  package var runs: [Analysis] {
    switch content {
    case .runs(let runs), .gate(let runs, _), .frame(let runs, _): runs
    case .comparison(let comparison, _): comparison.base.runs + comparison.new.runs
    case .predictions(let predictions): predictions.map(\.analysis)
    case .summary, .trend: []
    }
  }

  /// The verdict on the runs; that of no budget if the report is about something else.
  public var verdict: Verdict {
    switch content {
    case .gate(_, let verdict), .comparison(_, let verdict): verdict
    default: .withoutBudget
    }
  }

  /// The differences between two sides, or `nil` if the report is about something else.
  package var comparison: Comparison? {
    if case .comparison(let comparison, _) = content { comparison } else { nil }
  }

  /// The predictions in the order of the runs; empty if the report is about something else.
  package var predictions: [PredictionReport] {
    if case .predictions(let predictions) = content { predictions } else { [] }
  }

  /// The number of the frame that the report is about, or `nil` if it is about all.
  package var frame: UInt64? {
    if case .frame(_, let number) = content { number } else { nil }
  }

  package var thresholds: RatingThresholds {
    if case .summary(_, let thresholds) = content { return thresholds }
    if case .trend(let trend) = content { return trend.query.thresholds }
    return runs.first?.options.thresholds ?? .scroll
  }
}
