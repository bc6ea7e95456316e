import ScrollTraceModel

/// Cells created although others had been returned, or under a registration each.
struct NoReuse: FindingRule {
  static let id = FindingID.noReuse
  /// Up to this rate no cell is reused but by chance.
  private static let reuseRate = 0.05
  /// A few cells share a registration even so.
  private static let registrationShare = 0.8
  /// A list retains about one screen of cells above and one below.
  private static let viewsRetained = 3

  func findings(in context: FindingContext) -> [Finding] {
    let cause = context.openCauses.first { $0.ownWork?.listWord == .create }
    return context.lists.compactMap { finding(of: $0, cause, in: context) }
  }

  private func finding(
    of list: ListAnalysis, _ cause: HitchCause?, in context: FindingContext
  ) -> Finding? {
    let cells = list.cells
    let created = max(cells.created, cells.createdBySteps)
    guard created >= FindingThresholds.minimumCells else { return nil }
    let rate =
      cells.reuseRate
      ?? Double(max(0, cells.preparedBySteps - created)) / Double(max(1, cells.preparedBySteps))
    guard rate <= Self.reuseRate else { return nil }
    let hasRegistrationForEachCell =
      cells.prepared > 0
      && Double(cells.registrationsWithoutReuse)
        >= Self.registrationShare * Double(cells.prepared)
    let maximumInView = list.evidence.maximumInView
    let hasReturned = maximumInView > 0 && created / Self.viewsRetained >= maximumInView
    // A host that does not say what it displays creates cells in late frames again and again.
    guard hasRegistrationForEachCell || hasReturned || maximumInView == 0 && cause != nil else {
      return nil
    }
    let step = cells.steps.first { $0.name == "create" }
    let cost = step.map { TimeSpan(nanoseconds: $0.total.nanoseconds / Int64(max(1, $0.count))) }
    let prepared = max(cells.prepared, cells.preparedBySteps)
    let each = cost.phrase { ", and creating one takes \($0)" }
    let late = (cause?.hitches.count).phrase { ", in \($0, "late frame")" }
    let evidence = PlainEvidence(
      title: hasRegistrationForEachCell
        ? "every cell has its own registration, so none is reused" : "cells are not reused",
      sentence: "\(max(0, prepared - created)) of \(prepared, "cell") were reused\(each)\(late)",
      facts: [
        ("created", .count(created)), ("prepared", .count(prepared)), ("costNs", .time(cost)),
        ("registrationForEachCell", .flag(hasRegistrationForEachCell)),
      ],
      fix: hasRegistrationForEachCell
        ? "Create the registration once, outside the code that provides"
          + " cells\(.registerCells, of: context.toolkit), so that cells are reused."
        : "Return cells when they leave the view, and dequeue them for the next items of their"
          + " kind\(.reuseCells, of: context.toolkit).")
    if let cause {
      return finding(
        of: cause, subject: .list(list.name), count: created, evidence, in: context,
        certainty: .named)
    }
    return finding(
      of: list, context.lateWork(list.evidence.created), count: created, total: step?.total,
      evidence, in: context, certainty: .kind)
  }
}

extension CellMeasures {
  /// The number of created cells by the steps of preparations.
  fileprivate var createdBySteps: Int { steps.first { $0.name == "create" }?.count ?? 0 }
  /// The number of prepared cells by the steps of preparations.
  fileprivate var preparedBySteps: Int {
    max(prepared, steps.first { $0.name == "configure" }?.count ?? 0, createdBySteps)
  }
}
