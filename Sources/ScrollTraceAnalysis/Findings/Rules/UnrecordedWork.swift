import ScrollTraceModel

extension FindingID {
  package static let unrecordedWork = FindingID("unrecordedWork")
}

/// Hitches whose time no span explains, or only a span around a whole frame or phase.
struct UnrecordedWork: FindingRule {
  static let id = FindingID.unrecordedWork
  static let thresholds: [any NamedThreshold] = [FindingThresholds.explainedShare]

  func findings(in context: FindingContext) -> [Finding] {
    // Samples that name the function say all of it.
    guard !context.found.contains(where: { $0.id == .unrecordedCode }) else { return [] }
    // Surfaces share the main thread: what to record is the same for all.
    let found = context.evaluatedSurfaces.compactMap { finding(of: $0, in: context) }
    return found.max { $0.evidence.hitchTime < $1.evidence.hitchTime }.map { [$0] } ?? []
  }

  private func finding(of surface: SurfaceAnalysis, in context: FindingContext) -> Finding? {
    var group = HitchGroup()
    var enclosing: [WorkName: TimeSpan] = [:]
    var gaps: [UnrecordedGap] = []
    for hitch in surface.hitches where !hitch.isAfterCommit {
      guard let attribution = hitch.chargedAttribution else { continue }
      var time = attribution.unrecorded
      for cause in attribution.causes {
        let work = WorkName(category: cause.category, name: cause.name)
        guard WorkCause.isFrameOfOtherWork(work) else { continue }
        enclosing[work, default: .zero] += cause.selfTime
        time += cause.selfTime
      }
      guard
        FindingContext.isPart(
          FindingThresholds.explainedShare.value, time, of: attribution.window.length)
      else { continue }
      group.add(hitch, time)
      if let gap = UnrecordedGap(in: attribution.window, of: context) { gaps.append(gap) }
    }
    let share = group.share(of: surface, atLeast: FindingThresholds.explainedShare.value)
    return share.map { share in
      var details = Finding.Details(share: share)
      details.hasSamples = context.trace.samples.contains {
        $0.count > 0 && $0.track == context.trace.mainTrack
      }
      let work = enclosing.max {
        ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "")
      }
      if let work, FindingContext.isPart(0.5, work.value, of: group.total) {
        details.work = work.key
      } else if let gap = gaps.max(by: { $0.length < $1.length }) {
        (details.time, details.before, details.after) = (gap.length, gap.before, gap.after)
      }
      return finding(
        of: .surface(surface.name), group.evidence(total: group.total), details: details)
    }
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
    guard let main = trace.mainTrack else { return nil }
    let spans = trace.tracks[main.index].spans
    let indexes = context.workload.timelines[main.index].spanIndexes(in: window).indexes.filter {
      !trace.strings.matches(trace.labels[spans.labels[$0]].category, "scrolltrace.frame")
    }
    var (end, last): (Int64, Int?) = (window.start.nanoseconds, nil)
    var longest: (length: Int64, before: Int?, after: Int?) = (0, nil, nil)
    func close(at start: Int64, _ next: Int?) {
      let length = start.subtractingReportingOverflow(end)
      if !length.overflow, length.partialValue > longest.length {
        longest = (length.partialValue, last, next)
      }
    }
    for index in indexes {
      close(at: spans.times[index].start, index)
      if spans.times[index].end > end { (end, last) = (spans.times[index].end, index) }
    }
    close(at: window.end.nanoseconds, nil)
    guard longest.length > 0 else { return nil }
    length = TimeSpan(nanoseconds: longest.length)
    before = longest.before.map { trace.name(of: spans.labels[$0]) }
    after = longest.after.map { trace.name(of: spans.labels[$0]) }
  }
}
