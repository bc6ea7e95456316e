public import ScrollTraceModel

/// Concludes from a trace what a report says.
public struct TraceAnalyzer: Sendable {
  /// What the analysis is told besides the trace.
  package let options: AnalysisOptions

  /// An analyzer with these options.
  public init(_ options: AnalysisOptions = AnalysisOptions()) {
    self.options = options
  }

  /// What the user named and is not there in `trace`: interactions, or what is selected. An analysis
  /// would count nothing, or what nobody asked for.
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

  /// Everything that can be concluded from `trace`.
  public func analyze(_ trace: Trace) -> Analysis {
    let trace = options.completing(trace)
    let resolution = InteractionResolution(of: trace, options: options)
    let stretches = resolution.interactions.map {
      TimeRange(start: $0.start, end: $0.end ?? trace.range.end)
    }
    let timelines = StateTimeline.all(of: trace)
    let selection = SelectionResolution(
      of: trace, options: options, interactions: resolution, timelines: timelines)
    let moving = TimeRangeSet(union: stretches)
    let windows = selection.part(of: moving.isEmpty ? TimeRangeSet(union: [trace.range]) : moving)
    let workload = TrackWorkload(
      of: trace, in: windows,
      timestamps: (stretches + [trace.range] + (selection.time?.ranges ?? [])).flatMap {
        [$0.start.nanoseconds, $0.end.nanoseconds]
      })
    let passes = trace.numberedSurfaces.map { id, surface in
      SurfacePass(
        id: id, surface: surface, interactions: resolution.interactions(of: id), trace: trace,
        options: options, workload: workload, selection: selection)
    }
    let attributor =
      options.explains ? Attributor(of: trace, timelines: workload.timelines) : nil
    var budget = AnalysisResourceLimits(for: trace)
    let surfaces = passes.map { pass in
      var surface = pass.conclude(attributor: attributor, timelines: timelines, within: &budget)
      if !surface.isEvaluated {
        surface.assumingAlwaysMoving = pass.conclusionIfMoving(within: &budget)
      }
      return surface
    }

    let workPass = WorkPass(
      trace: trace, workload: workload, windows: windows,
      kind: moving.isEmpty ? .recording : .interaction)
    let late = passes.compactMap(\.lateStretches)
    let lateWindows = LateWindows(of: surfaces)
    let lists =
      options.explains
      ? ListPass.lists(
        of: trace,
        ListPass.Context(
          late: lateWindows,
          moving: moving.isEmpty && selection.time == nil ? nil : windows,
          refresh: surfaces.lazy.compactMap(\.refreshInterval).min()
            ?? FindingThresholds.visibleWait)) : []
    let findings = FindingPass(
      trace: trace, options: options, surfaces: surfaces, lists: lists, late: lateWindows,
      selection: selection)
    var analysis = Analysis(
      trace: trace, options: options, selectedTime: selection.shownTime, surfaces: surfaces,
      work: workPass.work(
        late: late.isEmpty ? nil : TimeRangeSet(union: late.flatMap { $0 }),
        attributor: attributor),
      otherProcesses: workPass.otherProcesses(), lists: lists,
      findings: options.explains ? findings.findings() : [],
      notices: NoticePass(
        trace: trace, passes: passes, surfaces: surfaces, resolution: resolution
      ).notices + budget.leftOut.map { .leftOut(surface: $0) })
    if options.explains { analysis.predict(with: passes) }
    return analysis
  }
}

extension Analysis {
  /// Predicts what would come of mending what was found, and ranks the findings by it (M-19).
  fileprivate mutating func predict(with passes: [SurfacePass]) {
    guard let surface = evaluatedPrimarySurface, surface.hitchTime ?? .zero > .zero else { return }
    let changes = findings.map { $0.change(for: surface) }
    guard changes.contains(where: { $0 != nil }),
      let pass = passes.first(where: { $0.id == surface.surface }),
      let predictor = try? Predictor(of: pass, surface: surface)
    else { return }
    for (index, change) in changes.enumerated() {
      guard let change else { continue }
      let known = predictions.first { $0.changes == [change] }
      guard let prediction = known ?? predictor.predict([change]) else { continue }
      if known == nil { predictions.append(prediction) }
      findings[index].predictedRemoval = prediction.removed
    }
    predictions = predictions.stablySorted { $0.removed > $1.removed }
    findings = findings.stablySorted { $0.comesBefore($1) }
  }
}
