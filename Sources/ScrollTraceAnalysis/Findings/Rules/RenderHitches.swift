import ScrollTraceModel

/// Hitches after commits that met their deadline.
struct RenderHitches: FindingRule {
  static let id = FindingID.renderHitches

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      var group = HitchGroup()
      var slack: TimeSpan?
      var (notBegun, count) = (TimeSpan.zero, 0)
      for hitch in surface.hitches where hitch.isAfterCommit {
        group.add(hitch, .zero)
        if let overrun = hitch.overrun, overrun <= .zero {
          slack = min(slack ?? .zero - overrun, .zero - overrun)
        }
        if let gap = hitch.gapWithoutFrame { (notBegun, count) = (max(notBegun, gap), count + 1) }
      }
      guard group.isEnough(of: surface) else { return nil }
      return finding(
        of: .surface(surface.name), group.measures(total: group.length),
        Evidence(
          group: group, slack: slack, notBegun: count * 2 > group.count ? notBegun : nil),
        in: context, whole: surface.hitchTime)
    }
  }

  private struct Evidence: FindingEvidence {
    let group: HitchGroup
    /// The least time by which the commits were early, or `nil` if unknown.
    let slack: TimeSpan?
    /// The longest time from a frame to the next one, if most hitches are such gaps, or `nil`.
    let notBegun: TimeSpan?

    var title: Phrase {
      notBegun.phrase { "no frame is begun for \(group.count > 1 ? "up to " : "")\($0)" }
        .ifEmpty("frames are ready in time and shown late")
    }
    var sentence: Phrase {
      if notBegun != nil {
        return "\(group.count, "frame") began \(group.length) late in all, although the main thread"
          + " was done with the one before"
      }
      let early = slack.phrase { $0 > .zero ? ", ready \($0) early or more," : "" }
      return "\(group.count, "frame")\(early) came \(group.length) late in all"
    }
    var facts: Finding.Facts { [("slackNs", .time(slack)), ("notBegunNs", .time(notBegun))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      notBegun != nil
        ? "Request each frame from the display's own callback, and look for what delays the request:"
          + " late timers, work queued before it, or a display that still holds earlier frames."
        : "The commits need no change: look at drawing, the compositor and the display. Use fewer"
          + " layers, shadows, masks, blurs and large images."
    }
  }
}
