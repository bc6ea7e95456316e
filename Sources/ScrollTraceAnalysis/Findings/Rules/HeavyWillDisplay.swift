import ScrollTraceModel

/// Work at the moment a cell is displayed that makes frames late.
///
/// The vocabulary has a mark for that moment. Hosts that measure their work then record a span whose
/// name contains it.
struct HeavyWillDisplay: FindingRule {
  static let id = FindingID.heavyWillDisplay

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard let work = cause.ownWork, work.name?.includes("willDisplay") == true else {
        return nil
      }
      return finding(
        of: cause, Evidence(work: work, time: cause.time, hitches: cause.hitches.count),
        in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let work: WorkName
    let time: TimeSpan
    let hitches: Int

    var title: Phrase { "\(work) takes long when cells are displayed" }
    var sentence: Phrase { "it took \(time) in \(hitches, "late frame")" }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Do this work when the cell is prepared, or in the background\(.background, of: toolkit)."
        + " Leave to this moment only work that needs the displayed cell."
    }
  }
}
