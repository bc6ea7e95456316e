import ScrollTraceModel

/// Snapshots that inserted or deleted items and discarded the cells of those that stayed, or a toolkit's
/// reload or update of a list.
struct SnapshotReload: FindingRule {
  static let id = FindingID.snapshotReload
  private static let fix: Phrase =
    "Apply the differences between stable identifiers instead of a reload, even without"
    + " animation"

  func findings(in context: FindingContext) -> [Finding] {
    let snapshots = context.lists.compactMap { list in
      let reloads = list.evidence.wholeReloads
      return finding(
        of: list, reloads, count: reloads.snapshots,
        title: reloads.cells.count > 0
          ? "snapshots discard all cells" : "snapshots reload all items",
        sentence: "\(reloads.snapshots, "snapshot") reloaded \(reloads.items, "item") that stayed",
        fix: Self.fix + "\(.applyDifferences, of: context.toolkit).", in: context)
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
        var changed = cause
        changed.cause = part
        return WorkParts(of: changed, context).flatMap { parts in
          parts.count >= FindingThresholds.reloadedItems ? parts : nil
        }
      }
      let cells = many(.whole(reload)) ?? (isOfCells ? many(.work(work)) : nil)
      guard work.isReload || cells != nil, named.insert(reload).inserted else { return nil }
      let title = cells.phrase { cells in
        let prepares: Phrase =
          reload.isReload
          ? "prepares \(cells.count, "cell") again" : "has \(cells.count, "cell") prepared at once"
        return "\(reload) \(prepares), \(cells.length) each"
      }.ifEmpty("\(reload) reloads a whole list")
      return finding(
        of: cause,
        PlainEvidence(
          title: title,
          sentence: "it took \(cause.time) in \(cause.hitches.count, "late frame")",
          facts: [
            ("items", .count(nil)), ("snapshots", .count(nil)), ("cells", .count(cells?.count)),
          ],
          fix: reload.isReload
            ? Self.fix + "\(.applyDifferences, of: context.toolkit)."
            : "Compare items by stable identifiers and content\(.applyDifferences, of: context.toolkit),"
              + " so that only those that changed are prepared again\(.reconfigureItem, of: context.toolkit)."
        ),
        in: context, certainty: .named)
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
        title: reloads.cells.count > 0
          ? "items that only change get new cells" : "items that only change are reloaded",
        sentence: "\(reloads.snapshots, "snapshot") without insertions or deletions reloaded"
          + " \(reloads.items, "item") in all",
        fix: "Reconfigure the items, so that their cells get the new"
          + " content\(.reconfigureItem, of: context.toolkit).", in: context)
    }
  }
}

extension FindingRule {
  /// Creates a finding if enough items were reloaded, and not only the snapshots themselves took long, which
  /// `LongSnapshot` says.
  fileprivate func finding(
    of list: ListAnalysis, _ reloads: ReloadEvidence, count: Int, title: Phrase, sentence: Phrase,
    fix: Phrase, in context: FindingContext
  ) -> Finding? {
    let isNamed =
      reloads.cells.count == 0 && list.snapshots.contains { $0.kind == "reload" }
      && context.found.contains { $0.id == .longSnapshot && $0.subject == .list(list.name) }
    guard reloads.items >= FindingThresholds.reloadedItems, !isNamed else { return nil }
    let (cells, inView) = (reloads.cells, list.evidence.maximumInView)
    // A host reports how many items it reloaded; how many of them had a cell, only the cells say.
    let cost: Phrase =
      cells.count > 0
      ? ", and preparing \(cells.count, "cell") again took \(cells.total)"
      : inView > 0 ? ", for at most \(inView, "visible cell")" : ""
    return finding(
      of: list, context.lateWork(reloads.windows), count: count,
      total: cells.count > 0 ? cells.total : nil, worst: cells.worst,
      PlainEvidence(
        title: title, sentence: sentence + cost,
        facts: [
          ("items", .count(reloads.items)), ("snapshots", .count(reloads.snapshots)),
          ("cells", .count(cells.count)),
        ], fix: fix), in: context, certainty: .named)
  }
}
