package import ScrollTraceModel

/// Predicts what would come of a recording if something were done otherwise (M-17).
package struct Predictor: Sendable {
  /// What cannot be predicted, and why.
  package enum PredictionError: Error, Hashable, Sendable {
    /// No frame of the surface could be judged.
    case notEvaluated
    /// The trace names no main thread, or no span of its work.
    case noMainWork
    /// The source does not tell when commits of the main thread ended.
    case noCommits
    /// The source tells presentations and neither deadlines nor targets, so that it is unknown for which
    /// refresh a commit was too late.
    case noDeadlines
    /// No refresh interval is known.
    case noInterval
    /// There would be too many frames.
    case tooLarge
  }

  /// The surface whose frames are predicted.
  package let surface: SurfaceAnalysis
  /// The hitch time that the replay of the recording has where nothing is changed; what is predicted
  /// is the recorded hitch time less the difference that a change makes to it.
  package let replayedHitchTime: TimeSpan

  let replay: Replay
  private let unchanged: Replay.Outcome

  /// A predictor for a surface of `analysis`.
  ///
  /// - Throws: Why nothing can be predicted.
  package init(of analysis: Analysis, surface: SurfaceAnalysis) throws(PredictionError) {
    let trace = analysis.trace
    let resolution = InteractionResolution(of: trace, options: analysis.options)
    let selection = SelectionResolution(
      of: trace, options: analysis.options, interactions: resolution,
      timelines: StateTimeline.all(of: trace))
    let pass = SurfacePass(
      id: surface.surface, surface: trace.surfaces[surface.surface.index],
      interactions: resolution.interactions(of: surface.surface), trace: trace,
      options: analysis.options, workload: .none, selection: selection)
    try self.init(of: pass, surface: surface)
  }

  /// A predictor for the frames of `pass`, of which `surface` was concluded.
  init(of pass: SurfacePass, surface: SurfaceAnalysis) throws(PredictionError) {
    self.surface = surface
    let trace = pass.trace
    guard surface.isEvaluated else { throw .notEvaluated }
    // A listed hitch is as long as the source says, whatever a replay makes of the frames.
    guard surface.basis != .hitchList else { throw .noCommits }
    guard let main = trace.mainTrack, trace.tracks[main.index].spans.count > 0 else {
      throw .noMainWork
    }
    guard surface.refreshInterval != nil else { throw .noInterval }
    let model = ReplayReader.model(of: pass, main: main)
    guard model.jobs.contains(where: { $0.frame >= 0 }) else { throw .noCommits }
    // Where frames are placed by their begins, a replay tells when they begin.
    let goesByBegins =
      pass.surface.basis == .cadence && !pass.frames.contains { $0.frame.presented != nil }
    guard
      goesByBegins
        || pass.frames.contains(where: { $0.frame.deadline != nil || $0.frame.target != nil })
    else { throw .noDeadlines }
    guard let replay = Replay(of: pass, model: model),
      let unchanged = replay.outcome(of: [])
    else { throw .tooLarge }
    self.replay = replay
    self.unchanged = unchanged
    replayedHitchTime = unchanged.hitchTime
  }

  /// What would come of `changes` together; `nil` where there would be too many frames.
  package func predict(_ changes: [ProposedChange]) -> Prediction? {
    guard let recorded = surface.hitchTime, let outcome = replay.outcome(of: changes) else {
      return nil
    }
    let difference = unchanged.hitchTime - outcome.hitchTime
    let misses: Int? =
      if let changed = outcome.deadlineMisses, let before = unchanged.deadlineMisses,
        let known = surface.counts.deadlineMisses
      { max(0, known + changed - before) } else { nil }
    return Prediction(
      changes: changes, hitchTime: max(.zero, recorded - difference),
      recordedHitchTime: recorded, duration: surface.measuredTime.duration,
      hitches: max(0, surface.hitchesInMotion + outcome.hitches - unchanged.hitches),
      deadlineMisses: misses, cellsAhead: outcome.preparedAhead)
  }
}
