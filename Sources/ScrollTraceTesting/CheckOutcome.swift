public import ScrollTraceKit
public import Testing

/// The outcome of checking runs against a budget, which a test prints in one line.
///
/// If `#expect(feed.check(against: .scroll).passed)` fails, Swift Testing prints that line.
public struct CheckOutcome: Sendable, CustomStringConvertible {
  /// The runs and their verdict, for every renderer.
  public let report: Report
  /// A Boolean value indicating whether the test does not fail: the limits are met, or the test is skipped
  /// because they could not be evaluated. Lost data passes only if it is allowed.
  public private(set) var passed: Bool
  /// A Boolean value indicating whether every limit that could fail was evaluated.
  public var isEvaluated: Bool { report.verdict.status != .notEvaluated }

  func skipped() -> CheckOutcome {
    var outcome = self
    outcome.passed = true
    return outcome
  }

  init(_ runs: TraceRuns, _ budget: Budget, isStrict: Bool = false, allowsLoss: Bool = false) {
    let analyses = runs.analyses
    report = Report(analyses, verdict: budget.verdict(on: analyses))
    let hasLost = analyses.contains { !$0.trace.losses.isEmpty }
    passed =
      switch report.verdict.status {
      case .passed: !hasLost || allowsLoss
      case .tooFewRuns: !isStrict && (!hasLost || allowsLoss)
      case .failed, .notEvaluated: false
      }
  }

  /// The values, their limits and the main cause of the hitch time, in one line.
  public var description: String { report.verdictLine }

  /// Whether a pass needs a warning: for doubt, a limit that only warns, runs
  /// of different scenarios, or lost data.
  var hasWarnings: Bool {
    report.verdict.results.contains { $0.status != .passed }
      || report.verdict.notes.contains { $0.level != .note }
      || report.runs.contains { !$0.trace.losses.isEmpty }
  }

  /// The report on the check, and the report on the worst run with its graph.
  var text: String {
    let renderer = TextRenderer()
    let worst = report.worstRun.map { "\n" + renderer.render(Report([$0])) } ?? ""
    return renderer.render(report) + worst
  }

  /// The line with the graph of the worst run below it, for test libraries without attachments.
  var failureMessage: String {
    let graph = report.worstRun.map { TextRenderer().renderGraph(of: $0) } ?? ""
    return graph.isEmpty ? description : "\(description)\n\(graph)"
  }
}

extension TraceRuns {
  /// Checks the runs against a budget, for `#expect`.
  ///
  /// ```swift
  /// #expect(feed.check(against: .scroll).passed)
  /// ```
  ///
  /// If a limit is exceeded, the report with its graph is attached to the test, and so are recordings
  /// without a file; `swift test --attachments-path FOLDER` writes them. A pass with a
  /// warning or lost data records a warning. If a limit cannot be evaluated, the test is skipped.
  ///
  /// - Parameters:
  ///   - budget: The limits. Baselines have no effect here; use `scrolltrace check`.
  ///   - isStrict: Whether limits that cannot be evaluated and too few runs fail.
  ///   - allowsLoss: Whether traces that lost data can pass.
  ///   - sourceLocation: The location of the check.
  public func check(
    against budget: Budget, isStrict: Bool = false, allowsLoss: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> CheckOutcome {
    let outcome = CheckOutcome(self, budget, isStrict: isStrict, allowsLoss: allowsLoss)
    if Test.current != nil, !outcome.isEvaluated, !isStrict {
      // The test is skipped from here on; that it also throws is for tests that end at once.
      do { try Test.cancel("\(outcome.description)", sourceLocation: sourceLocation) } catch {}
      return outcome.skipped()
    }
    guard Test.current != nil, !outcome.passed || outcome.hasWarnings else { return outcome }
    let name = (runs.first?.fileName ?? "scrolltrace") + ".txt"
    Attachment.record(outcome.text, named: name, sourceLocation: sourceLocation)
    if outcome.passed {
      Issue.record(
        "\(outcome.description)", severity: .warning, sourceLocation: sourceLocation)
    } else {
      for run in runs {
        guard let bytes = run.bytes else { continue }
        Attachment.record(bytes, named: run.fileName, sourceLocation: sourceLocation)
      }
    }
    return outcome
  }
}
