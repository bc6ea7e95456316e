import ScrollTraceModel

/// Cells prepared in late frames more than a view away from the one before, which no list can prepare ahead.
struct Jumps: FindingRule {
  static let id = FindingID.jumps

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      context.lateWork(list.evidence.afterJump).map {
        finding(of: list, $0, Evidence(measures: $0.measures), in: context, certainty: .named)
      }
    }
  }

  private struct Evidence: FindingEvidence {
    let measures: Finding.Measures

    var title: Phrase { "jumps need many cells at once" }
    var sentence: Phrase { "\(measures.lateCells), a view or more away from the" + " cells before" }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "No list can prepare cells for a jump. Display placeholders first and fill them in over the"
        + " next frames, or jump in two steps: without animation to a position near the"
        + " target\(.jump, of: toolkit), then scroll the rest."
    }
  }
}

extension Finding.Measures {
  /// How long cells took in late frames.
  var lateCells: Phrase { "\(count, "cell") took \(total ?? .zero) in \(hitches, "late frame")" }
}
