extension FindingID {
  package static let lateData = FindingID("lateData")
}

/// Cells that were displayed in motion and waited for their data.
struct LateData: FindingRule {
  static let id = FindingID.lateData
  static let thresholds: [any NamedThreshold] = [lateDataShare, lateDataCells]

  private static let lateDataShare = Threshold(
    "lateDataShare", 0.25, source: "A reader notices one placeholder in four.")
  private static let lateDataCells = Threshold(
    "lateDataCells", 3, source: "One or two may be chance.")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let all = list.evidence.displayedInMotion
      let evidence = context.evidence(
        of: list.evidence.waits, of: all, share: Self.lateDataShare.value,
        least: Self.lateDataCells.value)
      return evidence.map {
        finding(of: .list(list.name), $0, details: Finding.Details(of: all))
      }
    }
  }
}
