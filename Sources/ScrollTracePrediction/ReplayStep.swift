/// A step of the main thread in a replay, in the order of the recording.
struct ReplayStep {
  /// A frame of a replay.
  struct Refresh {
    /// The earliest start.
    var start: Int64
    /// The deadline, or `nil` if unknown.
    var deadline: Int64?
    /// The target time, or `nil` if unknown.
    var target: Int64?
    /// The refresh interval.
    var refreshInterval: Int64
    /// The position of the recorded frame, or of the one before if the refresh had none.
    var frame: Int
    /// A Boolean value indicating whether the list moves.
    var isMoving: Bool
    /// Whether the recording has no frame at it although only the preparation of a cell ahead was in the way.
    var isSkippedAfterAhead = false
  }

  /// The start in the recording.
  var start: Int64
  /// The jobs, as a range of the replay's list; empty for a refresh without a frame.
  var jobs: Range<Int>
  /// The frame, or `nil` for other work.
  var refresh: Refresh?

  /// The order of steps with the same start: other work before frames.
  var rank: Int { refresh == nil ? 0 : jobs.isEmpty ? 2 : 1 }
}
