import ScrollTraceModel

/// Requests ahead that were answered for items that were never displayed.
struct PrefetchedNeverDisplayed: FindingRule {
  static let id = FindingID.prefetchedNeverDisplayed
  /// Requests are made further ahead than cells.
  private static let wastedRequests = 8

  func findings(in context: FindingContext) -> [Finding] {
    findings(
      of: \.evidence.unseenRequests, outOf: \.data.prefetches, minimum: Self.wastedRequests,
      in: context
    ) { unused, all in
      PlainEvidence(
        title: "data is prefetched but never displayed",
        sentence:
          "\(unused.count) of \(all, "request") ahead answered for items that were never displayed",
        facts: [("of", .count(all))],
        fix: "Prefetch fewer items, the nearest first, and fewer while the scroll is fast.")
    }
  }
}

/// Cells that were prepared ahead and discarded before they were displayed.
struct PreparedNeverDisplayed: FindingRule {
  static let id = FindingID.preparedNeverDisplayed
  /// A turn of the scroll wastes a line of cells.
  private static let wastedCells = 4

  func findings(in context: FindingContext) -> [Finding] {
    findings(
      of: \.evidence.wastedCells, outOf: \.cells.preparedAhead, minimum: Self.wastedCells,
      in: context
    ) { unused, all in
      let total = unused.total.phrase { "; their preparation took \($0)" }
      return PlainEvidence(
        title: "cells are prepared but never displayed",
        sentence: "\(unused.count) of \(all, "cell") prepared ahead were never displayed\(total)",
        facts: [("of", .count(all))],
        fix:
          "Prepare fewer cells ahead, stop while the scroll is fast, and keep prepared cells when it"
          + " reverses.")
    }
  }
}

extension FindingRule {
  /// Creates a finding for each list of which enough of `all` are found.
  func findings(
    of found: KeyPath<ListAnalysis, DurationStatistics>, outOf all: KeyPath<ListAnalysis, Int>,
    share: Double = FindingThresholds.wastedShare, minimum: Int,
    in context: FindingContext, _ evidence: (Finding.Measures, Int) -> PlainEvidence
  ) -> [Finding] {
    context.lists.compactMap { list in
      let (seen, all) = (list[keyPath: found], list[keyPath: all])
      guard seen.count >= minimum, Double(seen.count) > share * Double(all) else { return nil }
      let measures = Finding.Measures(
        count: seen.count, total: seen.total > .zero ? seen.total : nil,
        worst: seen.worst.map { Finding.Occurrence(frame: nil, time: $0) })
      return finding(of: .list(list.name), measures, evidence(measures, all), in: context)
    }
  }
}
