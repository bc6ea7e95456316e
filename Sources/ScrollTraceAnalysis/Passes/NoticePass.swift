import ScrollTraceModel

/// Collects the facts that a reader of the report should know.
struct NoticePass {
  let trace: Trace
  let passes: [SurfacePass]
  let surfaces: [SurfaceAnalysis]
  let resolution: InteractionResolution

  /// The notices, those of the trace first, then those about each surface.
  var notices: [AnalysisNotice] {
    var notices = trace.notices.map(AnalysisNotice.trace)
    if let pattern = resolution.unmatchedPattern { notices.append(.noMarks(pattern: pattern)) }
    let length = trace.range.length
    for name in resolution.outside {
      notices.append(.interactionOutside(name: name, length: length))
    }
    for interaction in resolution.interactions where interaction.end == nil {
      notices.append(
        .unfinishedInteraction(kind: interaction.kind, since: interaction.start))
    }
    for (pass, surface) in zip(passes, surfaces) {
      notices += self.notices(of: surface, pass: pass)
    }
    return notices
  }

  private func notices(of surface: SurfaceAnalysis, pass: SurfacePass) -> [AnalysisNotice] {
    guard surface.basis != .hitchList else { return [] }
    var notices: [AnalysisNotice] = []
    let evaluated = surface.counts.evaluated ?? 0
    if !surface.isEvaluated {
      notices.append(.noData(surface: surface.name))
    } else if evaluated < RatedHitches.enoughFrames {
      notices.append(.fewFrames(surface: surface.name, evaluated: evaluated))
    }
    let isJudged = pass.surface.problem == nil
    if isJudged, surface.refreshIntervals.isEmpty, pass.frames.contains(where: pass.isSelected) {
      notices.append(.noInterval(surface: surface.name))
    }
    if isJudged, pass.motions.time.isEmpty, !pass.isNowhereInMotion, !pass.frames.isEmpty {
      notices.append(.noInteractions(surface: surface.name))
    }
    let skipped = pass.evaluatedMotions.count { !$0.wasEvaluated }
    if skipped > 0 {
      notices.append(.motionsNotEvaluated(surface: surface.name, count: skipped))
    }
    let unfinished = pass.frames.count(where: \.frame.isOpen)
    if unfinished > 0, pass.frames.contains(where: { $0.frame.commitEnd != nil }) {
      notices.append(.unfinishedFrames(surface: surface.name, count: unfinished))
    }
    return notices
  }
}
