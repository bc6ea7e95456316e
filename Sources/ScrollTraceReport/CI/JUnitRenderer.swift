import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceSummary

/// Renders a report as JUnit XML, in the subset that every build server reads.
///
/// The limits of a budget are the test cases of one suite. Every trace has a suite with one case,
/// that it was analyzed, and its rating and numbers as properties.
public struct JUnitRenderer: ReportRenderer {
  /// Creates a renderer.
  public init() {}

  /// Renders the report as one document.
  public func render(_ report: Report) -> String {
    let cases = report.verdict.results.map(Self.testCase)
    let notes = report.verdict.notes.enumerated().map(Self.testCase)
    let budget = cases + notes
    let suites =
      (budget.isEmpty ? [] : [JUnitSuite(name: "limits", cases: budget)])
      + zip(MeasuredSurface.traceNames(of: report), report.runs).map { name, run in
        suite(name, run, isGated: !budget.isEmpty)
      }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuites name=\"\(ToolIdentity.name)\"\(JUnitSuite.counts(suites.flatMap(\.cases)))>\n"
      + suites.map(\.text).joined() + "</testsuites>\n"
  }

  private func suite(_ name: String, _ run: Analysis, isGated: Bool) -> JUnitSuite {
    let properties = MeasuredSurface.surfaces(of: run, named: name).flatMap { surface in
      let rating = [("rating", surface.rated.rating.rawValue)]
      let reason = surface.rated.reason.map { [("ratingReason", $0.text)] } ?? []
      let numbers = surface.measurements.map { ($0.metric.name, $0.text) }
      let subject = surface.isOneOfSeveral ? "\(surface.surface): " : ""
      return (rating + reason + numbers).map { (name: subject + $0, value: $1) }
    }
    let summary = RunSummary(run)
    let reason = "no data: \(summary.text)"
    // Without a budget nothing was asked, so that having no answer is no error.
    let outcome: JUnitCase.Outcome =
      run.isEvaluated
      ? .passed("\(summary.word)  \(summary.text)") : isGated ? .error(reason) : .skipped(reason)
    return JUnitSuite(
      name: name,
      cases: [
        JUnitCase(
          group: name, name: "analyzed", outcome: outcome, length: run.trace.range.length)
      ], properties: properties)
  }

  private static func testCase(_ result: LimitResult) -> JUnitCase {
    let sentence = VerdictMessages.sentence(on: result)
    let word = VerdictMessages.word(for: result.status).lowercased()
    let outcome: JUnitCase.Outcome =
      switch (result.status, result.level) {
      case (.passed, _): .passed(sentence)
      case (.failed, .error): .failed(sentence)
      case (.notEvaluated, .error): .error(sentence)
      case (_, .warn): .skipped("warning, \(word): \(sentence)")
      case (_, .off): .skipped("not evaluated: \(sentence)")
      case (.tooFewRuns, .error): .skipped("\(word): \(sentence)")
      }
    return JUnitCase(
      group: "limits",
      name: "\(VerdictMessages.name(of: result)) \(VerdictMessages.limit(of: result))",
      outcome: outcome, length: .zero)
  }

  /// The case of a note. The number keeps names apart.
  private static func testCase(_ place: Int, _ note: VerdictNote) -> JUnitCase {
    let text = VerdictMessages.clipped(note.text, to: 1_000)
    let outcome: JUnitCase.Outcome =
      switch note.level {
      case .note: .passed(text)
      case .warning: .skipped("warning: \(text)")
      case .error: .error(text)
      }
    return JUnitCase(
      group: "limits", name: "note \(place + 1): \(note.kind.rawValue)", outcome: outcome,
      length: .zero)
  }
}
