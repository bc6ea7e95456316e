import ScrollTraceModel

/// Work of one name that takes a few items many times what it takes the others, and makes frames
/// late with those.
struct ExpensiveItem: FindingRule {
  static let id = FindingID.expensiveItem
  /// Ordinary cells differ by less than that.
  private static let timesMedian = Int64(5)
  /// More items than that are a kind of item, not an exception.
  private static let itemShare = 0.1

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard let work = cause.work, let costs = WorkCosts(of: work, in: context),
        costs.items.count >= FindingThresholds.minimumCells
      else { return nil }
      let expensive = costs.items.prefix { $0.longest > costs.median * Self.timesMedian }
      let maximum = max(1, Int(Double(costs.items.count) * Self.itemShare))
      let time = expensive.reduce(TimeSpan.zero) { $0 + $1.late }
      guard let longest = expensive.first?.longest, expensive.count <= maximum,
        time.isPart(FindingThresholds.explainedShare, of: costs.late)
      else { return nil }
      // A wait is not the items' fault, nor is memory that is touched for the first time.
      if case .wait = cause.cause { return nil }
      guard cause.freshMemory(in: context) == nil else { return nil }
      let items = expensive.prefix(3).map(\.name)
      let list: Phrase = "\(items, "item", more: expensive.count - items.count)"
      let upTo: Phrase = expensive.count == 1 ? "" : "up to "
      return finding(
        of: cause,
        PlainEvidence(
          title: "\(work) takes \(upTo)\(longest) for \(list), \(costs.median) for others",
          sentence: "the time for others is the median of \(costs.items.count, "item")",
          facts: [
            ("items", .names(items)), ("longestNs", .time(longest)),
            ("medianNs", .time(costs.median)), ("of", .count(costs.items.count)),
          ],
          fix:
            "Find out what these items have that the others lack, such as long text, a large image or"
            + " many subviews, and prepare it in the background\(.background, of: context.toolkit),"
            + " cache it or limit it."), in: context, certainty: .named)
    }
  }
}
