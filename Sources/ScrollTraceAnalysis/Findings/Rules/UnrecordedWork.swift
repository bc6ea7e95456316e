import ScrollTraceModel

/// Hitches whose time no span explains, or only a span around a whole frame or phase.
struct UnrecordedWork: FindingRule {
  static let id = FindingID.unrecordedWork

  func findings(in context: FindingContext) -> [Finding] {
    lazy var commits = context.trace.commitTime
    return context.openCauses.filter { $0.cause == .unrecorded }.map { cause in
      var enclosing: [WorkName: TimeSpan] = [:]
      var longest: UnrecordedGap?
      for (_, attribution) in cause.hitches {
        for part in attribution.causes {
          let work = WorkName(category: part.category, name: part.name)
          if work.isFrameOfOtherWork { enclosing[work, default: .zero] += part.selfTime }
        }
        let gap = UnrecordedGap(in: attribution.window, of: context)
        if let gap, gap.length > longest?.length ?? .zero { longest = gap }
      }
      let around = enclosing.max { ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "") }
      let isInside = around.map { FindingContext.isPart(0.5, $0.value, of: cause.time) } ?? false
      let stage = around.flatMap { work, time in
        ToolkitTerms.advice(onStage: work, of: context.toolkit).map {
          Stage(
            time: TimeSpan(nanoseconds: time.nanoseconds / Int64(max(1, cause.hitches.count))),
            advice: $0)
        }
      }
      let windows = Set(cause.hitches.map(\.attribution.window))
      let inCommits = windows.reduce(TimeSpan.zero) { $0 + commits.coveredLength(of: $1) }
      let evidence = Evidence(
        time: cause.time, window: cause.window, hitches: cause.hitches.count,
        around: isInside ? around?.key : nil, stage: isInside ? stage : nil,
        gap: isInside ? nil : longest,
        recording: context.trace.hasMainSamples
          ? nil
          : RecordingAdvice(
            of: context.trace,
            isInCommits: FindingContext.isPart(0.5, inCommits, of: cause.window)))
      return finding(of: cause, evidence, in: context, certainty: .unknown)
    }
  }

  /// A stage of the toolkit's frames around most of the time.
  private struct Stage {
    /// Its time in a late frame.
    let time: TimeSpan
    let advice: String
  }

  private struct Evidence: FindingEvidence {
    let time: TimeSpan
    let window: TimeSpan
    let hitches: Int
    /// The span of a phase, frame or loop around most of the time.
    let around: WorkName?
    /// What is known of `around`, or `nil` if it is no stage of the toolkit's frames.
    let stage: Stage?
    let gap: UnrecordedGap?
    /// How to see more, or `nil` if samples show it.
    let recording: RecordingAdvice?

    var title: Phrase {
      around.phrase { around in
        stage.phrase { "\(around) takes \($0.time) in a late frame" }
          .ifEmpty("late frames are not instrumented (inside \(around))")
      }
      .ifEmpty("late frames are not instrumented")
    }
    var sentence: Phrase {
      let gap = gap.phrase { gap in
        let before = gap.before.phrase { " after '\(name: $0)'" }
        let after = gap.after.phrase { " before '\(name: $0)'" }
        return "; the longest gap is \(gap.length)\(before)\(after)"
      }
      return "\(time) of \(window) in \(hitches, "hitch", "hitches") are not instrumented\(gap)"
    }
    var facts: Finding.Facts {
      [
        ("category", .name(around?.category)), ("name", .name(around?.name)),
        ("gapNs", .time(gap?.length)), ("after", .name(gap?.before)), ("before", .name(gap?.after)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      stage.phrase { "\(words: $0.advice) " }
        + recording.phrase { "\(words: $0.seeWork)." }.ifEmpty(
          "Look for the functions that ran in the samples of these frames, and record spans around"
            + " them.")
    }
  }
}

extension Trace {
  /// A Boolean value indicating whether the main thread's stacks were sampled.
  var hasMainSamples: Bool {
    samples.contains { $0.count > 0 && $0.track == mainTrack }
  }
}

/// The longest time of the main thread in a window that no span covers, and its neighbors.
private struct UnrecordedGap {
  let length: TimeSpan
  /// The spans that end before and begin after it, or `nil` if the window does.
  let before: String?
  let after: String?

  init?(in window: TimeRange, of context: FindingContext) {
    let trace = context.trace
    guard context.workload.main != nil else { return nil }
    var (end, last): (Timestamp, LabelID?) = (window.start, nil)
    var longest: (length: TimeSpan, before: LabelID?, after: LabelID?) = (.zero, nil, nil)
    func close(at start: Timestamp, _ next: LabelID?) {
      if start - end > longest.length { longest = (start - end, last, next) }
    }
    for span in context.mainSpans(in: window) where !trace.isFrame(span.label) {
      close(at: span.range.start, span.label)
      if span.range.end > end { (end, last) = (span.range.end, span.label) }
    }
    close(at: window.end, nil)
    guard longest.length > .zero else { return nil }
    length = longest.length
    before = longest.before.map { trace.name(of: $0) }
    after = longest.after.map { trace.name(of: $0) }
  }
}
