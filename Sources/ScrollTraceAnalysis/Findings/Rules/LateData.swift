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
      let all = list.evidence.displayedInMotion
      let evidence = context.measures(
        of: list.evidence.waits, of: all, share: Self.lateDataShare.value,
        minimum: Self.lateDataCells.value)
      return evidence.map {
        finding(
          of: .list(list.name), $0, Evidence(cells: $0.count, all: all, total: $0.total),
          in: context)
      }
    }
  }

  private struct Evidence: FindingEvidence {
    let cells: Int
    let all: Int
    let total: TimeSpan?

    var title: Phrase { "cells are displayed before their data is loaded" }
    var sentence: Phrase {
      let total = total.phrase { ", for \($0) in all" }
      return
        "\(cells) of \(all, "cell") in motion were displayed before their data was ready\(total)"
    }
    var facts: Finding.Facts { [("of", .count(all))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Request data before the cell appears, and earlier still if it takes"
        + " long\(.prefetchData, of: toolkit), in the order of the items."
    }
  }
}
