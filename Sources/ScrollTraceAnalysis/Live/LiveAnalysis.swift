package import ScrollTraceModel

/// The analysis of the last part of a recording that is still being written.
///
/// The passes are those of `TraceAnalyzer`, so hitches are the same. Conclusions that need the
/// whole trace are omitted. The trace may have lost earlier events; see ``totals(from:to:)``.
package struct LiveAnalysis: Sendable {
  /// A surface in the part.
  package struct Surface: Sendable {
    package let name: String
    /// The basis of its evaluation (M-2).
    package let basis: Basis
    /// The refresh interval of its last frame, or `nil` if unknown.
    package let refreshInterval: TimeSpan?
    /// Its hitches with their causes (M-16), sorted by start.
    package let hitches: [Hitch]
  }

  package let trace: Trace
  /// The surfaces, sorted by name.
  package let surfaces: [Surface]
  let workload: TrackWorkload
  let passes: [SurfacePass]
  let moving: TimeRangeSet
  let blanks: [String: BlankTime]
  private let timelines: [StateTimeline]

  /// Prepares an analysis of `trace`.
  ///
  /// - Parameters:
  ///   - trace: The part of the recording that is held.
  ///   - options: The options of the analysis.
  ///   - ways: The ways of frames that the trace no longer contains, by surface name.
  package init(
    of trace: Trace, options: AnalysisOptions = AnalysisOptions(), ways: [String: WayCounts] = [:]
  ) {
    var options = options
    options.selection = AnalysisOptions.Selection()
    let trace = trace.withCommitsOnOneTrack()
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
    blanks = Self.blankTimes(
      in: trace, moving: moving, refreshInterval: surfaces.lazy.compactMap(\.refreshInterval).min())
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

  /// The states that hold at the end of the trace, sorted by key.
  package var states: [AnalysisOptions.State] {
    timelines.compactMap { timeline in
      timeline.value(start: trace.range.end, end: trace.range.end).map {
        AnalysisOptions.State(key: timeline.key, value: $0)
      }
    }
  }

  /// Returns the totals of the range from `start` to `end`, or to the end of the trace if `end` is
  /// `nil`.
  ///
  /// Every frame, deadline miss and hitch belongs to one point in time, so consecutive ranges count
  /// it once. For totals of the whole recording, the trace must contain everything that overlaps
  /// the range, and the frames before it from which its gaps are measured.
  package func totals(from start: Timestamp, to end: Timestamp?) -> LiveTotals {
    let range = TimeRange(start: start, end: end ?? Timestamp(clamping: Int64.max))
    func holds(_ instant: Timestamp?) -> Bool {
      // Events without a time count at the end.
      guard let instant else { return end == nil }
      return start <= instant && (end.map { instant < $0 } ?? true)
    }
    let all = TimeRangeSet(union: [range])
    let moving = moving.intersection(all)
    var totals = LiveTotals()
    totals.time = range.intersection(trace.range).length
    totals.movingTime = moving.length
    totals.work = work(in: all)
    totals.movingWork = work(in: moving)
    totals.blanks = blankTimes(in: range)
    for (pass, surface) in zip(passes, surfaces) {
      var figures = LiveTotals.Surface()
      let motion = pass.motions.time.intersection(all)
      figures.movingTime = motion.length
      figures.threadInMotion = workload.main.flatMap { workload.thread($0, in: motion) }
      figures.listsHitches = pass.surface.basis == .hitchList
      figures.isOnScreen = pass.isOnScreen
      figures.ledger = pass.ledger(over: all)
      for frame in pass.frames where frame.isOwed {
        if holds(frame.frame.time) {
          figures.frames += 1
          figures.framesInMotion += frame.motion != nil ? 1 : 0
          figures.evaluated += frame.isEvaluated ? 1 : 0
          figures.evaluatedInMotion += frame.isEvaluated && frame.motion != nil ? 1 : 0
        }
        if frame.missedDeadline == true, holds(frame.frame.commitEnd) {
          figures.deadlineMisses += 1
        }
      }
      for hitch in surface.hitches where holds(hitch.range.end) {
        figures.hitches += 1
        figures.refreshesMissed =
          figures.refreshesMissed.saturatingAdd(hitch.refreshesMissed ?? 0)
        // Without any interaction, all of the part would count as one.
        let isMoving = !pass.motions.time.isEmpty
        figures.hitchTime += isMoving ? hitch.length : hitch.lengthInMotion
        if isMoving { figures.hitchTimeInside += hitch.lengthInMotion }
      }
      totals.surfaces[surface.name] = figures
    }
    return totals
  }

  private func work(in time: TimeRangeSet) -> LiveTotals.Work {
    LiveTotals.Work(
      main: workload.main.map { workload.running[$0.index].busy(in: time) } ?? .zero,
      background: workload.background.reduce(into: .zero) {
        $0 += workload.running[$1.index].busy(in: time)
      })
  }
}
