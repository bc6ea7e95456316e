import ScrollTraceModel

extension FindingID {
  package static let jumps = FindingID("jumps")
}

/// Cells prepared in late frames more than a view away from the one before, which no list can prepare ahead.
struct Jumps: FindingRule {
  static let id = FindingID.jumps
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.lateFrameShare, FindingThresholds.leastView,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      context.lateWork(list.evidence.afterJump).map {
        finding(
          of: .list(list.name), $0.measures,
          Evidence(
            cells: $0.measures.count, time: $0.measures.total ?? .zero,
            hitches: $0.measures.hitches), in: context, certainty: .named,
          removable: $0.removable, whole: $0.whole)
      }
    }
  }

  private struct Evidence: FindingEvidence {
    let cells: Int
    let time: TimeSpan
    let hitches: Int

    var title: Phrase { "jumps need many cells at once" }
    var sentences: [Phrase] {
      [
        "\(cells, "cell") took \(time) in \(hitches, "late frame"), a view or more away from the"
          + " cells before"
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "No list can prepare cells for a jump. Display placeholders first and fill them in over the"
        + " next frames, or jump in two steps: without animation to a place near the"
        + " target\(.jump, of: toolkit), then scroll the rest."
    }
  }
}
