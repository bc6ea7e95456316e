import ScrollTraceModel

/// Cells prepared in late frames more than a view away from the one before, which no list can prepare ahead.
struct Jumps: FindingRule {
  static let id = FindingID.jumps

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      guard let work = context.lateWork(list.evidence.afterJump) else { return nil }
      return finding(
        of: list, work,
        PlainEvidence(
          title: "jumps need many cells at once",
          sentence: "\(work.measures.lateCells), a view or more away from the cells before",
          fix:
            "No list can prepare cells for a jump. Display placeholders first and fill them in over the"
            + " next frames, or jump in two steps: without animation to a position near the"
            + " target\(.jump, of: context.toolkit), then scroll the rest."),
        in: context, certainty: .named)
    }
  }
}

extension Finding.Measures {
  /// How long cells took in late frames.
  var lateCells: Phrase { "\(count, "cell") took \(total ?? .zero) in \(hitches, "late frame")" }
}
