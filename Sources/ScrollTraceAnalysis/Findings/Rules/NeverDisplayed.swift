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
      let evidence = context.evidence(
        of: list.evidence.unseenRequests, of: all, share: FindingThresholds.wastedShare.value,
        least: Self.wastedRequests.value)
      return evidence.map {
        finding(of: .list(list.name), $0, details: Finding.Details(of: all))
      }
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
      let evidence = context.evidence(
        of: list.evidence.wastedCells, of: all, share: FindingThresholds.wastedShare.value,
        least: Self.wastedCells.value)
      return evidence.map {
        finding(of: .list(list.name), $0, details: Finding.Details(of: all))
      }
    }
  }
}
