import ScrollTraceModel

extension FindingID {
  package static let lowHeadroom = FindingID("lowHeadroom")
}

/// Commits close to their deadline on a surface that hardly hitches.
struct LowHeadroom: FindingRule {
  static let id = FindingID.lowHeadroom
  static let thresholds: [any NamedThreshold] = [slackPart]

  private static let slackPart = Threshold(
    "slackPart", Int64(10),
    source: "A tenth of a refresh: a slower device loses more than that.")

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
      guard frame.outcome != .notRequested, context.selection.holds(frame.place),
        let end = frame.commitEnd, let deadline = frame.deadline,
        (deadline - end) * Self.slackPart.value < interval
      else { continue }
      count += 1
      guard worst == nil || end - deadline > most else { continue }
      (most, worst) = (end - deadline, Finding.Occurrence(frame: frame.id, time: end))
    }
    guard count > 0 else { return nil }
    var evidence = Finding.Evidence(count: count)
    evidence.worst = worst
    return finding(
      of: .surface(surface.name), evidence,
      details: Finding.Details(time: slack, refreshInterval: interval))
  }
}
