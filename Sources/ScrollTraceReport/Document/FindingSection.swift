import ScrollTraceAnalysis
import ScrollTraceModel

/// The findings on a run, each with its evidence and its fix.
struct FindingSection {
  let messages: RunMessages

  /// The findings and, in short forms, what else would go; empty if there is no finding.
  var sections: [Document.Section] {
    let findings = messages.run.findings
    guard !findings.isEmpty else { return [] }
    let texts = FindingText(of: messages.trace) { messages.name($0) }
    let limit = messages.limits.findings
    let items = findings.prefix(limit).map { finding in
      Document.FindingList.Item(
        title: texts.title(of: finding) + subject(of: finding),
        evidence: [texts.evidence(of: finding)],
        fix: [texts.fix(of: finding), texts.worth(of: finding)].compactMap { $0 }
          .joined(separator: " "),
        step: messages.steps.step(showing: finding))
    }
    let list = Document.FindingList(
      items: items, note: Quantity.more(findings.count - limit, "finding", isInJSON: true))
    let isWorth = findings.contains { $0.worth != nil }
    let more: [Document.Block] =
      isWorth
      ? [.next(messages.steps.command("predict"), label: "What would go:")] : []
    return [
      Document.Section(title: "Findings", blocks: [.findings(list)] + more, part: .findings)
    ]
  }

  /// The name of the subject, if there are several that a finding could be about.
  private func subject(of finding: Finding) -> String {
    switch finding.subject {
    case .surface(let name) where messages.run.surfaces.count > 1: " (\(messages.name(name)))"
    case .list(let name) where messages.run.lists.count > 1 && !name.isEmpty:
      " (\(messages.name(name)))"
    default: ""
    }
  }
}
