package import ScrollTraceModel

/// What the last part of a recording that goes on says of how smooth it is.
///
/// The passes are those of `TraceAnalyzer`, so that a hitch here is a hitch there; what only a whole
/// trace can tell is left out. The trace may have forgotten what lies behind: see ``tally(from:to:)``.
package struct LiveAnalysis: Sendable {
  /// A surface in the part.
  package struct Surface: Sendable {
    /// Its name.
    package let name: String
    /// On what it is evaluated (M-2).
    package let basis: Basis
    /// The refresh interval of its last frame, or `nil` if none is known.
    package let refreshInterval: TimeSpan?
    /// Its hitches with what filled their time (M-16), ascending by start.
    package let hitches: [Hitch]
  }

  /// The part of the recording.
  package let trace: Trace
  /// The surfaces, ascending by name.
  package let surfaces: [Surface]
  let workload: TrackWorkload
  let passes: [SurfacePass]
  private let moving: TimeRangeSet
  private let timelines: [StateTimeline]

  /// Looks at `trace`.
  ///
  /// - Parameter ways: By the names of surfaces, the ways of frames that the trace has forgotten.
  package init(
    of trace: Trace, options: AnalysisOptions = AnalysisOptions(), ways: [String: WayCounts] = [:]
  ) {
    var options = options
    options.selection = AnalysisOptions.Selection()
    self.trace = trace
    let resolution = InteractionResolution(of: trace, options: options)
    moving = TimeRangeSet(
      union: resolution.interactions.map {
        TimeRange(start: $0.start, end: $0.end ?? trace.range.end)
      })
    let workload = TrackWorkload(of: trace, in: TimeRangeSet(union: []), timestamps: [])
    self.workload = workload
    passes = trace.numberedSurfaces.map { id, surface in
      SurfacePass(
        id: id, surface: surface, interactions: resolution.interactions(of: id), trace: trace,
        options: options, workload: workload, earlierWays: ways[surface.name])
    }
    let attributor = Attributor(of: trace, workload)
    var budget = AnalysisResourceLimits(for: trace)
    surfaces = passes.map { pass in
      var hitchPass = HitchPass(pass: pass, attributor: attributor, budget: budget)
      let hitches = hitchPass.hitches()
      budget = hitchPass.budget
      return Surface(
        name: pass.surface.name, basis: pass.surface.basis,
        refreshInterval: pass.frames.last?.refreshInterval,
        hitches: hitches)
    }
    timelines = StateTimeline.all(of: trace)
  }

  /// Adds the ways of frames before `limit`, which the trace is about to forget.
  package func addWays(until limit: Timestamp, to ways: inout [String: WayCounts]) {
    for pass in passes {
      var counts = ways[pass.surface.name] ?? WayCounts(start: trace.range.start)
      counts.add(pass, until: limit)
      ways[pass.surface.name] = counts
    }
  }

  /// The interactions that go on where the trace ends, ascending by start.
  package var openInteractions: [Interaction] { trace.interactions.filter { $0.end == nil } }

  /// The states that hold where the trace ends, ascending by key.
  package var states: [AnalysisOptions.State] {
    timelines.compactMap { timeline in
      timeline.value(start: trace.range.end, end: trace.range.end).map {
        AnalysisOptions.State(key: timeline.key, value: $0)
      }
    }
  }

  /// The figures of the range from `begin` to `end`, to the end of everything where that is `nil`.
  ///
  /// Every frame, miss and hitch belongs to one instant, so that ranges that follow one another
  /// count it once. For the figures to be those of the whole recording the trace has to hold
  /// everything that reaches into the range, and the frames before that its gaps are measured from.
  package func tally(from start: Timestamp, to end: Timestamp?) -> LiveTotals {
    let stretch = TimeRange(start: start, end: end ?? Timestamp(clamping: Int64.max))
    func holds(_ instant: Timestamp?) -> Bool {
      // What has no place in time counts when all else has.
      guard let instant else { return end == nil }
      return start <= instant && (end.map { instant < $0 } ?? true)
    }
    let all = TimeRangeSet(union: [stretch])
    let moving = moving.intersection(all)
    var tally = LiveTotals()
    tally.time = stretch.intersection(trace.range).length
    tally.movingTime = moving.length
    tally.work = work(in: all)
    tally.movingWork = work(in: moving)
    for (pass, surface) in zip(passes, surfaces) {
      var figures = LiveTotals.Surface()
      figures.movingTime = pass.motions.time.intersection(all).length
      figures.listsHitches = pass.surface.basis == .hitchList
      figures.ledger = pass.ledger(over: all)
      for frame in pass.frames where frame.isOwed {
        if holds(frame.frame.place) {
          figures.frames += 1
          figures.evaluated += frame.isEvaluated ? 1 : 0
          figures.evaluatedInMotion += frame.isEvaluated && frame.motion != nil ? 1 : 0
        }
        if frame.missedDeadline == true, holds(frame.frame.commitEnd) {
          figures.deadlineMisses += 1
        }
      }
      for hitch in surface.hitches where holds(hitch.range.end) {
        figures.hitches += 1
        let (sum, overflow) =
          figures.refreshesMissed.addingReportingOverflow(hitch.refreshesMissed ?? 0)
        figures.refreshesMissed = overflow ? .max : sum
        figures.hitchTime += hitch.length
        // Without an interaction in sight all of the part would count as one.
        if !pass.motions.time.isEmpty { figures.hitchTimeInside += hitch.lengthInMotion }
      }
      tally.surfaces[surface.name] = figures
    }
    return tally
  }

  private func work(in time: TimeRangeSet) -> LiveTotals.Work {
    LiveTotals.Work(
      main: workload.main.map { workload.running[$0.index].busy(in: time) } ?? .zero,
      background: workload.background.reduce(into: .zero) {
        $0 += workload.running[$1.index].busy(in: time)
      })
  }
}
