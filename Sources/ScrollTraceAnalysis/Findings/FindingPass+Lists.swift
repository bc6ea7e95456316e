import ScrollTraceModel

extension FindingPass {
  // MARK: - Work of a list in late frames

  /// Images, data and cells that a list works on when frames wait for them.
  func lateWork(of list: ListAnalysis, _ spare: IdleTimes) -> [Finding] {
    var found: [Finding] = []
    func add(_ kind: Finding.Kind, _ evidence: Finding.Evidence) {
      found.append(Finding(kind: kind, subject: .list(list.name), evidence: evidence))
    }
    if let decodes = lateWork(list.evidence.decodes) {
      add(.decodeOnMainThread(item: item(of: decodes.longest)), decodes.evidence)
    }
    if let loads = lateWork(list.evidence.loads) {
      add(.loadOnMainThread(item: item(of: loads.longest)), loads.evidence)
    }
    if let cells = lateWork(list.evidence.onDemand, where: { spare[$0.window] >= $0.total }) {
      let time = cells.sums.reduce(TimeSpan.zero) { $0 + spare[$1.window] }
      add(.preparedOnDemandWhileIdle(spare: time), cells.evidence)
    }
    if let finding = reuse(of: list) { found.append(finding) }
    return found
  }

  /// The item that arguments name, as the source writes it.
  private func item(of arguments: ArgumentListID) -> String? {
    guard let key = trace.strings.firstID(of: "item") else { return nil }
    return trace.arguments.value(of: key, in: arguments).map(trace.text)
  }

  /// Cells that are made although others have been given back.
  private func reuse(of list: ListAnalysis) -> Finding? {
    let cells = list.cells
    guard cells.created >= FindingThresholds.leastCells, let rate = cells.reuseRate,
      rate <= FindingThresholds.reuseRate
    else { return nil }
    let hasRegistrationForEach =
      Double(cells.registrationsWithoutReuse)
      >= FindingThresholds.registrationShare * Double(cells.prepared)
    let mostInView = list.evidence.mostInView
    let hasGivenBack =
      mostInView > 0 && cells.created / FindingThresholds.viewsKept >= mostInView
    guard hasRegistrationForEach || hasGivenBack else { return nil }
    let late = lateWork(list.evidence.created)?.evidence
    var evidence = Finding.Evidence(count: cells.created)
    evidence.total = cells.steps.first { $0.name == "create" }?.total
    evidence.hitches = late?.hitches ?? 0
    evidence.hitchTime = late?.hitchTime ?? .zero
    evidence.worst = late?.worst
    return Finding(
      kind: .noReuse(hasRegistrationForEach: hasRegistrationForEach),
      subject: .list(list.name), evidence: evidence)
  }

  // MARK: - Snapshots

  /// Snapshots that throw cells away which could have stayed.
  func reloads(of list: ListAnalysis) -> [Finding] {
    func finding(
      _ kind: Finding.Kind, _ reloads: ReloadEvidence, count: Int
    ) -> Finding? {
      guard reloads.items >= FindingThresholds.reloadedItems else { return nil }
      let late = lateWork(reloads.windows)?.evidence
      let cells = reloads.cells
      var evidence = Finding.Evidence(count: count)
      evidence.total = cells.count > 0 ? cells.total : nil
      evidence.hitches = late?.hitches ?? 0
      evidence.hitchTime = late?.hitchTime ?? .zero
      evidence.worst =
        late?.worst ?? cells.worst.map { Finding.Occurrence(frame: nil, time: $0) }
      return Finding(kind: kind, subject: .list(list.name), evidence: evidence)
    }
    let (items, whole) = (list.evidence.itemReloads, list.evidence.wholeReloads)
    return [
      finding(
        .reloadInsteadOfReconfigure(snapshots: items.snapshots), items, count: items.items),
      finding(.snapshotReload(items: whole.items), whole, count: whole.snapshots),
    ].compactMap { $0 }
  }

  // MARK: - Ahead for nothing, and too late

  /// What was done ahead for nothing.
  func waste(of list: ListAnalysis) -> [Finding] {
    let evidence = list.evidence
    let requests = list.data.prefetches
    return [
      finding(
        .preparedNeverShown(of: list.cells.preparedAhead), list, evidence.wastedCells,
        of: list.cells.preparedAhead, share: FindingThresholds.wastedShare,
        least: FindingThresholds.wastedCells),
      finding(
        .prefetchedNeverShown(of: requests), list, evidence.unseenRequests, of: requests,
        share: FindingThresholds.wastedShare, least: FindingThresholds.wastedRequests),
      finding(
        .prefetchNotCancelled(of: requests), list, evidence.uncancelledRequests, of: requests, share: 0,
        least: FindingThresholds.uncancelledRequests),
      finding(
        .lateData(of: evidence.shownInMotion), list, evidence.waits, of: evidence.shownInMotion,
        share: FindingThresholds.lateDataShare, least: FindingThresholds.lateData),
    ].compactMap { $0 }
  }

  /// A finding of what was counted, where it is more than a share of all and not too few.
  private func finding(
    _ kind: Finding.Kind, _ list: ListAnalysis, _ seen: TimedCount, of all: Int, share: Double,
    least: Int
  ) -> Finding? {
    guard seen.count >= least, Double(seen.count) > share * Double(all) else { return nil }
    var evidence = Finding.Evidence(count: seen.count)
    evidence.total = seen.total > .zero ? seen.total : nil
    evidence.worst = seen.worst.map { Finding.Occurrence(frame: nil, time: $0) }
    return Finding(kind: kind, subject: .list(list.name), evidence: evidence)
  }

  // MARK: - Contents

  /// Results in wrong cells, and sizes that were guessed far off.
  func contents(of list: ListAnalysis) -> [Finding] {
    var found: [Finding] = []
    let late = finding(
      .staleResultInReusedCell, list, list.evidence.staleResults, of: 0, share: 0, least: 1)
    if let late { found.append(late) }
    if let sizes = list.sizes, list.evidence.size > 0 {
      let error = sizes.error / list.evidence.size
      if sizes.corrected >= FindingThresholds.leastCells, error >= FindingThresholds.sizeError,
        Double(sizes.corrected) > FindingThresholds.correctedShare * Double(sizes.guessed)
      {
        found.append(
          Finding(
            kind: .inaccurateSizeEstimates(of: sizes.guessed, error: error), subject: .list(list.name),
            evidence: Finding.Evidence(count: sizes.corrected)))
      }
    }
    return found
  }
}
