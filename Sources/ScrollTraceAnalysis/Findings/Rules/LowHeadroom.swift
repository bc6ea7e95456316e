import ScrollTraceModel

/// Commits close to their deadline, or after it, on a surface that hardly hitches.
struct LowHeadroom: FindingRule {
  static let id = FindingID.lowHeadroom
  /// A tenth of a refresh: a slower device loses more than that.
  private static let slackPart = Int64(10)

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { finding(of: $0, in: context) }
  }

  private func finding(of surface: SurfaceAnalysis, in context: FindingContext) -> Finding? {
    guard let slack = surface.slackP5, let interval = surface.refreshInterval,
      slack * Self.slackPart < interval, let ratio = surface.ratio,
      context.options.thresholds.rating(of: ratio.millisecondsPerSecond) == .good,
      let evaluated = surface.counts.evaluated, evaluated >= RatedHitches.enoughFrames
    else { return nil }
    let drawn = context.trace.surfaces[surface.surface.index]
    // A display's own frames end when they are shown, which is when they are due.
    guard !context.trace.isOfDisplayAlone(drawn) else { return nil }
    let frames = drawn.frames
    var (close, missed) = (0, 0)
    var (least, worst): (TimeSpan, Finding.Occurrence?) = (.zero, nil)
    for index in 0..<frames.count {
      let frame = frames[index]
      guard context.selection.holds(frame.time), let end = frame.commitEnd,
        let slack = context.workload.slack(of: frame), slack * Self.slackPart < interval
      else { continue }
      if slack < .zero { missed += 1 } else { close += 1 }
      guard worst == nil || slack < least else { continue }
      (least, worst) = (slack, Finding.Occurrence(frame: frame.id, time: end))
    }
    guard close + missed > 0 else { return nil }
    // Whether even the commit that the slack is of ended after its deadline.
    let isMissed = slack < .zero
    let comma = close > 0 && missed > 0 ? ", " : ""
    let before: Phrase = close > 0 ? "\(close, "commit") left less than a tenth of a refresh" : ""
    let after: Phrase = missed > 0 ? "\(missed, "commit") ended after the deadline" : ""
    let warning: Phrase =
      isMissed
      ? "most frames are still shown on time, but not on slower devices and faster displays"
      : "slower devices and faster displays miss deadlines"
    return finding(
      of: .surface(surface.name), Finding.Measures(count: close + missed, worst: worst),
      PlainEvidence(
        title: isMissed
          ? "commits end after their deadline" : "commits end close to their deadline",
        sentence: isMissed
          ? "one commit in twenty ends \(TimeSpan.zero - slack) or more after its deadline at a"
            + " refresh of \(interval: interval); \(after)\(words: comma)\(before)"
          : "one commit in twenty leaves at most \(slack) of a refresh of"
            + " \(interval: interval); \(before)\(words: comma)\(after)",
        facts: [("slackNs", .time(slack)), ("refreshIntervalNs", .time(interval))],
        fix: "Treat this as a warning: \(warning). Move work of the longest commits to idle time or"
          + " to the background\(.background, of: context.toolkit)."), in: context)
  }
}
