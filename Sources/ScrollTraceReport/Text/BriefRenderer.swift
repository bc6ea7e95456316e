import ScrollTraceAnalysis
import ScrollTraceModel

/// A report in a few lines, for chats, bots and language models: the verdict, the main causes and the
/// next command.
///
/// It has at most 12 lines and 1000 bytes. The command is never cut: other lines are omitted first.
public struct BriefRenderer: ReportRenderer {
  /// The maximum number of lines.
  package static let lineLimit = 12
  /// The maximum number of bytes.
  package static let byteLimit = 1000

  private static let causeLimit = 3
  private static let sentenceLimit = 400
  private static let nameLimit = 120

  /// Creates a renderer.
  public init() {}

  /// The report in this form.
  public func render(_ report: Report) -> String {
    let sections = Document(report, limits: RowLimits()).sections(for: .brief)
    let conclusion = sections.last(where: \.isConclusion) ?? sections.first
    var sentences = (conclusion?.blocks ?? []).compactMap(sentence)
    if case .runs(let runs) = report.content, let run = runs.first, runs.count == 1 {
      let messages = RunMessages(run)
      sentences = [Self.clipped("\(messages.headline.word.text)  \(messages.verdictSentence)")]
    }
    let step = sections.flatMap(\.blocks).compactMap(Self.step).last
    var text = BoundedLines(lines: Self.lineLimit, bytes: Self.byteLimit)
    for line in sentences.prefix(1) { text.add(line) }
    if let step { text.setLast("Next: \(step.text())") }
    for line in sentences.dropFirst() + subject(of: report) { text.add(line) }
    return text.text
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
    let known = surface.causes.filter { $0.kind != .unknown && $0.hitchTime > .zero }
    let causes = known.prefix(Self.causeLimit).map {
      "Cause: " + Self.clipped(messages.sentence(on: $0, of: surface), to: Self.nameLimit)
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

/// Lines within limits, with a last line for which room is kept.
private struct BoundedLines {
  private let lineLimit: Int
  private let byteLimit: Int
  private var lines: [String] = []
  private var last: String?
  private var bytes = 0

  init(lines: Int, bytes: Int) {
    lineLimit = lines
    byteLimit = bytes
  }

  var text: String { (lines + (last.map { [$0] } ?? [])).map { $0 + "\n" }.joined() }

  /// Adds a line if there is room for it.
  mutating func add(_ line: String?) {
    guard let line, fits(line) else { return }
    lines.append(line)
  }

  /// Sets the last line if there is room for it.
  mutating func setLast(_ line: String) {
    guard last == nil, fits(line) else { return }
    last = line
  }

  private mutating func fits(_ line: String) -> Bool {
    let size = line.utf8.count + 1
    guard lines.count + (last == nil ? 0 : 1) < lineLimit, size <= byteLimit - bytes else {
      return false
    }
    bytes += size
    return true
  }
}
