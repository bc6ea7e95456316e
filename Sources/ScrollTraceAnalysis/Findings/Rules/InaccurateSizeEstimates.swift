import ScrollTraceModel

/// Estimated sizes of cells that were far off.
struct InaccurateSizeEstimates: FindingRule {
  static let id = FindingID.inaccurateSizeEstimates
  /// If more than half of the estimates are right, the content hardly moves.
  private static let correctedShare = 0.5
  /// A quarter of a cell visibly moves the content below it.
  private static let sizeError = 0.25

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      guard let sizes = list.sizes, list.evidence.size > 0 else { return nil }
      // The mean error as a part of the true size; it may be more than one.
      let error = sizes.error / list.evidence.size
      guard sizes.corrected >= FindingThresholds.minimumCells, error >= Self.sizeError,
        Double(sizes.corrected) > Self.correctedShare * Double(sizes.estimated)
      else { return nil }
      return finding(
        of: .list(list.name), Finding.Measures(count: sizes.corrected),
        PlainEvidence(
          title: "size estimates of cells are far off",
          sentence:
            "\(sizes.corrected) of \(sizes.estimated, "estimate") corrected, by \(share: error) of the"
            + " true size on average",
          facts: [("of", .count(sizes.estimated)), ("error", .number(error))],
          fix: "Estimate from the sizes measured so far, with a running average for each kind of"
            + " cell\(.estimateSizes, of: context.toolkit)."), in: context)
    }
  }
}
