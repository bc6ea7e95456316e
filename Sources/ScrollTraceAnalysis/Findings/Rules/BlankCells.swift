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
      let neverFinal = list.images.neverFinal
      let never: Phrase = neverFinal > 0 ? "; \(neverFinal) never got content" : ""
      return finding(
        of: .list(list.name), measures,
        PlainEvidence(
          title: "cells show placeholders instead of content",
          sentence: "\(measures.count, "placeholder"), \(blank.time) of blank time\(never)",
          facts: [("neverFinal", .count(neverFinal))],
          fix:
            "Load and decode ahead of the scroll, the nearest items first, and check that every request"
            + " ends in content or in an error that the cell shows."), in: context)
    }
  }
}
