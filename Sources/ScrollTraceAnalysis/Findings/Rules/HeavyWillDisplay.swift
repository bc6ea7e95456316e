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
        of: cause,
        PlainEvidence(
          title: "\(work) takes long when cells are displayed",
          sentence: "it took \(cause.time) in \(cause.hitches.count, "late frame")",
          fix:
            "Do this work when the cell is prepared, or in the background\(.background, of: context.toolkit)."
            + " Leave to this moment only work that needs the displayed cell."), in: context)
    }
  }
}
