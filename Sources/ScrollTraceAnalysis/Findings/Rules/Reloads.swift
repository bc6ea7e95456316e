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
        of: list, reloads, count: reloads.snapshots,
        Evidence(reloads: reloads, inView: list.evidence.maximumInView), in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let reloads: ReloadEvidence
    let inView: Int

    var title: Phrase {
      reloads.cells.count > 0 ? "snapshots discard all cells" : "snapshots reload all items"
    }
    var sentence: Phrase {
      "\(reloads.snapshots, "snapshot") reloaded \(reloads.items, "item") that stayed"
        + reloads.cost(inView: inView)
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
        of: list, reloads, count: reloads.items,
        Evidence(reloads: reloads, inView: list.evidence.maximumInView), in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let reloads: ReloadEvidence
    let inView: Int

    var title: Phrase {
      reloads.cells.count > 0
        ? "items that only change get new cells" : "items that only change are reloaded"
    }
    var sentence: Phrase {
      "\(reloads.snapshots, "snapshot") without insertions or deletions reloaded"
        + " \(reloads.items, "item") in all" + reloads.cost(inView: inView)
    }
    var facts: Finding.Facts { reloads.facts }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Reconfigure the items, so that their cells get the new"
        + " content\(.reconfigureItem, of: toolkit)."
    }
  }
}

extension ReloadEvidence {
  /// What the reloads cost. A host reports how many items it reloaded; how many of them had a cell, only the
  /// cells say.
  fileprivate func cost(inView: Int) -> Phrase {
    if cells.count > 0 {
      return ", and preparing \(cells.count, "cell") again took \(cells.total)"
    }
    return inView > 0 ? ", for at most \(inView, "visible cell")" : ""
  }

  fileprivate var facts: Finding.Facts {
    [("items", .count(items)), ("snapshots", .count(snapshots)), ("cells", .count(cells.count))]
  }
}

extension FindingRule {
  /// Creates a finding if enough items were reloaded, and not only the snapshots themselves took long, which
  /// `LongSnapshot` says.
  fileprivate func finding(
    of list: ListAnalysis, _ reloads: ReloadEvidence, count: Int, _ evidence: some FindingEvidence,
    in context: FindingContext
  ) -> Finding? {
    let isNamed =
      reloads.cells.count == 0 && list.snapshots.contains { $0.kind == "reload" }
      && context.found.contains { $0.id == .longSnapshot && $0.subject == .list(list.name) }
    guard reloads.items >= FindingThresholds.reloadedItems.value, !isNamed else { return nil }
    let late = context.lateWork(reloads.windows)
    let cells = reloads.cells
    return finding(
      of: list, late, count: count, total: cells.count > 0 ? cells.total : nil,
      worst: cells.worst, evidence, in: context, certainty: .named)
  }
}
