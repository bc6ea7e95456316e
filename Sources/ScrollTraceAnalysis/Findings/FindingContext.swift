import ScrollTraceModel

/// The measurements that rules for findings examine.
struct FindingContext {
  let trace: Trace
  let options: AnalysisOptions
  let surfaces: [SurfaceAnalysis]
  /// Those of the app that could be evaluated, without those of other apps.
  let evaluatedSurfaces: [SurfaceAnalysis]
  let lists: [ListAnalysis]
  /// The windows of hitches that main-thread work can have caused.
  let late: LateWindows
  /// The part of the recording that counts.
  let selection: SelectionResolution
  let workload: TrackWorkload
  /// What sampled stacks say, or `nil` if there are none.
  let samples: SampleAnalysis?
  /// The causes of the hitches of these surfaces, each where it costs most.
  let causes: [HitchCause]
  /// The hitches that the main thread explains. One of another surface in the making then follows from them: the
  /// display is late because the app was.
  let explained: ExplainedHitches
  /// The time of the hitches that threads of the app made.
  private let appHitches: TimeRangeSet
  /// What the host builds its lists with, or `nil` if unknown.
  let toolkit: Toolkit?
  /// The idle time before each window of `late`.
  let idle: [TimeSpan]
  /// The findings of the rules before this one.
  var found: [Finding] = []

  init(
    trace: Trace, options: AnalysisOptions, surfaces: [SurfaceAnalysis],
    besides others: Set<SurfaceID>, lists: [ListAnalysis], late: LateWindows,
    selection: SelectionResolution, workload: TrackWorkload, samples: SampleAnalysis?
  ) {
    self.trace = trace
    self.options = options
    self.surfaces = surfaces
    evaluatedSurfaces = surfaces.filter { $0.isEvaluated && !others.contains($0.surface) }
    self.lists = lists
    self.late = late
    self.selection = selection
    self.workload = workload
    self.samples = samples
    toolkit = Toolkit(of: trace)
    let explained = ExplainedHitches(of: surfaces.filter(\.isEvaluated))
    self.explained = explained
    appHitches = TimeRangeSet(
      union: surfaces.lazy
        .filter { $0.isEvaluated && trace.surfaces[$0.surface.index].isOfThread }
        .flatMap(\.hitches).filter { $0.kind != .render }.map(\.range))
    // Surfaces share the main thread: each cause is named once.
    var named: Set<RemovableCause> = []
    causes = evaluatedSurfaces.flatMap { HitchCause.all(of: $0) }
      .filter { cause in
        cause.cause != .unrecorded
          || cause.hitches.contains {
            !explained.onOtherSurfaces(than: cause.surface, during: $0.attribution.window)
          }
      }
      .stablySorted { $0.removable > $1.removable }.filter { named.insert($0.cause).inserted }
    idle = late.idleTimes(of: surfaces)
  }

  /// The causes that no rule before has named.
  var openCauses: [HitchCause] {
    causes.filter { cause in !found.contains { $0.cause == cause.cause } }
  }

  /// Returns whether a hitch of the display is the echo of one that a thread of the app made.
  func isEcho(_ hitch: Hitch, of surface: SurfaceAnalysis) -> Bool {
    guard !trace.surfaces[surface.surface.index].isOfThread else { return false }
    let start = hitch.range.start - (surface.refreshInterval ?? .zero) * 2
    return appHitches.coveredLength(of: TimeRange(start: start, end: hitch.range.end)) > .zero
  }

  // MARK: - Work in late frames

  /// The spans of the main thread that overlap a window, in order.
  func mainSpans(in window: TimeRange) -> [WorkSpan] {
    workload.main.map { workload.spans(of: $0, in: window, trace) } ?? []
  }

  /// Work of one kind in late frames that fills enough of them to count.
  struct LateWork {
    let measures: Finding.Measures
    /// The windows, with the work that fills them.
    let sums: [WindowSums.Sum]
    /// The hitch time removed without it.
    let removable: TimeSpan
    /// The hitch time of the surface.
    let whole: TimeSpan?
  }

  /// Returns the part of `work` that fills enough of a late frame, or `nil` if there is none.
  func lateWork(_ work: WindowSums, where isCounted: (WindowSums.Sum) -> Bool = { _ in true })
    -> LateWork?
  {
    let sums = work.merged.sums.filter { sum in
      let window = late.windows[sum.window].range.length
      return !late.windows[sum.window].isOffCore
        && sum.total.isPart(FindingThresholds.lateFrameShare, of: window) && isCounted(sum)
    }
    guard let worst = sums.max(by: { ($0.total, $1.window) < ($1.total, $0.window) }) else {
      return nil
    }
    let window = late.windows[worst.window]
    let measures = Finding.Measures(
      count: sums.reduce(0) { $0 + $1.count }, total: sums.reduce(.zero) { $0 + $1.total },
      hitches: sums.reduce(0) { $0 + late.windows[$1.window].hitches },
      hitchTime: sums.reduce(.zero) { $0 + late.windows[$1.window].hitchTime },
      worst: Finding.Occurrence(frame: window.frame, time: window.range.start))
    let surface = surfaces[window.surface]
    var times: [TimeRange: TimeSpan] = [:]
    for sum in sums where late.windows[sum.window].surface == window.surface {
      times[late.windows[sum.window].range] = sum.total
    }
    return LateWork(
      measures: measures, sums: sums,
      removable: surface.lateFrames.removed { times[$0.window] ?? .zero }, whole: surface.hitchTime)
  }

  /// The least idle time before one of the windows, if there is any before all.
  func idleTime(before windows: [TimeRange]) -> TimeSpan? {
    let wanted = Set(windows)
    let times = late.windows.indices.filter { wanted.contains(late.windows[$0].range) }
      .map { idle[$0] }
    guard let minimum = times.min(), minimum > .zero else { return nil }
    return minimum
  }

  /// The item that the first of some work is for, and how long that took as the end of a sentence.
  func longest(of sums: [WindowSums.Sum]) -> (item: String?, phrase: Phrase) {
    guard let first = sums.first, let key = trace.strings.firstID(of: "item"),
      let item = trace.arguments.value(of: key, in: first.arguments).flatMap(trace.displayText)
    else { return (nil, "") }
    return (item, ", at most \(first.longest) for item \(name: item)")
  }

  /// The only list, or the one with most of the work that `sums` picks, or `nil` if there is none.
  func list(by sums: (ListEvidence) -> WindowSums) -> ListAnalysis? {
    func total(_ list: ListAnalysis) -> TimeSpan {
      sums(list.evidence).sums.reduce(.zero) { $0 + $1.total }
    }
    return lists.filter { total($0) > .zero }.max { total($0) < total($1) }
      ?? (lists.count == 1 ? lists[0] : nil)
  }
}

extension TimeSpan {
  /// Returns whether this is more than nothing, and at least a share of `whole`.
  func isPart(_ share: Double, of whole: TimeSpan) -> Bool {
    self > .zero && Double(nanoseconds) >= share * Double(whole.nanoseconds)
  }

  /// Returns this as a part of `whole`, or zero if that is nothing.
  func share(of whole: TimeSpan) -> Double {
    whole > .zero ? Double(nanoseconds) / Double(whole.nanoseconds) : 0
  }
}

/// The times of hitches during most of whose window the main thread was neither idle nor without spans, from
/// the start of the window until the picture is on the display.
struct ExplainedHitches {
  private var own: [SurfaceID: TimeRangeSet] = [:]
  /// The times of such hitches of any surface, and of several at once.
  private let any: TimeRangeSet
  private let several: TimeRangeSet

  init(of surfaces: [SurfaceAnalysis]) {
    for surface in surfaces {
      let found = surface.hitches.compactMap { hitch -> TimeRange? in
        guard !hitch.isAfterCommit, let attribution = hitch.chargedAttribution else { return nil }
        let window = attribution.window
        let unknown = attribution.idle + RemovableCause.unrecorded.time(in: attribution)
        guard !unknown.isPart(0.5, of: window.length) else { return nil }
        let end = max(window.end, hitch.range.end) + (surface.refreshInterval ?? .zero)
        return TimeRange(start: window.start, end: end)
      }
      if !found.isEmpty { own[surface.surface] = TimeRangeSet(union: found) }
    }
    var (reached, union, shared) = (Timestamp?.none, [TimeRange](), [TimeRange]())
    for range in own.values.flatMap(\.ranges).stablySorted(by: { $0.start }) {
      if let reached, reached > range.start {
        shared.append(TimeRange(start: range.start, end: min(reached, range.end)))
      }
      reached = max(reached ?? range.end, range.end)
      union.append(range)
    }
    (any, several) = (TimeRangeSet(union: union), TimeRangeSet(union: shared))
  }

  func onOtherSurfaces(than surface: SurfaceAnalysis, during window: TimeRange) -> Bool {
    let known = own[surface.surface]?.coveredLength(of: window) ?? .zero
    return several.coveredLength(of: window) > .zero || any.coveredLength(of: window) > known
  }
}
