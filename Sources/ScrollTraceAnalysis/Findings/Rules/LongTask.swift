import ScrollTraceModel

extension FindingID {
  package static let longTask = FindingID("longTask")
}

/// Work of one name that most of the hitch time is attributed to (M-16).
struct LongTask: FindingRule {
  static let id = FindingID.longTask
  static let thresholds: [any NamedThreshold] = [FindingThresholds.explainedShare]

  func findings(in context: FindingContext) -> [Finding] {
    // Work of several surfaces is named for the one where it costs most.
    var named: Set<WorkName?> = []
    return FindingRules.ordered(context.evaluatedSurfaces.flatMap(findings)).filter {
      named.insert($0.details.work).inserted
    }
  }

  private func findings(of surface: SurfaceAnalysis) -> [Finding] {
    guard surface.hitches.contains(where: { $0.length > .zero }) else { return [] }
    return surface.causes.compactMap { cause in
      guard case .work(let category, let name) = cause.kind, let all = surface.hitchTime,
        FindingContext.isPart(FindingThresholds.explainedShare.value, cause.hitchTime, of: all),
        !Self.isNamedElsewhere(category, name)
      else { return nil }
      var evidence = Finding.Evidence(count: cause.hitchCount)
      evidence.total = cause.time
      evidence.hitches = cause.hitchCount
      evidence.hitchTime = cause.hitchTime
      evidence.worst = Finding.Occurrence(frame: cause.worstFrame, time: cause.worstAt)
      let work = WorkName(category: category, name: name)
      let share = FindingContext.share(cause.hitchTime, of: all)
      var finding = finding(
        of: .surface(surface.name), evidence, details: Finding.Details(work: work, share: share))
      finding.proposedChange = .speedup(work, percent: 0)
      return finding
    }
  }

  /// Returns a Boolean value indicating whether other rules examine the work: that of frames, lists
  /// and displayed cells. The loop around all work of a browser identifies nothing.
  private static func isNamedElsewhere(_ category: String, _ name: String) -> Bool {
    category == "scrolltrace.phase" || category == "scrolltrace.frame"
      || HeavyWillDisplay.isWillDisplay(name)
      || ListWord(category: category, name: name) != nil
      || name == "RunTask" || name == "ThreadControllerImpl::RunTask"
  }
}
