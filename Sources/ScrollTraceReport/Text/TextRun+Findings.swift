import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What was found, each with its evidence and what to do about it.
  var findings: [TextLine] {
    guard !run.findings.isEmpty else { return [] }
    let words = FindingMessages(start: trace.range.start) { name($0) }
    let hidden = run.findings.count - style.limits.findings
    let shown = run.findings.prefix(style.limits.findings).enumerated().flatMap { index, finding in
      let number = "  \(index + 1)  "
      let margin = number.utf8.count
      let title: [TextLine] = .wrapping(
        words.title(of: finding) + subject(of: finding), width: style.width - margin,
        ink: .strong,
        ellipsis: glyphs.ellipsis)
      return title.behind(TextLine(number))
        + wrapped(words.evidence(of: finding), first: margin, indent: margin)
        + (words.prediction(for: finding, of: surface?.hitchTime).map {
          wrapped($0, first: margin, indent: margin)
        } ?? [])
        + wrapped("Fix: \(words.fix(of: finding))", first: margin, indent: margin + 5)
    }
    let isPredicted = run.findings.contains { $0.predictedRemoval != nil }
    let more =
      isPredicted
      ? lines(of: command("predict"), label: "More changes to try:") : []
    return [heading("Findings")] + shown
      + (hidden > 0
        ? [TextLine("  and \(Quantity.count(hidden, "more finding")); --format json lists all")]
        : [])
      + more
  }

  /// The name of what a finding is about, where there are several that it could be about.
  func subject(of finding: Finding) -> String {
    switch finding.subject {
    case .surface(let name) where run.surfaces.count > 1: " (\(self.name(name)))"
    case .list(let name) where run.lists.count > 1 && !name.isEmpty: " (\(self.name(name)))"
    default: ""
    }
  }
}
