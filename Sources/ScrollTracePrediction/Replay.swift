import ScrollTraceAnalysis
import ScrollTraceModel

/// Replays a recording with changes, and evaluates the result (M-17).
///
/// The main thread does its jobs in the order of the recording, none before it started there or could
/// have started. A frame starts at its refresh, or as soon afterwards as the main thread is free. Work
/// that a change moves away or speeds up shortens the jobs it was part of.
struct Replay {
  /// The result of a replay.
  struct Outcome: Equatable {
    /// The evaluation of the frames.
    var evaluation: SurfaceEvaluation.Outcome
    /// The number of cells prepared ahead.
    var preparedAhead: Int
  }

  let evaluation: SurfaceEvaluation
  let model: ReplayModel
  let roles: [WorkRole]
  private let steps: ReplaySteps
  /// The content that each job gives to cells.
  let contentsOfJob: [Int: [Int]]
  /// The content that was requested before its cell was prepared, by cell.
  let prefetched: [Int: [Int]]
  /// The end of the load for each cell in a replay of the recording, from which others are counted.
  private(set) var loadEnds: [Int64] = []

  /// Creates a replay of the frames of `evaluation`, or `nil` if it needs too many.
  init?(of evaluation: SurfaceEvaluation, model: ReplayModel) {
    self.evaluation = evaluation
    self.model = model
    roles = WorkRole.roles(of: evaluation.trace)
    guard let steps = ReplaySteps(of: model, evaluation, refreshInterval: nil) else { return nil }
    self.steps = steps
    contentsOfJob = Dictionary(grouping: model.contents.indices) { model.contents[$0].job }
    prefetched = Dictionary(
      grouping: model.contents.indices.filter { content in
        let known = model.contents[content]
        return known.loaded > 0 && !known.isDecoded && model.cells[known.cell].contents.isEmpty
      }
    ) { model.contents[$0].cell }
    loadEnds = pass(of: [])?.loadEnds ?? []
  }

  /// Replays the recording with `changes`, and evaluates the result; returns `nil` if it needs too many
  /// frames.
  func outcome(
    of changes: [ProposedChange], assuming assumptions: ReplayAssumptions = ReplayAssumptions()
  ) -> Outcome? {
    pass(of: changes, assuming: assumptions).map { pass in
      Outcome(
        evaluation: evaluation.evaluate(pass.frames, in: pass.interactions),
        preparedAhead: pass.preparedAhead)
    }
  }

  /// Replays the recording with `changes`; returns `nil` if it needs too many frames.
  func pass(
    of changes: [ProposedChange], assuming assumptions: ReplayAssumptions = ReplayAssumptions()
  ) -> ReplayPass? {
    var steps = steps
    for case .refreshInterval(let interval) in changes {
      guard interval > .zero,
        let other = ReplaySteps(of: model, evaluation, refreshInterval: interval.nanoseconds)
      else { return nil }
      steps = other
      // The host, not the display, determines whether frames wait for other work.
      steps.framesStartLate = self.steps.framesStartLate
    }
    if let startLate = assumptions.framesStartLate { steps.framesStartLate = startLate }
    let lengths = JobLengths(self, changes, assuming: assumptions)
    var pass = ReplayPass(self, steps, lengths, changes, assuming: assumptions)
    pass.play()
    return pass
  }
}
