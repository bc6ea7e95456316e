package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The words of findings as text, for all renderers.
package struct FindingText {
  /// The trace's start, from which times are counted.
  private let start: Timestamp
  private let isRounded: Bool
  private let name: (String) -> String

  /// Creates texts for a trace.
  ///
  /// - Parameters:
  ///   - trace: The trace that the findings are about.
  ///   - isRounded: Whether times have two or three digits.
  ///   - name: Converts a name of the trace to what the renderer can show.
  package init(
    of trace: Trace, isRounded: Bool = false, name: @escaping (String) -> String = { $0 }
  ) {
    start = trace.range.start
    self.isRounded = isRounded
    self.name = name
  }

  package func title(of finding: Finding) -> String { text(of: finding.words.title) }

  /// Returns the evidence without a period, with its hitch time and its worst frame or time.
  package func evidence(of finding: Finding) -> String {
    let measures = finding.measures
    var parts = finding.words.evidence.map(text)
    if measures.hitches > 0, measures.hitchTime > .zero {
      parts.append("\(Quantity.length(measures.hitchTime)) of hitch time")
    }
    if let worst = measures.worst {
      let occasion =
        worst.frame.map { "in frame \($0)" } ?? "at \(Quantity.instant(worst.time - start))"
      parts.append("worst \(occasion)")
    }
    return parts.joined(separator: "; ")
  }

  package func fix(of finding: Finding) -> String { text(of: finding.words.fix) }

  /// Returns what the fix is worth as sentences, or `nil` if the fix removes no hitch time.
  package func worth(of finding: Finding) -> String? {
    finding.worth { text(of: "\($0)") == text(of: "\($1)") }.map(text)
  }

  package func text(of phrase: Phrase) -> String {
    Self.plain(phrase, isRounded: isRounded, name: name)
  }

  package static func plain(
    _ phrase: Phrase, isRounded: Bool = false, name: (String) -> String = { $0 }
  ) -> String {
    phrase.parts.map { part in
      switch part {
      case .words(let words): words
      case .name(let text): name(text)
      case .length(let time): isRounded ? Quantity.rounded(time) : Quantity.length(time)
      case .interval(let time): Quantity.interval(time)
      case .share(let share): isRounded ? Quantity.percent(share) : Quantity.share(share)
      case .count(let count, let one, let many): Quantity.count(count, one, many)
      case .number(let number, let decimals): Quantity.fixed(number, decimals: decimals)
      case .bytes(let count): Quantity.bytes(count)
      case .rate(let interval): Quantity.rate(interval)
      }
    }.joined()
  }
}

/// The findings on a run, each with its evidence and its fix.
struct FindingSection {
  let messages: RunMessages

  /// The findings and the command that predicts their effect; empty if there is no finding.
  var blocks: [Document.Block] {
    let findings = messages.run.distinctFindings
    guard !findings.isEmpty else { return [] }
    let texts = FindingText(of: messages.trace) { messages.name($0) }
    let limit = messages.limits.findings
    let items = findings.prefix(limit).map { finding, same in
      Document.FindingList.Item(
        title: texts.title(of: finding) + subject(of: finding, and: same),
        evidence: ([finding] + same).map(texts.evidence),
        fix: [texts.fix(of: finding), texts.worth(of: finding)].compactMap { $0 }
          .joined(separator: " "),
        step: messages.steps.step(showing: finding))
    }
    let list = Document.FindingList(
      items: items, note: Quantity.more(findings.count - limit, "finding", isInJSON: true))
    let isWorth = messages.run.findings.contains { $0.worth != nil }
    return [.findings(list)]
      + (isWorth ? [.next(messages.steps.command("predict"), label: "Predict the effect:")] : [])
  }

  /// The name of the subject, if there are several that a finding could be about, and of those of `same`.
  private func subject(of finding: Finding, and same: [Finding]) -> String {
    switch finding.subject {
    case .surface where messages.run.surfaces.count > 1:
      " (\(([finding] + same).map { messages.name($0.subject.name) }.joined(separator: ", ")))"
    case .list(let name) where messages.run.lists.count > 1 && !name.isEmpty:
      " (\(messages.name(name)))"
    default: ""
    }
  }
}
