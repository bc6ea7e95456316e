import ScrollTraceAnalysis
import ScrollTraceModel

/// The findings before and after a change, with the predicted and the measured reduction.
struct FindingDifference {
  let comparison: Comparison
  let base: RunMessages
  let new: RunMessages

  /// The blocks; empty if neither side has a finding.
  var blocks: [Document.Block] {
    guard !comparison.findings.isEmpty else { return [] }
    var table = Document.Table([
      "", .number("hitch time base"), .number("new"), .flexible("finding"),
    ])
    let limit = base.limits.findings
    let findings = comparison.distinctFindings
    for (finding, same) in findings.prefix(limit) {
      let messages = finding.base == nil ? new : base
      guard let shown = finding.shown else { continue }
      let title = FindingText(of: messages.trace) { messages.name($0) }.title(of: shown)
      let all = [finding] + same
      let names = all.compactMap { $0.shown.map { messages.name($0.subject.name) } }
      table.add(
        StyledText(
          finding.status == .appeared ? "new" : finding.status.rawValue,
          Self.role(of: finding.status)),
        text(all.map(\.base), by: finding.measure), text(all.map(\.new), by: finding.measure),
        same.isEmpty ? title : "\(title) (\(names.joined(separator: ", ")))")
    }
    let note = Quantity.more(findings.count - limit, "finding").map { StyledText($0) }
    return [.table(table.titled("Findings before and after", note: note))]
      + (Self.text(of: comparison.predictionOutcome).map {
        [.paragraph(StyledText($0), isInset: true)]
      } ?? [])
  }

  private func text(_ findings: [Finding?], by measure: FindingComparison.Measure) -> String {
    findings.compactMap { $0?.measures }.map { evidence in
      switch measure {
      case .hitchTime: Quantity.length(evidence.hitchTime)
      case .total: Quantity.length(evidence.total ?? .zero) + " total"
      case .count: "\(evidence.count) \u{D7}"
      }
    }.joined(separator: ", ")
  }

  /// Returns the predicted and the measured reduction as a sentence, or `nil` if no finding visibly changed.
  static func text(of outcome: PredictionOutcome?) -> String? {
    guard let outcome else { return nil }
    let measured =
      outcome.removed < .zero
      ? "\(Quantity.length(outcome.removed.magnitude)) more"
      : "\(Quantity.length(outcome.removed)) less"
    return
      "Predicted: up to \(Quantity.length(outcome.upTo)) less hitch time. Measured: \(measured)."
  }

  private static func role(of status: FindingStatus) -> TextRole {
    switch status {
    case .gone, .smaller: .good
    case .unchanged: .plain
    case .larger, .appeared: .late
    }
  }
}
