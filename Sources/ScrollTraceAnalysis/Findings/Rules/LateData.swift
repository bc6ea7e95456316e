import ScrollTraceModel

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
      finding(
        of: list, list.evidence.waits, of: list.evidence.displayedInMotion,
        share: Self.lateDataShare.value, minimum: Self.lateDataCells, in: context, Evidence.init)
    }
  }

  private struct Evidence: FindingEvidence {
    let late: Finding.Measures
    let all: Int

    var title: Phrase { "cells are displayed before their data is loaded" }
    var sentence: Phrase {
      let total = late.total.phrase { ", for \($0) in all" }
      return
        "\(late.count) of \(all, "cell") in motion were displayed before their data was ready\(total)"
    }
    var facts: Finding.Facts { [("of", .count(all))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Request data before the cell appears, and earlier still if it takes"
        + " long\(.prefetchData, of: toolkit), in the order of the items."
    }
  }
}
