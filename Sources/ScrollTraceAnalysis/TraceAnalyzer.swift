public import ScrollTraceModel

/// Concludes from a trace what a report says.
public struct TraceAnalyzer: Sendable {
  /// What the analysis is told besides the trace.
  public let options: AnalysisOptions

  /// An analyzer with these options.
  public init(_ options: AnalysisOptions = AnalysisOptions()) {
    self.options = options
  }

  /// What of the selection is not there in `trace`; an analysis of it would count nothing.
  public func selectionProblem(in trace: Trace) -> SelectionProblem? {
    guard !options.selection.isEmpty else { return nil }
    return SelectionResolution(
      of: trace, options: options,
      interactions: InteractionResolution(of: trace, options: options),
      timelines: StateTimeline.all(of: trace)
    ).problem
  }

  /// Everything that can be concluded from `trace`.
  public func analyze(_ trace: Trace) -> Analysis {
    let resolution = InteractionResolution(of: trace, options: options)
    let stretches = resolution.interactions.map {
      TimeRange(begin: $0.begin, end: $0.end ?? trace.range.end)
    }
    let timelines = StateTimeline.all(of: trace)
    let selection = SelectionResolution(
      of: trace, options: options, interactions: resolution, timelines: timelines)
    let moving = TimeRangeSet(union: stretches)
    let windows = selection.part(of: moving.isEmpty ? TimeRangeSet(union: [trace.range]) : moving)
    let workload = TrackWorkload(
      of: trace, in: windows,
      instants: (stretches + [trace.range] + (selection.time?.ranges ?? [])).flatMap {
        [$0.begin.nanoseconds, $0.end.nanoseconds]
      })
    let passes = trace.numberedSurfaces.map { id, surface in
      SurfacePass(
        id: id, surface: surface, interactions: resolution.interactions(of: id), trace: trace,
        options: options, workload: workload, selection: selection)
    }
    let attributor = Attributor(of: trace, timelines: workload.timelines)
    var budget = AnalysisBudget(for: trace)
    let surfaces = passes.map {
      $0.conclude(attributor: attributor, timelines: timelines, within: &budget)
    }

    let workPass = WorkPass(
      trace: trace, workload: workload, windows: windows,
      kind: moving.isEmpty ? .recording : .interaction)
    let late = passes.compactMap(\.lateStretches)
    let lateWindows = LateWindows(of: surfaces)
    let lists = ListPass.lists(
      of: trace,
      ListPass.Context(
        late: lateWindows, moving: moving,
        refresh: surfaces.lazy.compactMap(\.interval).min() ?? FindingLimits.visibleWait))
    let findings = FindingPass(
      trace: trace, options: options, surfaces: surfaces, lists: lists, late: lateWindows)
    var analysis = Analysis(
      trace: trace, options: options, selectedTime: selection.shownTime, surfaces: surfaces,
      work: workPass.work(late: late.isEmpty ? nil : TimeRangeSet(union: late.flatMap { $0 })),
      otherProcesses: workPass.otherProcesses(), lists: lists,
      findings: findings.findings(),
      notices: NoticePass(
        trace: trace, passes: passes, surfaces: surfaces, resolution: resolution
      ).notices + budget.leftOut.map { .leftOut(surface: $0) })
    analysis.predict()
    return analysis
  }
}

extension Analysis {
  /// Predicts what would come of changes where there is hitch time to remove, and ranks the findings by
  /// it (M-19).
  fileprivate mutating func predict() {
    guard let surface = leadingSurface, surface.hitchTime ?? .zero > .zero,
      let predictor = try? Predictor(of: self, surface: surface)
    else { return }
    predictions = predictor.predictions()
    for index in findings.indices {
      guard let change = findings[index].change(for: surface) else { continue }
      let known = predictions.first { $0.changes == [change] }
      findings[index].predictedRemoval = (known ?? predictor.predict([change]))?.removed
    }
    findings = findings.stablySorted { $0.comesBefore($1) }
  }
}
