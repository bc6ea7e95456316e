import ScrollTraceModel

extension FindingPass {
  // MARK: - Where the hitch time arose

  /// What made the hitches of a surface, where that is not the work of a list.
  func causes(of surface: SurfaceAnalysis) -> [Finding] {
    let all = surface.hitches.reduce(TimeSpan.zero) { $0 + $1.length }
    guard all > .zero else { return [] }
    var (render, idle) = (HitchGroup(), HitchGroup())
    for hitch in surface.hitches {
      if hitch.kind == .render {
        render.add(hitch, .zero)
        continue
      }
      guard let attribution = hitch.chargedAttribution else { continue }
      let window = attribution.window.length
      let still = attribution.idle + attribution.waiting
      if Self.isPart(FindingThresholds.causeShare, still, of: window) { idle.add(hitch, still) }
    }
    func finding(
      _ group: HitchGroup, _ least: Double, total: TimeSpan?, _ kind: (Double) -> Finding.Kind
    ) -> Finding? {
      let share = Self.share(group.length, of: all)
      guard group.count > 0, share >= least else { return nil }
      return Finding(
        kind: kind(share), subject: .surface(surface.name), evidence: group.evidence(total))
    }
    return [
      finding(render, FindingThresholds.explainedShare, total: render.length) {
        .renderHitches(share: $0)
      },
      finding(idle, FindingThresholds.idleShare, total: idle.total) {
        .hitchesWhileIdle(share: $0)
      },
    ].compactMap { $0 } + longTasks(of: surface)
  }

  /// The work to which most of the hitch time is charged (M-16).
  private func longTasks(of surface: SurfaceAnalysis) -> [Finding] {
    surface.causes.compactMap { cause in
      guard case .work(let category, let name) = cause.kind, let all = surface.hitchTime,
        Self.isPart(FindingThresholds.explainedShare, cause.hitchTime, of: all),
        !Self.isNamedElsewhere(category, name)
      else { return nil }
      var evidence = Finding.Evidence(count: cause.hitchCount)
      evidence.total = cause.time
      evidence.hitches = cause.hitchCount
      evidence.hitchTime = cause.hitchTime
      evidence.worst = Finding.Occurrence(frame: cause.worstFrame, time: cause.worstAt)
      let share = Self.share(cause.hitchTime, of: all)
      return Finding(
        kind: .longTask(category: category, name: name, share: share),
        subject: .surface(surface.name), evidence: evidence)
    }
  }

  /// Whether other findings speak of work: that of frames, lists and cells that come into view. The
  /// loop around all work of a browser says nothing.
  private static func isNamedElsewhere(_ category: String, _ name: String) -> Bool {
    category == "scrolltrace.phase" || category == "scrolltrace.frame" || isWillDisplay(name)
      || ListWord(category: category, name: name) != nil
      || name == "RunTask" || name == "ThreadControllerImpl::RunTask"
  }

  // MARK: - Pace

  /// Surfaces that are slow without a peak, or about to be.
  func frameSpacing(of surface: SurfaceAnalysis) -> [Finding] {
    [steadilySlowFrames(of: surface), lowHeadroom(of: surface)].compactMap { $0 }
  }

  private func steadilySlowFrames(of surface: SurfaceAnalysis) -> Finding? {
    let runs = surface.runs.filter(\.isSteady)
    guard let longest = runs.max(by: { ($0.frames, $1.start) < ($1.frames, $0.start) }),
      let spacing = longest.spacing
    else { return nil }
    var evidence = Finding.Evidence(count: runs.reduce(0) { $0 + $1.frames })
    var lasted = TimeSpan.zero
    var frame: UInt64?
    for run in runs {
      let length = (run.spacing ?? .zero) * Int64(run.frames - 1)
      lasted += length
      let first = surface.hitches.partitionPoint { $0.range.start >= run.start }
      let end = surface.hitches.partitionPoint { $0.range.start >= run.start + length }
      for hitch in surface.hitches[first..<max(first, end)] {
        evidence.hitches += 1
        evidence.hitchTime += hitch.lengthInMotion
      }
      if run == longest, first < end { frame = surface.hitches[first].frame }
    }
    evidence.total = lasted
    evidence.worst = Finding.Occurrence(frame: frame, time: longest.start)
    return Finding(
      kind: .steadilySlowFrames(spacing: spacing, refreshInterval: surface.refreshInterval),
      subject: .surface(surface.name), evidence: evidence)
  }

  private func lowHeadroom(of surface: SurfaceAnalysis) -> Finding? {
    guard let slack = surface.slackP5, let interval = surface.refreshInterval,
      slack * FindingThresholds.slackPart < interval, let ratio = surface.ratio,
      options.thresholds.band(of: ratio.millisecondsPerSecond) == .good,
      let evaluated = surface.counts.evaluated, evaluated >= NoticePass.fewFrames
    else { return nil }
    let frames = trace.surfaces[surface.surface.index].frames
    var (count, most, worst): (Int, TimeSpan, Finding.Occurrence?) = (0, .zero, nil)
    for index in 0..<frames.count {
      let frame = frames[index]
      guard frame.outcome != .notRequested, selection.holds(frame.place), let end = frame.commitEnd,
        let deadline = frame.deadline, (deadline - end) * FindingThresholds.slackPart < interval
      else { continue }
      count += 1
      guard worst == nil || end - deadline > most else { continue }
      (most, worst) = (end - deadline, Finding.Occurrence(frame: frame.id, time: end))
    }
    guard count > 0 else { return nil }
    var evidence = Finding.Evidence(count: count)
    evidence.worst = worst
    return Finding(
      kind: .lowHeadroom(slack: slack, refreshInterval: interval), subject: .surface(surface.name),
      evidence: evidence)
  }
}

/// Hitches that have one cause.
private struct HitchGroup {
  private(set) var count = 0
  /// How late their frames were, all together.
  private(set) var length = TimeSpan.zero
  /// The time of the cause.
  private(set) var total = TimeSpan.zero
  private var inside = TimeSpan.zero
  private var worst: Hitch?

  mutating func add(_ hitch: Hitch, _ time: TimeSpan) {
    count += 1
    length += hitch.length
    inside += hitch.lengthInMotion
    total += time
    if hitch.length > worst?.length ?? .zero { worst = hitch }
  }

  /// What a finding says of them.
  func evidence(_ total: TimeSpan?) -> Finding.Evidence {
    Finding.Evidence(
      count: count, total: total, hitches: count, hitchTime: inside,
      worst: worst.map {
        Finding.Occurrence(
          frame: $0.frame, time: $0.chargedAttribution?.window.start ?? $0.range.start)
      })
  }
}
