import ScrollTraceModel

extension FindingID {
  package static let prefetchedNeverDisplayed = FindingID("prefetchedNeverDisplayed")
  package static let preparedNeverDisplayed = FindingID("preparedNeverDisplayed")
}

/// Requests ahead that were answered for items that were never displayed.
struct PrefetchedNeverDisplayed: FindingRule {
  static let id = FindingID.prefetchedNeverDisplayed
  static let thresholds: [any NamedThreshold] = [FindingThresholds.wastedShare, wastedRequests]

  private static let wastedRequests = Threshold(
    "wastedRequests", 8, source: "Requests are made further ahead than cells.")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let all = list.data.prefetches
      let evidence = context.measures(
        of: list.evidence.unseenRequests, of: all, share: FindingThresholds.wastedShare.value,
        least: Self.wastedRequests.value)
      return evidence.map {
        finding(
          of: .list(list.name), $0, Evidence(count: $0.count, all: all, total: $0.total),
          in: context)
      }
    }
  }

  private struct Evidence: FindingEvidence {
    let count: Int
    let all: Int
    let total: TimeSpan?

    var title: Phrase { "data is prefetched but never displayed" }
    var sentences: [Phrase] {
      ["\(count) of \(all, "request") ahead answered for items that were never displayed"]
    }
    var facts: [(key: String, value: Finding.Value)] { [("of", .count(all))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Prefetch fewer items, the nearest first, and fewer while the scroll is fast."
    }
  }
}

/// Cells that were prepared ahead and discarded before they were displayed.
struct PreparedNeverDisplayed: FindingRule {
  static let id = FindingID.preparedNeverDisplayed
  static let thresholds: [any NamedThreshold] = [FindingThresholds.wastedShare, wastedCells]

  private static let wastedCells = Threshold(
    "wastedCells", 4, source: "A turn of the scroll wastes a line of cells.")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let all = list.cells.preparedAhead
      let evidence = context.measures(
        of: list.evidence.wastedCells, of: all, share: FindingThresholds.wastedShare.value,
        least: Self.wastedCells.value)
      return evidence.map {
        finding(
          of: .list(list.name), $0, Evidence(count: $0.count, all: all, total: $0.total),
          in: context)
      }
    }
  }

  private struct Evidence: FindingEvidence {
    let count: Int
    let all: Int
    let total: TimeSpan?

    var title: Phrase { "cells are prepared but never displayed" }
    var sentences: [Phrase] {
      let total = total.phrase { "; their preparation took \($0)" }
      return ["\(count) of \(all, "cell") prepared ahead were never displayed\(total)"]
    }
    var facts: [(key: String, value: Finding.Value)] { [("of", .count(all))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Prepare fewer cells ahead, stop while the scroll is fast, and keep prepared cells when it"
        + " reverses."
    }
  }
}
