package import ScrollTraceAnalysis

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
    case comparison(Comparison)
    /// What changes would bring, for each run.
    case predictions([Prediction])
    /// What happened in one frame of each run.
    case frame([Analysis], number: UInt64)
  }

  /// A run with the predicted effect of changes on it.
  package struct Prediction: Sendable {
    package let run: Analysis
    package let report: PredictionReport
  }

  /// The question and its material.
  package let content: Content

  private init(content: Content) {
    self.content = content
  }

  /// A report on `runs` in the order they were given, with the verdict on them if there is one.
  package init(_ runs: [Analysis], verdict: Verdict = .withoutBudget) {
    content = verdict == .withoutBudget ? .runs(runs) : .gate(runs, verdict)
  }

  /// A report on one frame of each of `runs`, or on all of them if `frame` is `nil`.
  package init(_ runs: [Analysis], frame: UInt64?) {
    content = frame.map { .frame(runs, number: $0) } ?? .runs(runs)
  }

  /// A report on the predicted effect of changes on `runs`, in their order.
  package init(_ runs: [Analysis], predictions: [PredictionReport]) {
    content = .predictions(
      zip(runs, predictions).map { Prediction(run: $0, report: $1) })
  }

  /// A report on the differences between two sides.
  package init(_ comparison: Comparison) {
    content = .comparison(comparison)
  }

  // MARK: - Material

  /// One analysis for each trace; those of a comparison are the base's, then the new ones.
  package var runs: [Analysis] {
    switch content {
    case .runs(let runs), .gate(let runs, _), .frame(let runs, _): runs
    case .comparison(let comparison): comparison.base.runs + comparison.new.runs
    case .predictions(let predictions): predictions.map(\.run)
    }
  }

  /// The verdict on the runs; that of no budget if the report is about something else.
  package var verdict: Verdict {
    if case .gate(_, let verdict) = content { verdict } else { .withoutBudget }
  }

  /// The differences between two sides, or `nil` if the report is about something else.
  package var comparison: Comparison? {
    if case .comparison(let comparison) = content { comparison } else { nil }
  }

  /// The predictions in the order of the runs; empty if the report is about something else.
  package var predictions: [PredictionReport] {
    if case .predictions(let predictions) = content { predictions.map(\.report) } else { [] }
  }

  /// The number of the frame that the report is about, or `nil` if it is about all.
  package var frame: UInt64? {
    if case .frame(_, let number) = content { number } else { nil }
  }

  /// The thresholds that all ratios of the report are rated by.
  package var profile: RatingThresholds { runs.first?.options.profile ?? .scroll }
}
