import ScrollTraceModel

extension FindingID {
  package static let expensiveCells = FindingID("expensiveCells")
}

/// Creating or configuring cells that most of the hitch time is attributed to (M-16), where no other
/// finding about lists explains it or a single cell is too expensive.
struct ExpensiveCells: FindingRule {
  static let id = FindingID.expensiveCells
  static let thresholds: [any NamedThreshold] = [FindingThresholds.explainedShare, cellPart]

  private static let cellPart = Threshold(
    "expensiveCellPart", 1.0,
    source: "A cell that takes a whole refresh is too expensive even if it is prepared ahead.")

  /// The findings that explain why many cells of an ordinary cost make a frame late.
  private static let explanations: Set<FindingID> = [
    .preparedOnDemandWhileIdle, .jumps, .noReuse, .snapshotReload, .reloadInsteadOfReconfigure,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    let causes = context.workCauses(atLeast: FindingThresholds.explainedShare.value)
    return causes.compactMap { cause in
      guard WorkTopic(cause.work) == .cells, !HeavyWillDisplay.isWillDisplay(cause.work.name ?? ""),
        !context.hasFinding(.expensiveItem, about: cause.work)
      else { return nil }
      let costs = WorkCosts(of: cause.work, in: context)
      let isExpensive =
        if let cell = costs?.lateMedian, let interval = cause.surface.refreshInterval {
          FindingContext.isPart(Self.cellPart.value, cell, of: interval)
        } else { false }
      let explained =
        context.found.filter { Self.explanations.contains($0.id) }
        .map(\.evidence.hitchTime).max() ?? .zero
      guard
        isExpensive
          || !FindingContext.isPart(
            FindingThresholds.explainedShare.value, explained, of: cause.evidence.hitchTime)
      else { return nil }
      var details = Finding.Details(work: cause.work, of: costs?.count, share: cause.share)
      details.topic = .cells
      if let costs { details.add(costs, items: 3) }
      var finding = finding(of: .surface(cause.surface.name), cause.evidence, details: details)
      finding.proposedChange = .speedup(cause.work, percent: 50)
      return finding
    }
  }
}
