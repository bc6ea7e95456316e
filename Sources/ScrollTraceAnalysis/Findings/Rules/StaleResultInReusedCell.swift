import ScrollTraceModel

/// Results that arrived for a cell that displayed another item.
struct StaleResultInReusedCell: FindingRule {
  static let id = FindingID.staleResultInReusedCell

  func findings(in context: FindingContext) -> [Finding] {
    findings(
      of: \.evidence.staleResults, outOf: \.evidence.staleResults.count, share: 0, minimum: 1,
      in: context
    ) { found, _ in
      PlainEvidence(
        title: "stale results are applied to reused cells",
        sentence: "\(found.count, "result") arrived for a cell that displayed another item",
        fix:
          "Apply results to the data and reconfigure the item, whichever cell displays it. Never set"
          + " them on the cell that requested them.")
    }
  }
}
