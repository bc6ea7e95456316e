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
      minimum: Self.lateDataCells, in: context, Evidence.init)
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
