import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceSummary

/// Renders a report as GitHub workflow commands, which become annotations of a run, one for each reason.
///
/// GitHub shows ten annotations of a kind for each step and drops the others. So the worst nine are
/// written, and a tenth with the number of the others. Passed limits have none.
public struct GitHubRenderer: ReportRenderer {
  private static let maximum = 9

  /// Creates a renderer.
  public init() {}

  private struct Annotation: Hashable {
    let isError: Bool
    let title: String
    let message: String
  }

  /// Renders the commands, one on each line, errors first; nothing if there is no problem.
  public func render(_ report: Report) -> String {
    let results = report.verdict.results.withoutImpliedWarnings
    let all =
      (report.verdict == .withoutBudget
      ? runs(report)
      : growth(report.verdict)
        + JointResult.all(results, joinsSubjects: true).compactMap(annotation)
        + report.gateNotes.compactMap(annotation)).distinct
    let sorted = all.filter(\.isError) + all.filter { !$0.isError }
    var lines = sorted.prefix(Self.maximum).map { annotation in
      let title = EscapingContext.gitHubProperty.escape("\(ToolIdentity.name): \(annotation.title)")
      let message = EscapingContext.gitHubMessage.escape(annotation.message)
      return "::\(annotation.isError ? "error" : "warning") title=\(title)::\(message)\n"
    }
    let hidden = sorted.dropFirst(Self.maximum)
    if let first = hidden.first {
      let kind = first.isError ? "error" : "warning"
      lines.append("::\(kind) title=\(ToolIdentity.name)::\(hidden.count) more; see the report\n")
    }
    return lines.joined()
  }

  /// The annotations of what grew since the baseline.
  private func growth(_ verdict: Verdict) -> [Annotation] {
    verdict.growth.map {
      Annotation(isError: true, title: "FAIL grew", message: VerdictMessages.clipped($0, to: 1_000))
    }
  }

  /// The annotation of limits with one reason, or `nil` if they passed or are off.
  private func annotation(_ joint: JointResult) -> Annotation? {
    let results = joint.results.filter { $0.status != .passed && $0.level != .off }
    guard let status = results.first?.status else { return nil }
    // A check fails by an exceeded limit and by missing data, not by chance.
    let fails = status == .failed || status == .notEvaluated
    return Annotation(
      isError: fails && results.contains { $0.level == .error },
      title: "\(VerdictMessages.word(for: status)) \(VerdictMessages.clipped(joint.labels))",
      message: VerdictMessages.sentence(on: joint))
  }

  /// The annotation of a note, or `nil` if it is only information.
  private func annotation(_ note: VerdictNote) -> Annotation? {
    guard note.level != .note else { return nil }
    return Annotation(
      isError: note.level == .error, title: note.level == .error ? "NOT EVALUATED" : "WARNING",
      message: VerdictMessages.clipped(note.text, to: 1_000))
  }

  /// The runs that are not good, if nobody set limits; the worst ratio first.
  private func runs(_ report: Report) -> [Annotation] {
    let worstFirst = report.runs.worstFirst.map { RunSummary(report.runs[$0]) }
    return worstFirst.filter { $0.rating != .good }.map { summary in
      Annotation(
        isError: false, title: "\(summary.word) \(summary.path)", message: summary.text)
    }
  }
}
