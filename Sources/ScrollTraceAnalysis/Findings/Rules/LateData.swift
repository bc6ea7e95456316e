import ScrollTraceModel

/// Cells that were displayed in motion and waited for their data.
struct LateData: FindingRule {
  static let id = FindingID.lateData
  /// A reader notices one placeholder in four.
  private static let lateDataShare = 0.25
  /// One or two may be chance.
  private static let lateDataCells = 3

  func findings(in context: FindingContext) -> [Finding] {
    findings(
      of: \.evidence.waits, outOf: \.evidence.displayedInMotion, share: Self.lateDataShare,
      minimum: Self.lateDataCells, in: context
    ) { late, all in
      let total = late.total.phrase { ", for \($0) in all" }
      return PlainEvidence(
        title: "cells are displayed before their data is loaded",
        sentence:
          "\(late.count) of \(all, "cell") in motion were displayed before their data was ready\(total)",
        facts: [("of", .count(all))],
        fix: "Request data before the cell appears, and earlier still if it takes"
          + " long\(.prefetchData, of: context.toolkit), in the order of the items.")
    }
  }
}
