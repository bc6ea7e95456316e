import ScrollTraceAnalysis
import ScrollTraceModel

/// A report as workflow commands of GitHub, which become annotations of a run.
///
/// GitHub keeps ten of a kind for each step and drops the rest unsaid; here the worst nine are
/// written, and one that tells how many more there are. What is well is not annotated.
package struct GitHubRenderer: ReportRenderer {
  private static let most = 9

  /// A renderer.
  package init() {}

  private struct Annotation {
    let isError: Bool
    let title: String
    let message: String
  }

  /// The commands, errors first, one on each line; empty where all is well.
  package func render(_ report: Report) -> String {
    let all =
      report.verdict == .withoutBudget
      ? runs(report)
      : report.verdict.results.compactMap(annotation) + report.gateNotes.compactMap(annotation)
    let sorted = all.filter(\.isError) + all.filter { !$0.isError }
    var lines = sorted.prefix(Self.most).map { annotation in
      let title = EscapingContext.gitHubProperty.escape("\(ToolIdentity.name): \(annotation.title)")
      let message = EscapingContext.gitHubMessage.escape(annotation.message)
      return "::\(annotation.isError ? "error" : "warning") title=\(title)::\(message)\n"
    }
    let hidden = sorted.dropFirst(Self.most)
    if let first = hidden.first {
      let kind = first.isError ? "error" : "warning"
      lines.append(
        "::\(kind) title=\(ToolIdentity.name)::\(hidden.count) more; the report has all\n")
    }
    return lines.joined()
  }

  /// What is wrong with one limit; `nil` where it is kept or was not to be judged.
  private func annotation(_ result: LimitResult) -> Annotation? {
    guard result.status != .pass, result.level != .off else { return nil }
    // A gate fails by what is over its limit and by what cannot be judged, not by chance.
    let fails = result.status == .fail || result.status == .notEvaluated
    return Annotation(
      isError: fails && result.level == .error,
      title: "\(VerdictMessages.word(for: result.status))"
        + " \(VerdictMessages.metric(of: result))",
      message: VerdictMessages.sentence(on: result))
  }

  /// What weakens the answers; `nil` for what is only told.
  private func annotation(_ note: VerdictNote) -> Annotation? {
    guard note.level != .note else { return nil }
    return Annotation(
      isError: note.level == .error, title: "\(note.level == .error ? "NOT JUDGED" : "WARNING")",
      message: VerdictMessages.clipped(note.text, to: 1_000))
  }

  /// The runs that are not good, where nobody set limits; the worst ratio first.
  private func runs(_ report: Report) -> [Annotation] {
    let texts = report.runs.map { RunMessages($0) }
    let bad = texts.filter { $0.band(of: $0.surface?.ratio) != .good }
    // Runs without data come last.
    let sorted = bad.stablySorted { -($0.surface?.ratio?.millisecondsPerSecond ?? -1) }
    return sorted.map { text in
      let path = text.nameEnding(text.trace.source.path, 100)
      let facts = text.surface.map(text.summary) ?? text.reasonForNoData
      let word = text.surface == nil ? "NO DATA" : text.headline.word.text
      return Annotation(isError: false, title: "\(word) \(path)", message: facts)
    }
  }
}
