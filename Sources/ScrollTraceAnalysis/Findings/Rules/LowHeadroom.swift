import ScrollTraceModel

/// Commits close to their deadline on a surface that hardly hitches.
struct LowHeadroom: FindingRule {
  static let id = FindingID.lowHeadroom
  static let thresholds: [any NamedThreshold] = [slackPart]

  private static let slackPart = Threshold(
    "slackPart", Int64(10), source: "A tenth of a refresh: a slower device loses more than that.")

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { finding(of: $0, in: context) }
  }

  private func finding(of surface: SurfaceAnalysis, in context: FindingContext) -> Finding? {
    guard let slack = surface.slackP5, let interval = surface.refreshInterval,
      slack * Self.slackPart.value < interval, let ratio = surface.ratio,
      context.options.thresholds.rating(of: ratio.millisecondsPerSecond) == .good,
      let evaluated = surface.counts.evaluated, evaluated >= RatedHitches.enoughFrames
    else { return nil }
    let frames = context.trace.surfaces[surface.surface.index].frames
    var (count, most, worst): (Int, TimeSpan, Finding.Occurrence?) = (0, .zero, nil)
    for index in 0..<frames.count {
      let frame = frames[index]
      guard frame.outcome != .notRequested, context.selection.holds(frame.time),
        let end = frame.commitEnd, let deadline = frame.deadline,
        (deadline - end) * Self.slackPart.value < interval
      else { continue }
      count += 1
      guard worst == nil || end - deadline > most else { continue }
      (most, worst) = (end - deadline, Finding.Occurrence(frame: frame.id, time: end))
    }
    guard count > 0 else { return nil }
    return finding(
      of: .surface(surface.name), Finding.Measures(count: count, worst: worst),
      Evidence(commits: count, slack: slack, refreshInterval: interval), in: context)
  }

  private struct Evidence: FindingEvidence {
    let commits: Int
    let slack: TimeSpan
    let refreshInterval: TimeSpan

    var title: Phrase { "commits end close to their deadline" }
    var sentence: Phrase {
      let last: Phrase =
        slack < .zero
        ? "ends \(TimeSpan.zero - slack) or more after its deadline at a refresh of"
        : "leaves at most \(slack) of a refresh of"
      return "one commit in twenty \(last) \(interval: refreshInterval);"
        + " \(commits, "commit") left less than a tenth of it"
    }
    var facts: Finding.Facts {
      [("slackNs", .time(slack)), ("refreshIntervalNs", .time(refreshInterval))]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Treat this as a warning: slower devices and faster displays miss deadlines. Move work of the"
        + " longest commits to idle time or to the background\(.background, of: toolkit)."
    }
  }
}
