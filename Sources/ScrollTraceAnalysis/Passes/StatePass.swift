import ScrollTraceModel

/// Divides a surface's frames by states (M-18).
struct StatePass {
  let pass: SurfacePass
  let hitches: [Hitch]
  let timelines: [StateTimeline]
  /// The time before each frame that a histogram counts, or `nil` for no histograms.
  let spacings: [Int: TimeSpan]?

  /// The part of the frames with one value of a state.
  private struct Share {
    var positions: [Int] = []
    var hitches: [Hitch] = []
    var ranges = TimeRangeSet(union: [])
  }

  func states(within budget: inout AnalysisResourceLimits) -> [StateAnalysis] {
    var states: [StateAnalysis] = []
    let hitchLoad = LoadTimeline(sum: hitches.flatMap(\.pieces))
    for timeline in timelines {
      let cost = pass.frames.count + hitches.count + timeline.changeCount
      guard budget.spend(rows: cost, on: pass.surface.name) else { break }
      states += shares(of: timeline)
        .map { analysis(key: timeline.key, value: $0.key, share: $0.value, hitchLoad) }
        .sorted { $0.value < $1.value }
    }
    return states
  }

  private func shares(of timeline: StateTimeline) -> [String: Share] {
    var shares = timeline.ranges(until: pass.trace.range.end)
      .mapValues { Share(ranges: $0) }
    var values: [Int: String] = [:]
    for frame in pass.frames where frame.motion != nil || pass.motions.time.isEmpty {
      guard let value = timeline.value(of: frame.frame) else { continue }
      values[frame.index] = value
      if pass.isSelected(frame) { shares[value, default: Share()].positions.append(frame.index) }
    }
    for hitch in hitches where hitch.lengthInMotion > .zero {
      let begin = hitch.range.start
      let value =
        hitch.frameIndex.map { values[$0] } ?? timeline.value(start: begin, end: begin)
      if let value { shares[value, default: Share()].hitches.append(hitch) }
    }
    return shares
  }

  /// - Parameter hitchLoad: The parts of hitches that count. A hitch can last through several values.
  private func analysis(
    key: String, value: String, share: Share, _ hitchLoad: LoadTimeline
  ) -> StateAnalysis {
    let frames = SelectedFrames(frames: pass.frames, positions: share.positions)
    let held = pass.countedTime.intersection(share.ranges)
    let hitchTime = held.ranges.reduce(into: TimeSpan.zero) { $0 += hitchLoad.busy(in: $1) }
    let isEvaluated =
      frames.contains(where: \.isEvaluated) || !share.hitches.isEmpty || hitchTime > .zero
      || pass.surface.basis == .hitchList && pass.hasLength && !held.isEmpty
    return StateAnalysis(
      key: key, value: value, time: held,
      counts: CountPass(pass: pass).counts(
        of: frames, hitches: share.hitches, knowsHitches: isEvaluated),
      hitchTime: isEvaluated ? hitchTime : nil,
      thread: pass.workload.main.flatMap { pass.workload.thread($0, in: held) },
      ledger: pass.ledger(over: held),
      totals: spacings.map {
        StateTotals(
          work: pass.workload.sums(in: held),
          histograms: ScopeHistograms(
            of: frames, hitches: share.hitches.map(\.lengthInMotion), spacings: $0))
      })
  }
}
