import ScrollTraceAnalysis
import ScrollTraceModel

/// Plays what was recorded again with some things done otherwise, and judges it anew (M-17).
///
/// The main thread does its jobs in the order of the recording, none before it began there or could
/// have; a frame begins at its refresh or as soon after as the main thread is free for it. What a
/// change moves away or makes cheaper shortens the jobs it was part of.
struct Replay {
  /// The result of a replay.
  struct Outcome: Hashable {
    /// The evaluation of the frames.
    var evaluation: SurfaceEvaluation.Outcome
    /// The number of cells prepared ahead.
    var preparedAhead: Int
  }

  let evaluation: SurfaceEvaluation
  let model: ReplayModel
  let roles: [WorkRole]
  private let steps: ReplaySteps

  /// A replay of the frames of `evaluation`; `nil` where there would be too many.
  init?(of evaluation: SurfaceEvaluation, model: ReplayModel) {
    self.evaluation = evaluation
    self.model = model
    roles = WorkRole.roles(of: evaluation.trace)
    guard let steps = ReplaySteps(of: model, evaluation, refreshInterval: nil) else { return nil }
    self.steps = steps
  }

  /// What comes of the recording with `changes`; `nil` where it would hold too many frames.
  func outcome(of changes: [ProposedChange]) -> Outcome? {
    var steps = steps
    for case .refreshInterval(let interval) in changes {
      guard interval > .zero,
        let other = ReplaySteps(of: model, evaluation, refreshInterval: interval.nanoseconds)
      else { return nil }
      steps = other
      // Whether a frame waits for other work is a habit of the host, not of the display.
      steps.framesBeginLate = self.steps.framesBeginLate
    }
    let lengths = JobLengths(self, changes)
    var replay = ReplayPass(self, steps, lengths, changes)
    replay.play()
    return Outcome(
      evaluation: evaluation.evaluate(replay.frames), preparedAhead: replay.preparedAhead)
  }
}
