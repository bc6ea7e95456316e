import ScrollTraceModel

extension FindingID {
  package static let expensiveItem = FindingID("expensiveItem")
}

/// Work of one name that takes a few items many times what it takes the others, and makes frames
/// late with those.
struct ExpensiveItem: FindingRule {
  static let id = FindingID.expensiveItem
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.leastCells, hitchShare, timesMedian, itemShare,
  ]

  private static let hitchShare = Threshold(
    "expensiveItemHitchShare", 0.25, source: "One item is easily fixed, so less of the time counts."
  )
  private static let timesMedian = Threshold(
    "expensiveItemFactor", Int64(5), source: "Ordinary cells differ by less than that.")
  private static let itemShare = Threshold(
    "expensiveItemShare", 0.1, source: "More items than that are a kind of item, not an exception.")

  func findings(in context: FindingContext) -> [Finding] {
    context.workCauses(atLeast: Self.hitchShare.value).compactMap { cause in
      guard !WorkCause.isFrameOfOtherWork(cause.work),
        let costs = WorkCosts(of: cause.work, in: context),
        costs.items.count >= FindingThresholds.leastCells.value
      else { return nil }
      let expensive = costs.items.prefix {
        $0.longest > costs.median * Self.timesMedian.value
      }
      let most = max(1, Int(Double(costs.items.count) * Self.itemShare.value))
      let time = expensive.reduce(TimeSpan.zero) { $0 + $1.late }
      guard !expensive.isEmpty, expensive.count <= most,
        FindingContext.isPart(FindingThresholds.explainedShare.value, time, of: costs.late)
      else { return nil }
      var details = Finding.Details(work: cause.work, of: costs.items.count, share: cause.share)
      details.add(costs, items: min(expensive.count, 3))
      return finding(of: .surface(cause.surface.name), cause.evidence, details: details)
    }
  }
}
