extension FindingID {
  package static let inaccurateSizeEstimates = FindingID("inaccurateSizeEstimates")
}

/// Estimated sizes of cells that were far off.
struct InaccurateSizeEstimates: FindingRule {
  static let id = FindingID.inaccurateSizeEstimates
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.leastCells, correctedShare, sizeError,
  ]

  private static let correctedShare = Threshold(
    "correctedShare", 0.5, source: "Estimates that are mostly right do not move the content.")
  private static let sizeError = Threshold(
    "sizeError", 0.25, source: "A quarter of a cell visibly moves the content below it.")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      guard let sizes = list.sizes, list.evidence.size > 0 else { return nil }
      let error = sizes.error / list.evidence.size
      guard sizes.corrected >= FindingThresholds.leastCells.value, error >= Self.sizeError.value,
        Double(sizes.corrected) > Self.correctedShare.value * Double(sizes.estimated)
      else { return nil }
      return finding(
        of: .list(list.name), Finding.Evidence(count: sizes.corrected),
        details: Finding.Details(of: sizes.estimated, share: error))
    }
  }
}
