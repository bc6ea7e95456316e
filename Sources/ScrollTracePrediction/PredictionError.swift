/// The reason nothing can be predicted.
package enum PredictionError: Error, Equatable, Sendable {
  /// No frame of the surface was evaluated.
  case notEvaluated
  /// The trace names no main thread, or contains no span of its work.
  case noMainWork
  /// The source does not record when commits of the main thread ended.
  case noCommits
  /// The source records presentations, but neither deadlines nor targets, so that the refresh a commit
  /// missed is unknown.
  case noDeadlines
  /// No refresh interval is known.
  case noInterval
  /// For much of the time of the hitches the main thread had work and was off a core, which no change of
  /// its work makes up for (M-17, M-25).
  case offCore(share: Double)
  /// The replay needs too many frames.
  case tooLarge
}
