import ScrollTraceModel

/// Main-thread work with a good part of a surface's hitch time (M-16).
struct WorkCause {
  let surface: SurfaceAnalysis
  let work: WorkName
  /// The part of the surface's hitch time, 0 to 1.
  let share: Double
  /// The evidence for findings.
  let evidence: Finding.Evidence
}

extension FindingContext {
  /// Returns the work that at least `share` of the hitch time of its surface is attributed to, for
  /// each name the surface where it costs most.
  func workCauses(atLeast share: Double) -> [WorkCause] {
    let all = evaluatedSurfaces.flatMap { surface in
      surface.causes.compactMap { WorkCause($0, of: surface, atLeast: share) }
    }
    var named: Set<WorkName> = []
    return all.stablySorted { $0.evidence.hitchTime > $1.evidence.hitchTime }
      .filter { named.insert($0.work).inserted }
  }
}

extension WorkCause {
  fileprivate init?(_ cause: CauseSummary, of surface: SurfaceAnalysis, atLeast share: Double) {
    guard case .work(let category, let name) = cause.kind, let all = surface.hitchTime,
      FindingContext.isPart(share, cause.hitchTime, of: all)
    else { return nil }
    self.surface = surface
    work = WorkName(category: category, name: name)
    self.share = FindingContext.share(cause.hitchTime, of: all)
    evidence = Finding.Evidence(
      count: cause.hitchCount, total: cause.time, hitches: cause.hitchCount,
      hitchTime: cause.hitchTime,
      worst: Finding.Occurrence(frame: cause.worstFrame, time: cause.worstAt))
  }

  /// A Boolean value indicating whether the work is only a frame around other work: a phase, or the
  /// loop around all work of a browser.
  static func isFrameOfOtherWork(_ work: WorkName) -> Bool {
    work.category == "scrolltrace.phase" || work.category == "scrolltrace.frame"
      || work.name == "RunTask" || work.name == "ThreadControllerImpl::RunTask"
  }
}
