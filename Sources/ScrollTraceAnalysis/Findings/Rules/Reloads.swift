import ScrollTraceModel

extension FindingID {
  package static let snapshotReload = FindingID("snapshotReload")
  package static let reloadInsteadOfReconfigure = FindingID("reloadInsteadOfReconfigure")
}

/// Snapshots that inserted or deleted items and discarded the cells of those that stayed.
struct SnapshotReload: FindingRule {
  static let id = FindingID.snapshotReload
  static let proposedChange: ProposedChange? = .applyDifferences
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.reloadedItems, FindingThresholds.reloadTime,
    FindingThresholds.lateFrameShare,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let reloads = list.evidence.wholeReloads
      return finding(
        of: list, reloads, count: reloads.snapshots, details: Finding.Details(of: reloads.items),
        in: context)
    }
  }
}

/// Items that got new cells in snapshots that changed only their content.
struct ReloadInsteadOfReconfigure: FindingRule {
  static let id = FindingID.reloadInsteadOfReconfigure
  static let proposedChange: ProposedChange? = .reconfigureItems
  static let thresholds: [any NamedThreshold] = SnapshotReload.thresholds

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let reloads = list.evidence.itemReloads
      return finding(
        of: list, reloads, count: reloads.items, details: Finding.Details(of: reloads.snapshots),
        in: context)
    }
  }
}

extension FindingRule {
  /// Creates a finding if enough items got new cells.
  fileprivate func finding(
    of list: ListAnalysis, _ reloads: ReloadEvidence, count: Int, details: Finding.Details,
    in context: FindingContext
  ) -> Finding? {
    guard reloads.items >= FindingThresholds.reloadedItems.value else { return nil }
    let late = context.lateWork(reloads.windows)?.evidence
    let cells = reloads.cells
    var evidence = Finding.Evidence(count: count)
    evidence.total = cells.count > 0 ? cells.total : nil
    evidence.hitches = late?.hitches ?? 0
    evidence.hitchTime = late?.hitchTime ?? .zero
    evidence.worst = late?.worst ?? cells.worst.map { Finding.Occurrence(frame: nil, time: $0) }
    return finding(of: .list(list.name), evidence, details: details)
  }
}
