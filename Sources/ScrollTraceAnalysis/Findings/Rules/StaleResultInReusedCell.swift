extension FindingID {
  package static let staleResultInReusedCell = FindingID("staleResultInReusedCell")
}

/// Results that arrived for a cell that displayed another item.
struct StaleResultInReusedCell: FindingRule {
  static let id = FindingID.staleResultInReusedCell

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      context.evidence(of: list.evidence.staleResults, of: 0, share: 0, least: 1).map {
        finding(of: .list(list.name), $0)
      }
    }
  }
}
