import ScrollTraceModel

/// Reports a single frame (M-16), evaluated as in the analysis of the whole trace.
struct FramePass {
  private let pass: SurfacePass
  private let trace: Trace
  private let attributor: Attributor?
  private let stateTimelines: [StateTimeline]
  /// The hitch time of the frames at the end of motions.
  private let lastHitches: [Int: TimeSpan]
  /// The assumed ends of the open spans of the trace.
  private let openSpanEnds: [Timestamp]
  /// The names of waits by those of all hitches.
  private let waits: WaitGroups

  /// The maximum nesting depth of work that is distinguished.
  static let deepest = 64

  /// Creates a pass over a surface.
  ///
  /// - Parameter hitches: The hitches of the analysis of the whole trace.
  init(of id: SurfaceID, in trace: Trace, options: AnalysisOptions, besides hitches: [Hitch]) {
    // A selection limits what is counted, not which frames can be reported.
    var options = options
    options.selection = AnalysisOptions.Selection()
    let resolution = InteractionResolution(of: trace, options: options)
    let workload = TrackWorkload(of: trace, in: TimeRangeSet(union: []), timestamps: nil)
    self.trace = trace
    pass = SurfacePass(
      id: id, surface: trace.surfaces[id.index], interactions: resolution.interactions(of: id),
      trace: trace, options: options, workload: workload)
    attributor = Attributor(of: trace, workload)
    stateTimelines = StateTimeline.all(of: trace)
    var lastHitches: [Int: TimeSpan] = [:]
    for tail in pass.evaluatedMotions.lazy.compactMap(\.tail) {
      if let index = tail.frame { lastHitches[index] = tail.length }
    }
    self.lastHitches = lastHitches
    openSpanEnds = workload.endsOfOpenSpans(of: trace)
    waits = WaitGroups(of: hitches)
  }

  /// The worst frame with a number: the one with the longest hitch, then the largest overrun.
  func detail(ofFrame number: UInt64) -> FrameDetail? {
    let same = pass.frames.indices.filter { pass.frames[$0].frame.id == number }
    let worst = same.max { left, right in
      let (a, b) = (pass.frames[left], pass.frames[right])
      let low = TimeSpan(nanoseconds: Int64.min)
      return (hitchTime(a), a.overrun ?? low, right) < (hitchTime(b), b.overrun ?? low, left)
    }
    return worst.map { detail(at: $0, sameNumberCount: same.count) }
  }

  private func hitchTime(_ frame: EvaluatedFrame) -> TimeSpan {
    max(frame.hitch, lastHitches[frame.index] ?? .zero)
  }

  private func detail(at position: Int, sameNumberCount: Int) -> FrameDetail {
    let evaluated = pass.frames[position]
    let frame = evaluated.frame
    var hitchPass = HitchPass(
      pass: pass, attributor: attributor,
      budget: AnalysisResourceLimits(for: trace))
    let hitch = hitchPass.hitch(ofFrameAt: position).map { waits.named($0) }
    let attribution = hitch?.attribution ?? waits.named(hitchPass.attribution(ofFrameAt: position))
    let range = range(of: frame, hitch, attribution)
    return FrameDetail(
      surface: pass.surface.name, frame: frame, sameNumberCount: sameNumberCount,
      refreshInterval: evaluated.refreshInterval, overrun: evaluated.overrun,
      isEvaluated: evaluated.isEvaluated || hitch != nil,
      isLateWithoutHitch: evaluated.isLateWithoutHitch, hitch: hitch,
      sourceLabel: frame.sourceLabel.map { trace.strings[$0] },
      interactions: interactions(of: frame), states: states(of: frame), attribution: attribution,
      range: range,
      main: pass.mainTrack.flatMap { main in range.flatMap { self.main(main, in: $0) } },
      mainStates: range.map(mainStates) ?? [], background: range.map(background) ?? [])
  }

  /// The late commits in the measured time, in order, as they would be at another refresh interval (M-17).
  ///
  /// A frame that begins after the one before it ended is late anew; of others, what they add counts.
  ///
  /// - Parameter selected: The time in which hitches count, or `nil` for everything.
  func lateCommits(at refreshInterval: TimeSpan, in selected: TimeRangeSet?) -> [LateFrame] {
    var hitchPass = HitchPass(
      pass: pass, attributor: attributor, budget: AnalysisResourceLimits(for: trace))
    var found: [LateFrame] = []
    var (last, lastLateness, lastEnd): (Int?, TimeSpan, Timestamp?) = (nil, .zero, nil)
    for position in pass.frames.indices {
      let frame = pass.frames[position]
      guard pass.motions.time.isEmpty || frame.motion != nil, let recorded = frame.overrun,
        let own = frame.refreshInterval, let end = frame.frame.commitEnd
      else { continue }
      let before = last
      last = position
      if let lastEnd, let start = frame.frame.start, start >= lastEnd { lastLateness = .zero }
      lastEnd = end
      let overrun = recorded + own - refreshInterval
      guard overrun > .zero else {
        lastLateness = .zero
        continue
      }
      let refreshes = (overrun.nanoseconds - 1) / max(1, refreshInterval.nanoseconds) + 1
      let lateness = refreshInterval * refreshes
      let attribution = hitchPass.attribution(ofFrameAt: position)
      let room = attribution.map { $0.window.start - (frame.frame.start ?? $0.window.start) }
      let follows = before.map { pass.frames[$0].index == found.last?.index } ?? false
      let (added, shown) = (max(.zero, lateness - lastLateness), frame.shown ?? end)
      let hitch = TimeRange(start: shown - added, end: shown)
      let isSelected = selected.map { $0.index(containing: hitch.start) != nil } ?? true
      found.append(
        LateFrame(
          index: frame.index, rule: .overrun, attribution: attribution, commit: attribution,
          room: max(.zero, room ?? .zero), followsLateFrame: follows, overrun: overrun,
          refreshInterval: refreshInterval, hitchTime: selected?.coveredLength(of: hitch) ?? added,
          length: lateness, addsToLateness: follows && lastLateness > .zero && isSelected))
      lastLateness = lateness
    }
    return found
  }

  private func range(
    of frame: Frame, _ hitch: Hitch?, _ attribution: Attribution?
  ) -> TimeRange? {
    let own = [
      frame.start, frame.commitStart, frame.commitEnd, frame.deadline, frame.target,
      frame.presented,
    ].compactMap { $0 }
    let windows = [hitch?.range, attribution?.window].compactMap { $0 }
    let all = own + windows.flatMap { [$0.start, $0.end] }
    guard let begin = all.min(), let end = all.max(), begin < end else { return nil }
    return TimeRange(start: begin, end: end)
  }

  private func interactions(of frame: Frame) -> [Interaction] {
    guard let time = frame.time else { return [] }
    return pass.interactions.filter {
      TimeRange(start: $0.start, end: $0.end ?? trace.range.end).contains(time)
    }
  }

  private func states(of frame: Frame) -> [AnalysisOptions.State] {
    stateTimelines.compactMap { timeline in
      timeline.value(of: frame).map { AnalysisOptions.State(key: timeline.key, value: $0) }
    }
  }

  // MARK: - Work

  private func main(_ id: TrackID, in range: TimeRange) -> FrameTrack? {
    // Each depth is free again after the end of its last span.
    var ends: [Int64] = []
    let pieces = spans(of: id, in: range).map { span in
      let begin = span.range.start.nanoseconds
      var depth = ends.firstIndex { $0 <= begin } ?? ends.count
      if depth == ends.count, depth < Self.deepest { ends.append(0) }
      depth = min(depth, Self.deepest)
      // No later span can be at the same depth as one that never ended.
      if depth < ends.count { ends[depth] = span.isOpen ? Int64.max : span.range.end.nanoseconds }
      return FrameWork(range: span.range, label: span.label, item: span.item, depth: depth)
    }
    return track(id, in: range, pieces)
  }

  private func mainStates(in range: TimeRange) -> [FrameState] {
    guard let main = pass.mainTrack else { return [] }
    let states = trace.tracks[main.index].threadStates
    return states.indexes(in: range).map { index in
      FrameState(
        range: TimeRange(
          start: Timestamp(clamping: states.starts[index]),
          end: Timestamp(clamping: states.ends[index])), state: states.states[index])
    }
  }

  /// The busiest tracks, with the innermost span at each time.
  private func background(in range: TimeRange) -> [FrameTrack] {
    let open = Set(trace.openSpans.filter { $0.since < range.end }.map(\.track))
    let busy = pass.workload.background
      .map { (id: $0, busy: pass.workload.timelines[$0.index].busy(in: range)) }
      .filter { $0.busy > .zero || open.contains($0.id) }
      .stablySorted { TimeSpan.zero - $0.busy }
    return busy.enumerated().compactMap { rank, entry in
      // Only the busiest tracks are displayed. For the others, the busy time is sufficient.
      guard rank < Self.maximumTracks else { return track(entry.id, in: range, []) }
      let spans = spans(of: entry.id, in: range)
      var pieces: [FrameWork] = []
      let bounds = spans.lazy.map {
        SpanBounds(start: $0.range.start.nanoseconds, end: $0.range.end.nanoseconds)
      }
      SelfTimeSweep.run(bounds) { begin, end, index in
        pieces.append(
          FrameWork(
            range: TimeRange(start: Timestamp(clamping: begin), end: Timestamp(clamping: end)),
            label: spans[index].label, item: spans[index].item, depth: 0))
      }
      return track(entry.id, in: range, pieces)
    }
  }

  /// The number of background tracks that are reported with their spans.
  static let maximumTracks = 16

  private func track(_ id: TrackID, in range: TimeRange, _ pieces: [FrameWork]) -> FrameTrack {
    FrameTrack(
      name: trace.displayName(of: id), busy: pass.workload.running[id.index].busy(in: range),
      pieces: pieces)
  }

  /// The spans that overlap `range`, sorted by start, outer ones first. Open spans last until the
  /// trace ends.
  private func spans(
    of id: TrackID, in range: TimeRange
  ) -> [(range: TimeRange, label: LabelID, item: ArgumentValue?, isOpen: Bool)] {
    let itemKey = trace.strings.firstID(of: "item")
    var found = pass.workload.spans(of: id, in: range, trace).map { span in
      let item = trace.arguments.value(of: itemKey, in: span.arguments)
      return (range: span.range, label: span.label, item: item, isOpen: false)
    }
    for (open, end) in zip(trace.openSpans, openSpanEnds)
    where open.track == id && open.since < range.end && end > range.start {
      let range = TimeRange(start: open.since, end: end)
      found.append((range, open.label, open.item, true))
    }
    // Earlier starts first, then longer spans.
    return found.stablySorted {
      ($0.range.start, $1.range.end) < ($1.range.start, $0.range.end)
    }
  }
}
