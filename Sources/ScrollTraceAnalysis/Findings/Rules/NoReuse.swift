import ScrollTraceModel

extension FindingID {
  package static let noReuse = FindingID("noReuse")
}

/// Cells created although others had been returned, or under a registration each.
struct NoReuse: FindingRule {
  static let id = FindingID.noReuse
  static let proposedChange: ProposedChange? = .reuseCells
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.leastCells, reuseRate, registrationShare, viewsRetained,
  ]

  private static let reuseRate = Threshold(
    "reuseRate", 0.05, source: "Up to this rate no cell is reused but by chance.")
  private static let registrationShare = Threshold(
    "registrationShare", 0.8, source: "A few cells share a registration even so.")
  private static let viewsRetained = Threshold(
    "viewsRetained", 3, source: "A list retains about one screen of cells above and one below.")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { finding(of: $0, in: context) }
  }

  private func finding(of list: ListAnalysis, in context: FindingContext) -> Finding? {
    let cells = list.cells
    guard cells.created >= FindingThresholds.leastCells.value, let rate = cells.reuseRate,
      rate <= Self.reuseRate.value
    else { return nil }
    let hasRegistrationForEachCell =
      Double(cells.registrationsWithoutReuse)
      >= Self.registrationShare.value * Double(cells.prepared)
    let mostInView = list.evidence.mostInView
    let hasReturned = mostInView > 0 && cells.created / Self.viewsRetained.value >= mostInView
    guard hasRegistrationForEachCell || hasReturned else { return nil }
    let late = context.lateWork(list.evidence.created)?.evidence
    var evidence = Finding.Evidence(count: cells.created)
    evidence.total = cells.steps.first { $0.name == "create" }?.total
    evidence.hitches = late?.hitches ?? 0
    evidence.hitchTime = late?.hitchTime ?? .zero
    evidence.worst = late?.worst
    return finding(
      of: .list(list.name), evidence,
      details: Finding.Details(hasRegistrationForEachCell: hasRegistrationForEachCell))
  }
}
