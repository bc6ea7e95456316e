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
        !work.isOfExtension
      else { return nil }
      let frames = cause.surface.lateFrames.filter { $0.commit != nil }
      var (longestRun, run): ([TimeSpan], [TimeSpan]) = ([], [])
      for (index, frame) in frames.enumerated() {
        let time = frame.commit.map { cause.cause.time(in: $0) } ?? .zero
        let follows = index > 0 && (frame.index ?? 0) - (frames[index - 1].index ?? -2) <= 1
        if !follows || time == .zero { run = [] }
        if time > .zero { run.append(time) }
        if run.count > longestRun.count { longestRun = run }
      }
      guard longestRun.count >= Self.minimumFrames,
        let times = Percentiles(of: longestRun), let shortest = longestRun.min(),
        FindingContext.isPart(Self.sameLength, shortest, of: times.p90)
      else { return nil }
      let costs = WorkCosts(of: work, in: context)
      let parts = WorkParts(of: cause, context)
      let evaluated = cause.surface.counts.evaluated ?? 0
      let isInEveryFrame =
        costs.map {
          $0.count >= evaluated / 2 && $0.median.nanoseconds >= times.p50.nanoseconds / 2
        } ?? true
      return finding(
        of: cause,
        Evidence(
          work: work, frames: longestRun.count, hitches: cause.hitches.count, median: times.p50,
          growth: costs?.growth,
          isInEveryFrame: isInEveryFrame, refreshInterval: cause.surface.refreshInterval,
          parts: parts, many: parts.flatMap { $0.areSeveral ? $0 : nil },
          sampled: SampledPart(of: cause, context)),
        in: context, certainty: .named)
    }
  }

  private struct Evidence: FindingEvidence {
    let work: WorkName
    let frames: Int
    /// The number of hitches that the work explains.
    let hitches: Int
    let median: TimeSpan
    let growth: Growth?
    /// Whether frames that are not late do about as much of the work.
    let isInEveryFrame: Bool
    let refreshInterval: TimeSpan?
    /// The spans of it in these hitches, or `nil` if there are none.
    let parts: WorkParts?
    /// The same, if they are several in a frame.
    let many: WorkParts?
    /// The function that most of the time is in, or `nil` if samples name none.
    let sampled: SampledPart?

    var title: Phrase {
      if let growth { return growth.title(of: work) }
      let detail = many.phrase { ": \($0.count) in a frame, \($0.lengths)" }
      return
        (isInEveryFrame
        ? "every frame pays \(median) for \(work)"
        : frames < hitches
          ? "\(hitches, "late frame") pay \(median) for \(work)"
          : "\(frames, "frame") in a row pay \(median) for \(work)")
        + detail + sampled.phrase { $0.title(after: detail) } + parts.phrase(\.titleOfCollection)
    }
    var sentence: Phrase {
      let refresh = refreshInterval.phrase { ", of \($0) for a refresh at \(rate: $0)" }
      return "\(work) took \(median) (median) in \(frames, "late frame") in a row\(refresh)"
    }
    var facts: Finding.Facts {
      [
        ("category", .name(work.category)), ("name", .name(work.name)),
        ("framesInARow", .count(frames)), ("medianNs", .time(median)),
        ("firstNs", .time(growth?.first)), ("lastNs", .time(growth?.last)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      if let advice = ToolkitTerms.advice(onPhase: work, of: toolkit) { return "\(words: advice)" }
      if growth != nil { return Growth.fix }
      if many?.areTooMany == true { return WorkParts.callLess(work) }
      // A script that draws says so.
      let drawLess: Phrase =
        work.isScript && !WorkTopic.draws(work) ? "" : " draw it smaller or simpler,"
      let part = WorkTopic.needs(work, in: toolkit).phrase { "what needs no \(words: $0)" }
      return parts.phrase(\.fixOfListener) + parts.phrase(\.fixOfCollection)
        + "Do less of it in each frame: keep the result while nothing changes,\(drawLess) or move"
        + " \(part.ifEmpty("it")) off the main thread\(.background, of: toolkit)."
    }
  }
}
