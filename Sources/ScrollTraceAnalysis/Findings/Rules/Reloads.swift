import ScrollTraceModel

/// Snapshots that inserted or deleted items and discarded the cells of those that stayed, or a toolkit's
/// reload or update of a list.
struct SnapshotReload: FindingRule {
  static let id = FindingID.snapshotReload
  private static let fix: Phrase =
    "Apply the differences between stable identifiers instead of a reload, also without"
    + " animation"

  func findings(in context: FindingContext) -> [Finding] {
    let snapshots = context.lists.compactMap { list in
      let reloads = list.evidence.wholeReloads
      return finding(
        of: list, reloads, count: reloads.snapshots,
        Evidence(reloads: reloads, inView: list.evidence.maximumInView), in: context)
    }
    return snapshots.isEmpty ? reloads(in: context) : snapshots
  }

  /// The toolkits' reloads that are causes, or in which most of the work of one is done, and the reloads and
  /// updates after which a cause prepares many cells in the same frame. Cells that are created are new, so the
  /// reload is not at fault, unless it discards the others.
  private func reloads(in context: FindingContext) -> [Finding] {
    let hasReloads = context.trace.labels.allIDs.contains {
      let work = context.workload.names[$0]
      return work.isReload || work.isListUpdate
    }
    guard hasReloads else { return [] }
    var named: Set<WorkName> = []
    return context.openCauses.compactMap { cause in
      guard let work = cause.ownWork else { return nil }
      let topic = WorkTopic(work)
      let isOfCells = topic == .cells || topic == .views
      let parts = WorkParts(of: cause, context)
      guard
        let reload = work.isReload ? work : parts?.reload ?? (isOfCells ? parts?.update : nil),
        reload.isModelReset || !WorkTopic.createsViews(work)
      else { return nil }
      func many(_ part: RemovableCause) -> WorkParts? {
        let part = HitchCause(
          cause: part, surface: cause.surface, hitches: cause.hitches, time: cause.time,
          window: cause.window, removable: cause.removable)
        return WorkParts(of: part, context).flatMap { parts in
          parts.count >= FindingThresholds.reloadedItems ? parts : nil
        }
      }
      let cells = many(.whole(reload)) ?? (isOfCells ? many(.work(work)) : nil)
      guard work.isReload || cells != nil, named.insert(reload).inserted else { return nil }
      let evidence = NamedEvidence(
        reload: reload, cells: cells?.count, each: cells?.length, time: cause.time,
        hitches: cause.hitches.count)
      return finding(of: cause, evidence, in: context, certainty: .named)
    }
  }

  /// A reload or an update by the name of the toolkit's function.
  private struct NamedEvidence: FindingEvidence {
    let reload: WorkName
    /// The number of cells in it, or `nil` if unknown.
    let cells: Int?
    /// How long one takes.
    let each: TimeSpan?
    let time: TimeSpan
    let hitches: Int

    var title: Phrase {
      cells.phrase { cells in
        let prepares: Phrase =
          reload.isReload
          ? "prepares \(cells, "cell") again" : "has \(cells, "cell") prepared at once"
        return "\(reload) \(prepares)\(each.phrase { ", \($0) each" })"
      }.ifEmpty("\(reload) reloads a whole list")
    }
    var sentence: Phrase { "it took \(time) in \(hitches, "late frame")" }
    var facts: Finding.Facts {
      [("items", .count(nil)), ("snapshots", .count(nil)), ("cells", .count(cells))]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      reload.isReload
        ? SnapshotReload.fix + "\(.applyDifferences, of: toolkit)."
        : "Compare items by stable identifiers and content\(.applyDifferences, of: toolkit), so that only"
          + " those that changed are prepared again\(.reconfigureItem, of: toolkit)."
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
      SnapshotReload.fix + "\(.applyDifferences, of: toolkit)."
    }
  }
}

/// Items that got new cells in snapshots that changed only their content.
struct ReloadInsteadOfReconfigure: FindingRule {
  static let id = FindingID.reloadInsteadOfReconfigure

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
    guard reloads.items >= FindingThresholds.reloadedItems, !isNamed else { return nil }
    let late = context.lateWork(reloads.windows)
    let cells = reloads.cells
    return finding(
      of: list, late, count: count, total: cells.count > 0 ? cells.total : nil,
      worst: cells.worst, evidence, in: context, certainty: .named)
  }
}
