import ScrollTraceModel

/// Hitches after commits that met their deadline.
struct RenderHitches: FindingRule {
  static let id = FindingID.renderHitches

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      var group = HitchGroup()
      var slack: TimeSpan?
      for hitch in surface.hitches where hitch.isAfterCommit {
        group.add(hitch, .zero)
        if let overrun = hitch.overrun, overrun <= .zero {
          slack = min(slack ?? .zero - overrun, .zero - overrun)
        }
      }
      guard group.isEnough(of: surface) else { return nil }
      return finding(
        of: .surface(surface.name), group.measures(total: group.length),
        Evidence(group: group, slack: slack), in: context, whole: surface.hitchTime)
    }
  }

  private struct Evidence: FindingEvidence {
    let group: HitchGroup
    /// The least time by which the commits were early, or `nil` if unknown.
    let slack: TimeSpan?

    var title: Phrase { "frames are ready in time and shown late" }
    var sentence: Phrase {
      let early = slack.phrase { $0 > .zero ? ", ready \($0) early or more," : "" }
      return "\(group.count, "frame")\(early) came \(group.length) late in all"
    }
    var facts: Finding.Facts { [("slackNs", .time(slack))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "The commits need no change: look at drawing, the compositor and the display. Use fewer"
        + " layers, shadows, masks, blurs and large images."
    }
  }
}
