import ScrollTraceModel

extension FindingID {
  package static let hitchesWhileIdle = FindingID("hitchesWhileIdle")
  package static let renderHitches = FindingID("renderHitches")
}

/// Hitches during which the main thread was mostly idle or waited.
struct HitchesWhileIdle: FindingRule {
  static let id = FindingID.hitchesWhileIdle
  static let thresholds: [any NamedThreshold] = [idleWindowShare, idleHitchShare]

  private static let idleWindowShare = Threshold(
    "idleWindowShare", 0.5, source: "If most of a late frame's time is idle, that is its cause.")
  private static let idleHitchShare = Threshold(
    "idleHitchShare", 0.25, source: "Idle time is easily overlooked, so less of it counts.")

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      var group = HitchGroup()
      for hitch in surface.hitches where hitch.kind != .render {
        guard let attribution = hitch.chargedAttribution else { continue }
        let idle = attribution.idle + attribution.waiting
        let window = attribution.window.length
        if FindingContext.isPart(Self.idleWindowShare.value, idle, of: window) {
          group.add(hitch, idle)
        }
      }
      return group.share(of: surface, atLeast: Self.idleHitchShare.value).map { share in
        finding(
          of: .surface(surface.name), group.evidence(total: group.total),
          details: Finding.Details(share: share))
      }
    }
  }
}

/// Hitches after commits that met their deadline.
struct RenderHitches: FindingRule {
  static let id = FindingID.renderHitches
  static let thresholds: [any NamedThreshold] = [FindingThresholds.explainedShare]

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      var group = HitchGroup()
      for hitch in surface.hitches where hitch.kind == .render { group.add(hitch, .zero) }
      let share = group.share(of: surface, atLeast: FindingThresholds.explainedShare.value)
      return share.map { share in
        finding(
          of: .surface(surface.name), group.evidence(total: group.length),
          details: Finding.Details(share: share))
      }
    }
  }
}
