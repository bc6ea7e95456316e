import ScrollTraceAnalysis
import ScrollTraceModel

/// A report as workflow commands of GitHub, which become annotations of a run.
///
/// GitHub keeps ten of a kind for each step and drops the rest unsaid; here the worst nine are
/// written, and one that tells how many more there are. What is well is not annotated.
public struct GitHubRenderer: ReportRenderer {
  private static let most = 9

  /// A renderer.
  public init() {}

  private struct Annotation {
    let isError: Bool
    let title: String
    let message: String
  }

  /// The commands, errors first, one on each line; empty where all is well.
  public func render(_ report: Report) -> String {
    let all =
      report.verdict == .withoutBudget
      ? runs(report)
      : report.verdict.judgements.compactMap(annotation) + report.gateNotes.compactMap(annotation)
    let sorted = all.filter(\.isError) + all.filter { !$0.isError }
    var lines = sorted.prefix(Self.most).map { annotation in
      let title = Sink.gitHubProperty.escape("\(Tool.name): \(annotation.title)")
      let message = Sink.gitHubMessage.escape(annotation.message)
      return "::\(annotation.isError ? "error" : "warning") title=\(title)::\(message)\n"
    }
    let hidden = sorted.dropFirst(Self.most)
    if let first = hidden.first {
      let kind = first.isError ? "error" : "warning"
      lines.append("::\(kind) title=\(Tool.name)::\(hidden.count) more; the report has all\n")
    }
    return lines.joined()
  }

  /// What is wrong with one limit; `nil` where it is kept or was not to be judged.
  private func annotation(_ judgement: Judgement) -> Annotation? {
    guard judgement.status != .pass, judgement.level != .off else { return nil }
    // A gate fails by what is over its limit and by what cannot be judged, not by chance.
    let fails = judgement.status == .fail || judgement.status == .notJudged
    return Annotation(
      isError: fails && judgement.level == .error,
      title: "\(JudgementWording.word(for: judgement.status))"
        + " \(JudgementWording.metric(of: judgement))",
      message: JudgementWording.sentence(on: judgement))
  }

  /// What weakens the answers; `nil` for what is only told.
  private func annotation(_ note: VerdictNote) -> Annotation? {
    guard note.level != .note else { return nil }
    return Annotation(
      isError: note.level == .error, title: "\(note.level == .error ? "NOT JUDGED" : "WARNING")",
      message: JudgementWording.clipped(note.text, to: 1_000))
  }

  /// The runs that are not good, where nobody set limits; the worst ratio first.
  private func runs(_ report: Report) -> [Annotation] {
    let texts = report.runs.map { TextRun($0, style: TextStyle(width: 200)) }
    let bad = texts.filter { text in
      text.surface?.rated(by: text.profile).rating != .good
    }
    // Runs without data come last.
    let sorted = bad.stablySorted { -($0.surface?.ratio?.millisecondsPerSecond ?? -1) }
    return sorted.map { text in
      let path = text.nameEnding(text.trace.source.path, 100)
      let facts = text.surface.map(text.summary) ?? text.reasonForNoData
      let word = text.surface == nil ? "NOT MEASURABLE" : text.verdictWord.plain
      return Annotation(isError: false, title: "\(word) \(path)", message: facts)
    }
  }
}
