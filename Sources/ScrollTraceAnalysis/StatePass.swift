import ScrollTraceModel

/// Divides a surface's frames by the states that held (M-18).
struct StatePass {
  let pass: SurfacePass
  let hitches: [Hitch]

  /// One entry for each key and value, ascending.
  func states() -> [StateAnalysis] {
    let time =
      pass.motions.time.isEmpty ? TimeRangeSet(union: [pass.trace.range]) : pass.motions.time
    return StateTimeline.all(of: pass.trace).flatMap { timeline in
      let values = pass.frames.map { value(of: $0, in: timeline) }
      return timeline.values.map { value in
        analysis(of: timeline, value: value, frameValues: values, time: time)
      }
    }
  }

  private func value(of frame: JudgedFrame, in timeline: StateTimeline) -> String? {
    guard let begin = frame.frame.place else { return nil }
    let end = frame.frame.commitEnd ?? frame.frame.presented ?? begin
    return timeline.value(begin: begin, end: max(begin, end))
  }

  private func analysis(
    of timeline: StateTimeline, value: String, frameValues: [String?], time: TimeRangeSet
  ) -> StateAnalysis {
    let members = pass.frames.indices.filter { frameValues[$0] == value }.map { pass.frames[$0] }
    let indexes = Set(members.map(\.index))
    let stretches = timeline.stretches(of: value, until: pass.trace.range.end)
    let mine = hitches.filter { hitch in
      if let index = hitch.frameIndex { return indexes.contains(index) }
      return stretches.index(containing: hitch.range.begin) != nil
    }
    let held = TimeRangeSet(
      union: stretches.ranges.flatMap { stretch in
        time.ranges.map { $0.intersection(stretch) }
      })
    let isJudged =
      members.contains(where: \.isJudged) || !mine.isEmpty
      || pass.surface.basis == .hitchList && pass.trace.range.length > .zero
    return StateAnalysis(
      key: timeline.key, value: value, duration: held.length,
      counts: CountPass(pass: pass).counts(of: members, hitches: mine, time: held),
      hitchTime: isJudged ? mine.reduce(into: .zero) { $0 += $1.lengthInside } : nil)
  }
}
