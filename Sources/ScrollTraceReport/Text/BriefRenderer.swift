import ScrollTraceAnalysis
import ScrollTraceModel

/// A report in a few lines, for chats, bots and language models: the verdict, the main causes and the
/// next command.
///
/// It has at most 12 lines and 1000 bytes. The command is never cut: other lines are omitted first.
public struct BriefRenderer: ReportRenderer {
  package static let lineLimit = 12
  package static let byteLimit = 1000

  private static let causeLimit = 3
  private static let sentenceLimit = 400
  private static let nameLimit = 120

  /// Creates a renderer.
  public init() {}

  /// The report in this form.
  public func render(_ report: Report) -> String {
    let sections = Document(report, limits: RowLimits(), for: .brief).sections
    let conclusion =
      sections.last(where: \.isConclusion)
      ?? sections.first { $0.blocks.contains { sentence($0) != nil } }
    var sentences = (conclusion?.blocks ?? []).compactMap(sentence)
    if case .runs(let runs) = report.content, let run = runs.first, runs.count == 1 {
      let messages = RunMessages(run)
      sentences = [Self.clipped("\(messages.headline.word.text)  \(messages.verdictSentence)")]
    }
    let step = sections.flatMap(\.blocks).compactMap(Self.step).last
    // The command is the last line, for which room is kept.
    let next = step.map { [(line: "Next: \($0.text())", isLast: true)] } ?? []
    let others = (sentences.dropFirst() + subject(of: report)).map { (line: $0, isLast: false) }
    var (kept, bytes) = ([(line: String, isLast: Bool)](), 0)
    for entry in sentences.prefix(1).map({ (line: $0, isLast: false) }) + next + others {
      let size = entry.line.utf8.count + 1
      guard kept.count < Self.lineLimit, size <= Self.byteLimit - bytes else { continue }
      bytes += size
      kept.append(entry)
    }
    return (kept.filter { !$0.isLast } + kept.filter(\.isLast)).map { $0.line + "\n" }.joined()
  }

  /// A sentence that answers the question of the report, or `nil` for other blocks.
  private func sentence(_ block: Document.Block) -> String? {
    switch block {
    case .statement(let word, let text): Self.clipped("\(word.text)  \(text.text)")
    case .side(let label, let word, let text, _):
      Self.clipped("\(label): \(word.text)  \(text.text)")
    case .paragraph(let text, isInset: false): Self.clipped(text.text)
    default: nil
    }
  }

  private static func step(_ block: Document.Block) -> NextStep? {
    if case .next(let step, _) = block { step } else { nil }
  }

  /// The trace that the report is about, or the worst one, and its main causes.
  private func subject(of report: Report) -> [String] {
    guard let run = report.comparison.map(\.new.shown) ?? report.worstRun else { return [] }
    let messages = RunMessages(run)
    let label = report.comparison != nil ? "New" : report.runs.count > 1 ? "Worst" : "Trace"
    let path = messages.nameEnding(run.trace.source.path, Self.nameLimit)
    let trace = "\(label): \(path) (\(messages.source.facts))"
    guard report.frame == nil, let surface = run.evaluatedPrimarySurface else { return [trace] }
    let causes: [String]
    if let comparison = report.comparison {
      causes = ComparisonDocument.changes(comparison, in: messages).map {
        "Change: " + Self.clipped($0, to: Self.nameLimit)
      }
    } else {
      let known = surface.causes.filter { $0.kind != .unknown && $0.hitchTime > .zero }
      causes = known.prefix(Self.causeLimit).map {
        "Cause: " + Self.clipped(messages.sentence(on: $0, of: surface), to: Self.nameLimit)
      }
    }
    let texts = FindingText(of: run.trace) { messages.name($0) }
    let fix = run.findings.first.map { finding in
      let sentence = FirstScreen.firstSentence(of: texts.fix(of: finding))
      return "Fix: "
        + Self.clipped(
          [sentence, texts.worth(of: finding)].compactMap { $0 }.joined(separator: " "))
    }
    return [trace] + causes.prefix(1) + (fix.map { [$0] } ?? []) + causes.dropFirst()
  }

  private static func clipped(_ text: String, to limit: Int = sentenceLimit) -> String {
    guard text.utf8.count > limit else { return text }
    var bytes = 0
    let front = text.unicodeScalars.prefix { scalar in
      bytes += scalar.utf8.count
      return bytes <= limit - 3
    }
    return String(front) + "…"
  }
}
