extension FindingID {
  package static let prefetchNotCancelled = FindingID("prefetchNotCancelled")
}

/// Requests ahead that continued although later ones had been displayed.
struct PrefetchNotCancelled: FindingRule {
  static let id = FindingID.prefetchNotCancelled
  static let thresholds: [any NamedThreshold] = [uncancelledRequests]

  private static let uncancelledRequests = Threshold(
    "uncancelledRequests", 4, source: "A few requests are answered faster than cancelled.")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let all = list.data.prefetches
      let evidence = context.evidence(
        of: list.evidence.uncancelledRequests, of: all, share: 0,
        least: Self.uncancelledRequests.value)
      return evidence.map {
        finding(of: .list(list.name), $0, details: Finding.Details(of: all))
      }
    }
  }
}
