import ScrollTraceModel

/// Work of about the same length in late frames that follow each other.
struct SlowEveryFrame: FindingRule {
  static let id = FindingID.slowEveryFrame
  /// As many as a steady streak of frames has (M-9).
  private static let minimumFrames = 8
  /// Work that depends on the content differs by more.
  private static let sameLength = 0.5

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      // Of many small parts, the work around them says more.
      guard case .work(let work) = cause.cause, work.name != nil, WorkTopic(work) != .cells,
        !work.isOfExtension, !work.isSynchronousRequest
      else { return nil }
      let late = cause.surface.lateFrames
      // The updates of a page have no commits, only windows.
      let filled: KeyPath<LateFrame, Attribution?> =
        late.contains { $0.commit != nil } ? \.commit : \.attribution
      let frames = late.filter { $0[keyPath: filled] != nil }
      var (longestRun, run): ([TimeSpan], [TimeSpan]) = ([], [])
      for (index, frame) in frames.enumerated() {
        let time = frame[keyPath: filled].map { cause.cause.time(in: $0) } ?? .zero
        let follows = index > 0 && (frame.index ?? 0) - (frames[index - 1].index ?? -2) <= 1
        if !follows || time == .zero { run = [] }
        if time > .zero { run.append(time) }
        if run.count > longestRun.count { longestRun = run }
      }
      guard longestRun.count >= Self.minimumFrames, let times = Percentiles(of: longestRun),
        let shortest = longestRun.min(), shortest.isPart(Self.sameLength, of: times.p90)
      else { return nil }
      let costs = WorkCosts(of: work, in: context)
      let parts = WorkParts(of: cause, context)
      // Who forces it says more.
      guard costs?.forcesLayout != true, !work.isWebLayout || parts?.script == nil else {
        return nil
      }
      // The same, if they are several in a frame.
      let many = parts.flatMap { $0.areSeveral ? $0 : nil }
      let (growth, median, inARow) = (costs?.growth, times.p50, longestRun.count)
      let refreshInterval = cause.surface.refreshInterval
      let refresh = refreshInterval.phrase { ", of \($0) for a refresh at \(rate: $0)" }
      let evaluated = cause.surface.counts.evaluated ?? 0
      // Whether frames that are not late do about as much of the work.
      let isInEveryFrame =
        costs.map {
          $0.count >= evaluated / 2 && $0.median.nanoseconds >= median.nanoseconds / 2
        } ?? true
      let who: Phrase =
        isInEveryFrame
        ? "every frame pays"
        : inARow < cause.hitches.count
          ? "\(cause.hitches.count, "late frame") pay" : "\(inARow, "frame") in a row pay"
      let detail = many.phrase { ": \($0.count) in a frame, \($0.lengths)" }
      let sampled = SampledPart(of: cause, context).phrase { $0.title(after: detail) }
      let pays: Phrase =
        "\(who) \(median) for \(work)\(detail)\(sampled)\(parts.phrase(\.titleOfCollection))"
      return finding(
        of: cause,
        PlainEvidence(
          title: growth?.title(of: work) ?? pays,
          sentence: "\(work) took \(median) (median) in \(inARow, "late frame") in a row\(refresh)",
          facts: [
            ("category", .name(work.category)), ("name", .name(work.name)),
            ("framesInARow", .count(inARow)), ("medianNs", .time(median)),
            ("firstNs", .time(growth?.first)), ("lastNs", .time(growth?.last)),
          ], fix: Self.fix(of: work, growth, parts, in: context.toolkit)), in: context,
        certainty: .named)
    }
  }

  private static func fix(
    of work: WorkName, _ growth: Growth?, _ parts: WorkParts?, in toolkit: Toolkit?
  ) -> Phrase {
    if let advice = ToolkitTerms.advice(onPhase: work, of: toolkit) { return "\(words: advice)" }
    if growth != nil { return Growth.fix }
    let before =
      parts.phrase(\.fixOfListener) + parts.phrase(\.fixOfCollection) + work.fixOfOthersScript
    if let advice = WorkTopic(work)?.fix(in: toolkit) { return before + advice }
    if let parts, parts.areSeveral, parts.areTooMany { return WorkParts.callLess(work) }
    // A script that draws says so.
    let drawLess: Phrase =
      work.isScript && !WorkTopic.draws(work) ? "" : " draw it smaller or simpler,"
    let part = WorkTopic.needs(work, in: toolkit).phrase { "what needs no \(words: $0)" }
    return before
      + "Do less of it in each frame: keep the result while nothing changes,\(drawLess) or move"
      + " \(part.ifEmpty("it")) off the main thread\(.background, of: toolkit)."
  }
}
