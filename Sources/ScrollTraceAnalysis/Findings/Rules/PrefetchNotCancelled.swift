import ScrollTraceModel

/// Requests ahead that continued although later ones had been displayed.
struct PrefetchNotCancelled: FindingRule {
  static let id = FindingID.prefetchNotCancelled
  /// A few requests are answered faster than cancelled.
  private static let uncancelledRequests = 4

  func findings(in context: FindingContext) -> [Finding] {
    findings(
      of: \.evidence.uncancelledRequests, outOf: \.data.prefetches, share: 0,
      minimum: Self.uncancelledRequests, in: context
    ) { continued, all in
      let total = continued.total.phrase { ", for \($0) in all" }
      return PlainEvidence(
        title: "requests continue for items that were scrolled past",
        sentence:
          "\(continued.count) of \(all, "request") ahead continued after items of later requests were"
          + " displayed\(total)",
        facts: [("of", .count(all))],
        fix:
          "Cancel requests for items that the scroll turned away from\(.cancelPrefetch, of: context.toolkit),"
          + " so that the next items need not wait.")
    }
  }
}
