public import ScrollTraceKit

/// What a budget says of runs, as a test shows it: in one line.
///
/// In `#expect(feed.evaluated(by: .scroll).passed)` the testing library prints that line beside what was
/// expected.
public struct CheckOutcome: Sendable, CustomStringConvertible {
  /// The runs and the verdict on them, for every form a report has.
  public let report: Report
  /// Whether the test passes.
  ///
  /// Doubt and too few runs pass where the judgement is not strict, as they do in `scrolltrace check`.
  /// No data never passes, and lost data only where it is allowed.
  public let passed: Bool

  /// What `budget` says of `runs`.
  init(_ runs: TraceRuns, _ budget: Budget, isStrict: Bool = false, allowsLoss: Bool = false) {
    let analyses = runs.analyses
    report = Report(analyses, verdict: budget.verdict(on: analyses))
    let hasLost = analyses.contains { !$0.trace.losses.isEmpty }
    passed =
      switch report.verdict.status {
      case .pass: !hasLost || allowsLoss
      case .inconclusive, .notEnoughRuns: !isStrict && (!hasLost || allowsLoss)
      case .fail, .notEvaluated: false
      }
  }

  /// What was measured, what it is held against, and what it is due to, in one line.
  public var description: String { report.verdictLine }

  /// Whether there is something to say although the budget is kept: doubt, a limit that only warns, runs
  /// of different sessions, or lost data.
  var hasWarnings: Bool {
    report.verdict.results.contains { $0.status != .pass }
      || report.verdict.notes.contains { $0.level != .note }
      || report.runs.contains { !$0.trace.losses.isEmpty }
  }

  /// The gate's report, and the whole report on the worst run with its graph, without colours.
  var text: String {
    let renderer = TextRenderer()
    let worst = report.worstRun.map { "\n" + renderer.render(Report([$0])) } ?? ""
    return renderer.render(report) + worst
  }

  /// The line with the graph of the worst run below it, for who cannot attach anything.
  var failureMessage: String {
    let graph = report.worstRun.map { TextRenderer().renderGraph(of: $0) } ?? ""
    return graph.isEmpty ? description : "\(description)\n\(graph)"
  }
}
