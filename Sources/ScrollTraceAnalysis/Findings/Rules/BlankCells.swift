import ScrollTraceModel

/// Cells that showed placeholders while they moved, so that the list traded hitches for blanks (M-27).
struct BlankCells: FindingRule {
  static let id = FindingID.blankCells
  /// Above it, a run without hitches is rated a warning (M-27).
  private static let blankRatio = RatedHitches.usualBlankRatio

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      guard let blank = list.blank, let ratio = blank.ratio, ratio > Self.blankRatio else {
        return nil
      }
      let measures = Finding.Measures(
        count: list.images.placeholderCount, total: blank.time,
        worst: blank.longestStart.map { Finding.Occurrence(frame: nil, time: $0) })
      return finding(
        of: .list(list.name), measures,
        Evidence(
          placeholders: measures.count, time: blank.time, neverFinal: list.images.neverFinal),
        in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let placeholders: Int
    let time: TimeSpan
    let neverFinal: Int

    var title: Phrase { "cells show placeholders instead of content" }
    var sentence: Phrase {
      let never: Phrase = neverFinal > 0 ? "; \(neverFinal) never got content" : ""
      return "\(placeholders, "placeholder"), \(time) of blank time\(never)"
    }
    var facts: Finding.Facts { [("neverFinal", .count(neverFinal))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Load and decode ahead of the scroll, the nearest items first, and check that every request"
        + " ends in content or in an error that the cell shows."
    }
  }
}
