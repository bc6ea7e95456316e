import ScrollTraceModel

/// Too few evaluated frames to rely on, even on the surface with most of them (M-8).
struct FewFrames: FindingRule {
  static let id = FindingID.fewFrames

  func findings(in context: FindingContext) -> [Finding] {
    let surface = context.evaluatedSurfaces.max {
      ($0.counts.evaluated ?? 0) < ($1.counts.evaluated ?? 0)
    }
    guard let surface, let evaluated = surface.counts.evaluated, evaluated > 0,
      evaluated < RatedHitches.enoughFrames
    else { return [] }
    return [
      finding(
        of: .surface(surface.name), Finding.Measures(count: evaluated),
        PlainEvidence(
          title: "too few frames to rely on", sentence: "\(evaluated, "frame") evaluated",
          fix: "Record a longer scroll: at least 30 frames, several seconds if possible."),
        in: context)
    ]
  }
}
