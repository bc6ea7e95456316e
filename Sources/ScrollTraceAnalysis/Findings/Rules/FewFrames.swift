extension FindingID {
  package static let fewFrames = FindingID("fewFrames")
}

/// Too few evaluated frames to rely on, even on the surface with most of them (M-8).
struct FewFrames: FindingRule {
  static let id = FindingID.fewFrames

  func findings(in context: FindingContext) -> [Finding] {
    let most = context.evaluatedSurfaces.max {
      ($0.counts.evaluated ?? 0) < ($1.counts.evaluated ?? 0)
    }
    guard let most, let evaluated = most.counts.evaluated, evaluated > 0,
      evaluated < RatedHitches.enoughFrames
    else { return [] }
    return [finding(of: .surface(most.name), Finding.Evidence(count: evaluated))]
  }
}
