import ScrollTraceModel

extension FindingID {
  package static let hitchesWhileIdle = FindingID("hitchesWhileIdle")
  package static let renderHitches = FindingID("renderHitches")
}

/// Hitches during which the main thread was mostly idle or waited.
struct HitchesWhileIdle: FindingRule {
  static let id = FindingID.hitchesWhileIdle
  static let thresholds: [any NamedThreshold] = [idleWindowShare, idleHitchShare]

  private static let idleWindowShare = Threshold(
    "idleWindowShare", 0.5, source: "If most of a late frame's time is idle, that is its cause.")
  private static let idleHitchShare = Threshold(
    "idleHitchShare", 0.25, source: "Idle time is easily overlooked, so less of it counts.")

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      var group = HitchGroup()
      var waits = MarkedWaits(of: context.trace)
      for hitch in surface.hitches where !hitch.isAfterCommit {
        guard let attribution = hitch.chargedAttribution else { continue }
        let idle = attribution.idle + attribution.waiting
        let window = attribution.window.length
        if FindingContext.isPart(Self.idleWindowShare.value, idle, of: window) {
          group.add(hitch, idle)
          waits.add(in: attribution.window, context.workload)
        }
      }
      return group.share(of: surface, atLeast: Self.idleHitchShare.value).map { share in
        var details = Finding.Details(share: share)
        if let wait = waits.longest(of: group.total) {
          details.work = wait.work
          details.threads = WaitedFor(of: context, in: wait.ranges).names
        }
        return finding(
          of: .surface(surface.name), group.evidence(total: group.total), details: details)
      }
    }
  }
}

/// The longest wait of the main thread in each late frame.
private struct MarkedWaits {
  private let trace: Trace
  private let labels: WaitingLabels
  private var ranges: [WorkName: [TimeRange]] = [:]
  private var lastWindow: TimeRange?

  init(of trace: Trace) {
    self.trace = trace
    labels = WaitingLabels(of: trace)
  }

  /// Adds the longest wait in `window`.
  mutating func add(in window: TimeRange, _ workload: TrackWorkload) {
    // Hitches that one frame delayed share its window.
    guard !labels.isEmpty, window != lastWindow, let main = trace.mainTrack else { return }
    lastWindow = window
    let spans = trace.tracks[main.index].spans
    let indexes = workload.timelines[main.index].spanIndexes(in: window).indexes
    let longest = indexes.filter { labels[spans.labels[$0]] }
      .map { (label: spans.labels[$0], range: spans[$0].range.intersection(window)) }
      .max { $0.range.length < $1.range.length }
    guard let longest else { return }
    let work = WorkName(
      category: trace.category(of: longest.label), name: trace.name(of: longest.label))
    ranges[work, default: []].append(longest.range)
  }

  /// Returns the waits of the name with most of `whole`, or `nil` if none has half of it.
  func longest(of whole: TimeSpan) -> (work: WorkName, ranges: [TimeRange])? {
    let all = ranges.map {
      (work: $0.key, ranges: $0.value, time: $0.value.reduce(TimeSpan.zero) { $0 + $1.length })
    }
    let longest = all.max { ($0.time, $1.work.name ?? "") < ($1.time, $0.work.name ?? "") }
    guard let longest,
      FindingContext.isPart(FindingThresholds.explainedShare.value, longest.time, of: whole)
    else { return nil }
    return (longest.work, longest.ranges)
  }
}

/// Hitches after commits that met their deadline.
struct RenderHitches: FindingRule {
  static let id = FindingID.renderHitches
  static let thresholds: [any NamedThreshold] = [FindingThresholds.explainedShare]

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      var group = HitchGroup()
      for hitch in surface.hitches where hitch.isAfterCommit { group.add(hitch, .zero) }
      let share = group.share(of: surface, atLeast: FindingThresholds.explainedShare.value)
      return share.map { share in
        var details = Finding.Details(share: share)
        details.isMainCause = surface.causes.first?.kind == .render
        return finding(
          of: .surface(surface.name), group.evidence(total: group.length), details: details)
      }
    }
  }
}
