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
      let stages = enclosing.sorted {
        ($1.value, $0.key.name ?? "") < ($0.value, $1.key.name ?? "")
      }
      let around = stages.first.flatMap { $0.value.isPart(0.5, of: cause.time) ? $0 : nil }
      // Two that take as much together; the phases of a frame may be all that a host records.
      let pair = around == nil ? stages.prefix(2) : []
      let isInPair = pair.reduce(TimeSpan.zero) { $0 + $1.value }.isPart(0.5, of: cause.time)
      let names = pair.map { "\($0.key)" as Phrase }
      let inside: Phrase = isInPair ? " (inside \(list: names))" : ""
      // What is known of a stage of the toolkit's frames.
      let advice = around.flatMap { ToolkitTerms.advice(onStage: $0.key, of: context.toolkit) }
      let gap = around == nil && !isInPair ? longest : nil
      let windows = Set(cause.hitches.map(\.attribution.window))
      let inCommits = windows.reduce(TimeSpan.zero) { $0 + commits.coveredLength(of: $1) }
      let isInCommits = inCommits.isPart(0.5, of: cause.window)
      let title = around.phrase { work, time in
        let each = TimeSpan(nanoseconds: time.nanoseconds / Int64(max(1, cause.hitches.count)))
        return advice == nil
          ? "late frames are not instrumented (inside \(work))"
          : "\(work) takes \(each) in a late frame"
      }.ifEmpty("late frames are not instrumented\(inside)")
      let fix: Phrase =
        context.trace.hasMainSamples
        ? "Look for the functions that ran in the samples of these frames, and record spans around them."
        : "\(words: RecordingAdvice(of: context.trace, isInCommits: isInCommits).seeWork)."
      return finding(
        of: cause,
        PlainEvidence(
          title: title,
          sentence:
            "\(cause.time) of \(cause.window) in \(cause.hitches.count, "hitch", "hitches") are not"
            + " instrumented\(gap.phrase(\.phrase))",
          facts: [
            ("category", .name(around?.key.category)), ("name", .name(around?.key.name)),
            ("gapNs", .time(gap?.length)), ("after", .name(gap?.before)),
            ("before", .name(gap?.after)),
          ], fix: advice.phrase { "\(words: $0) " } + fix), in: context, certainty: .unknown)
    }
  }
}

extension Trace {
  /// Whether the main thread's stacks were sampled.
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

  /// The gap as the end of a sentence.
  var phrase: Phrase {
    let after = before.phrase { " after '\(name: $0)'" }
    return "; the longest gap is \(length)\(after)\(self.after.phrase { " before '\(name: $0)'" })"
  }
}
