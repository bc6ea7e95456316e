public import ScrollTraceModel

/// Analyzes a trace for a report.
public struct TraceAnalyzer: Sendable {
  package let options: AnalysisOptions

  /// Creates an analyzer with options.
  public init(_ options: AnalysisOptions = AnalysisOptions()) {
    self.options = options
  }

  /// The problem if the user's interactions or selection do not exist in `trace`, so that an
  /// analysis would count nothing, or something else than requested, or `nil`.
  package func selectionProblem(in trace: Trace) -> SelectionProblem? {
    guard options.namesInteractions || !options.selection.isEmpty else { return nil }
    let trace = options.completing(trace)
    let interactions = InteractionResolution(of: trace, options: options)
    if let problem = interactions.problem(in: trace, options) { return problem }
    guard !options.selection.isEmpty else { return nil }
    if let from = options.selection.from, trace.range.length > .zero, from > trace.range.length {
      return .behindEnd(from: from, length: trace.range.length)
    }
    return SelectionResolution(
      of: trace, options: options, interactions: interactions,
      timelines: StateTimeline.all(of: trace)
    ).problem
  }

  /// Returns the conclusions from a trace.
  public func analyze(_ trace: Trace) -> Analysis {
    let trace = options.completing(trace).withCommitsOnOneTrack()
    let resolution = InteractionResolution(of: trace, options: options)
    let ranges = resolution.interactions.map {
      TimeRange(start: $0.start, end: $0.end ?? trace.range.end)
    }
    let timelines = StateTimeline.all(of: trace)
    let selection = SelectionResolution(
      of: trace, options: options, interactions: resolution, timelines: timelines)
    let moving = TimeRangeSet(union: ranges)
    let windows = selection.part(of: moving.isEmpty ? TimeRangeSet(union: [trace.range]) : moving)
    let summed =
      ranges + [trace.range] + (selection.time?.ranges ?? [])
      + trace.surfaces.flatMap { [$0.life, $0.activity].compactMap(\.self) }
    // Sums of many traces contain the work in each state.
    let changes = options.countsHistograms ? timelines.flatMap(\.times) : []
    let workload = TrackWorkload(
      of: trace, in: windows,
      timestamps: options.detailsWork
        ? summed.flatMap { [$0.start.nanoseconds, $0.end.nanoseconds] } + changes.map(\.nanoseconds)
        : nil)
    let passes = trace.numberedSurfaces.map { id, surface in
      SurfacePass(
        id: id, surface: surface, interactions: resolution.interactions(of: id), trace: trace,
        options: options, workload: workload, selection: selection)
    }
    let attributor = options.explains ? Attributor(of: trace, workload) : nil
    var budget = AnalysisResourceLimits(for: trace)
    var surfaces = passes.map {
      $0.conclusion(attributor: attributor, timelines: timelines, within: &budget)
    }
    let workPass = WorkPass(
      trace: trace, workload: workload, windows: windows,
      kind: moving.isEmpty ? .recording : .interaction)
    let others = options.otherApps(among: surfaces, in: trace)
    let late = passes.filter { !others.contains($0.id) }.compactMap(\.lateRanges)
    let lateWindows = LateWindows(of: surfaces, besides: others)
    let context = ListPass.Context(
      late: lateWindows, moving: moving.isEmpty && selection.time == nil ? nil : windows,
      measured: windows,
      refreshInterval: surfaces.lazy.compactMap(\.refreshInterval).min())
    let lists = options.explains ? ListPass.lists(of: trace, context) : []
    if let primary = options.primaryIndex(of: surfaces) {
      surfaces[primary].addBlankTime(lists.compactMap(\.blank), in: moving)
    }
    let samples =
      options.explains
      ? SampleAnalysis(
        of: trace, surfaces: surfaces.filter { !others.contains($0.surface) }, windows: windows,
        isMotion: !moving.isEmpty,
        attributor: attributor) : nil
    let (findings, busyNotices) =
      options.findsCauses
      ? FindingRules.findings(
        in: FindingContext(
          trace: trace, options: options, surfaces: surfaces, besides: others, lists: lists,
          late: lateWindows,
          selection: selection, workload: workload, samples: samples)) : ([], [])
    return Analysis(
      trace: trace, options: options, selectedTime: selection.shownTime, surfaces: surfaces,
      work: workPass.work(
        late: late.isEmpty ? nil : TimeRangeSet(union: late.flatMap { $0 }),
        attributor: attributor,
        largest: options.keepsWorkCosts
          ? WorkCost.largest(
            in: windows,
            frames: options.primaryIndex(of: surfaces).flatMap {
              surfaces[$0].countsInMotion.total
            }, attributor ?? Attributor(of: trace, workload)) : nil),
      otherProcesses: workPass.otherProcesses(), lists: lists,
      samples: samples,
      findings: findings,
      notices: NoticePass(
        trace: trace, passes: passes, surfaces: surfaces, resolution: resolution
      ).notices + busyNotices + budget.leftOut.map { .leftOut(surface: $0) })
  }
}
