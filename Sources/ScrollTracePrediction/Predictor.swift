package import ScrollTraceAnalysis
package import ScrollTraceModel

/// Predicts the effect of changes on a recording (M-17).
package struct Predictor: Sendable {
  /// The surface whose frames are predicted.
  package let surface: SurfaceAnalysis
  /// The hitch time of the replay without changes. A prediction is the recorded hitch time less the
  /// difference between this and the hitch time of a replay with changes.
  package let replayedHitchTime: TimeSpan

  /// The share of the time of hitches off a core from which no change of the main thread's work is known
  /// to help (M-17, M-25).
  private static let mostOffCoreShare = 0.25

  let replay: Replay
  private let unchanged: Replay.Outcome

  /// Creates a predictor for a surface of `analysis`.
  ///
  /// - Throws: The reason nothing can be predicted.
  package init(of analysis: Analysis, surface: SurfaceAnalysis) throws(PredictionError) {
    self.surface = surface
    guard surface.isEvaluated else { throw .notEvaluated }
    // The length of a listed hitch does not depend on frames.
    guard surface.basis != .hitchList else { throw .noCommits }
    guard let main = analysis.trace.mainTrack,
      analysis.trace.tracks[main.index].spans.count > 0
    else { throw .noMainWork }
    guard surface.refreshInterval != nil else { throw .noInterval }
    if let share = surface.offCoreShare, share >= Self.mostOffCoreShare {
      throw .offCore(share: share)
    }
    let evaluation = SurfaceEvaluation(of: surface, in: analysis)
    let model = ReplayReader.model(of: evaluation, main: main)
    guard model.jobs.contains(where: { $0.frame >= 0 }) else { throw .noCommits }
    // If frames are placed by their starts, a replay determines those.
    let isPlacedByStarts =
      evaluation.basis == .cadence && !evaluation.rows.contains { $0.frame.presented != nil }
    guard
      isPlacedByStarts
        || evaluation.rows.contains(where: { $0.frame.deadline != nil || $0.frame.target != nil })
    else { throw .noDeadlines }
    guard let replay = Replay(of: evaluation, model: model),
      let unchanged = replay.outcome(of: [])
    else { throw .tooLarge }
    self.replay = replay
    self.unchanged = unchanged
    replayedHitchTime = unchanged.evaluation.hitchTime
  }

  /// Predicts the effect of `changes` together; returns `nil` if they need too many frames.
  package func predict(_ changes: [ProposedChange]) -> Prediction? {
    guard let recorded = surface.hitchTime, let outcome = replay.outcome(of: changes) else {
      return nil
    }
    let (changed, before) = (outcome.evaluation, unchanged.evaluation)
    let misses: Int? =
      if let changed = changed.deadlineMisses, let before = before.deadlineMisses,
        let known = surface.counts.deadlineMisses
      { max(0, known + changed - before) } else { nil }
    let remaining = recorded - (before.hitchTime - changed.hitchTime)
    return Prediction(
      changes: changes, hitchTime: max(unchangeable(by: changes), remaining),
      recordedHitchTime: recorded, duration: surface.measuredTime.duration,
      hitches: max(0, surface.hitchesInMotion + changed.hitches - before.hitches),
      deadlineMisses: misses, cellsAhead: outcome.preparedAhead,
      evaluatedFrames: surface.countsInMotion.evaluated, ledger: surface.ledger,
      blankRatio: surface.blankRatio)
  }

  /// The hitch time of pictures that were late after a commit on time, which less work does not remove.
  func unchangeable(by changes: [ProposedChange]) -> TimeSpan {
    guard changes.allSatisfy({ PredictionKind($0) != .refreshRate }) else { return .zero }
    return surface.hitches.reduce(.zero) { $1.isAfterCommit ? $0 + $1.lengthInMotion : $0 }
  }
}
