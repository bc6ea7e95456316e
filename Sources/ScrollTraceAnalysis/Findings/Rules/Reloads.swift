import ScrollTraceModel

/// Snapshots that inserted or deleted items and discarded the cells of those that stayed.
struct SnapshotReload: FindingRule {
  static let id = FindingID.snapshotReload
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.reloadedItems, FindingThresholds.reloadTime, FindingThresholds.lateFrameShare,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let reloads = list.evidence.wholeReloads
      return finding(
        of: list, reloads, count: reloads.snapshots, Evidence(reloads: reloads), in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let reloads: ReloadEvidence

    var title: Phrase { "snapshots discard all cells" }
    var sentence: Phrase {
      "\(reloads.snapshots, "snapshot") gave a new cell to \(reloads.items, "item") that"
        + " stayed\(reloads.cost)"
    }
    var facts: Finding.Facts { reloads.facts }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Apply the differences between stable identifiers instead of a reload, also without"
        + " animation\(.applyDifferences, of: toolkit)."
    }
  }
}

/// Items that got new cells in snapshots that changed only their content.
struct ReloadInsteadOfReconfigure: FindingRule {
  static let id = FindingID.reloadInsteadOfReconfigure
  static let thresholds: [any NamedThreshold] = SnapshotReload.thresholds

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let reloads = list.evidence.itemReloads
      return finding(
        of: list, reloads, count: reloads.items, Evidence(reloads: reloads), in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let reloads: ReloadEvidence

    var title: Phrase { "items that only change get new cells" }
    var sentence: Phrase {
      "\(reloads.items, "item") got a new cell in \(reloads.snapshots, "snapshot") without"
        + " insertions or deletions\(reloads.cost)"
    }
    var facts: Finding.Facts { reloads.facts }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Reconfigure the items, so that their cells get the new"
        + " content\(.reconfigureItem, of: toolkit)."
    }
  }
}

extension ReloadEvidence {
  fileprivate var cost: Phrase { cells.count > 0 ? ", which took \(cells.total)" : "" }

  fileprivate var facts: Finding.Facts {
    [("items", .count(items)), ("snapshots", .count(snapshots)), ("cells", .count(cells.count))]
  }
}

extension FindingRule {
  /// Creates a finding if enough items got new cells.
  fileprivate func finding(
    of list: ListAnalysis, _ reloads: ReloadEvidence, count: Int, _ evidence: some FindingEvidence,
    in context: FindingContext
  ) -> Finding? {
    guard reloads.items >= FindingThresholds.reloadedItems.value else { return nil }
    let late = context.lateWork(reloads.windows)
    let cells = reloads.cells
    return finding(
      of: list, late, count: count, total: cells.count > 0 ? cells.total : nil,
      worst: cells.worst, evidence, in: context, certainty: .named)
  }
}
