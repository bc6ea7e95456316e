import ScrollTraceAnalysis
import ScrollTraceModel

/// The findings on a run, each with its evidence and its fix.
struct FindingSection {
  private let words: RunMessages

  /// The section on the findings of `words`.
  init(_ words: RunMessages) {
    self.words = words
  }

  /// The findings and, in short forms, how to predict more changes; empty if there is no finding.
  var sections: [Document.Section] {
    let findings = words.run.findings
    guard !findings.isEmpty else { return [] }
    let messages = FindingMessages(of: words.trace) { words.name($0) }
    let limit = words.limits.findings
    let items = findings.prefix(limit).map { finding in
      Document.FindingList.Item(
        title: messages.title(of: finding) + subject(of: finding),
        evidence: [
          messages.evidence(of: finding),
          messages.prediction(for: finding, of: words.surface?.hitchTime),
        ].compactMap { $0 },
        fix: messages.fix(of: finding), step: RunSteps(words).step(showing: finding))
    }
    let hidden = findings.count - limit
    let list = Document.FindingList(
      items: items,
      note: hidden > 0
        ? "and \(Quantity.count(hidden, "more finding")); --format json lists all" : nil)
    let isPredicted = findings.contains { $0.predictedRemoval != nil }
    let more: [Document.Block] =
      isPredicted
      ? [.next(RunSteps(words).command("predict"), label: "More changes to try:")] : []
    return [Document.Section(title: "Findings", blocks: [.findings(list)] + more)]
  }

  /// The name of the subject, if there are several that a finding could be about.
  private func subject(of finding: Finding) -> String {
    switch finding.subject {
    case .surface(let name) where words.run.surfaces.count > 1: " (\(words.name(name)))"
    case .list(let name) where words.run.lists.count > 1 && !name.isEmpty:
      " (\(words.name(name)))"
    default: ""
    }
  }
}
