import ScrollTraceModel

/// Results that arrived for a cell that displayed another item.
struct StaleResultInReusedCell: FindingRule {
  static let id = FindingID.staleResultInReusedCell

  func findings(in context: FindingContext) -> [Finding] {
    findings(
      of: \.evidence.staleResults, outOf: \.evidence.staleResults.count, share: 0, minimum: 1,
      in: context
    ) { found, _ in Evidence(results: found.count) }
  }

  private struct Evidence: FindingEvidence {
    let results: Int

    var title: Phrase { "stale results are applied to reused cells" }
    var sentence: Phrase { "\(results, "result") arrived for a cell that displayed another item" }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Apply results to the data and reconfigure the item, whichever cell displays it. Never set"
        + " them on the cell that requested them."
    }
  }
}
