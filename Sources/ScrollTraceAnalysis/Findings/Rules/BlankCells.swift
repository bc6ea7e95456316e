extension FindingID {
  package static let blankCells = FindingID("blankCells")
}

/// Cells that showed placeholders while they moved, so that the list traded hitches for blanks (M-27).
struct BlankCells: FindingRule {
  static let id = FindingID.blankCells
  static let thresholds: [any NamedThreshold] = [blankRatio]

  private static let blankRatio = Threshold(
    "blankRatio", RatedHitches.usualBlankRatio,
    source: "Above it, a run without hitches is rated a warning (M-27).")

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      guard let blank = list.blank, let ratio = blank.ratio, ratio > Self.blankRatio.value else {
        return nil
      }
      var evidence = Finding.Evidence(
        count: list.images.placeholders?.count ?? 0, total: blank.time)
      evidence.worst = blank.longestStart.map { Finding.Occurrence(frame: nil, time: $0) }
      return finding(
        of: .list(list.name), evidence, details: Finding.Details(of: list.images.neverFinal))
    }
  }
}
