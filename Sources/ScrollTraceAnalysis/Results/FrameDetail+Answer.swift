import ScrollTraceModel

extension FrameDetail {
  /// What became of a frame, in one word.
  package enum Answer: String, Sendable, CaseIterable {
    /// It reached the screen late.
    case hitch
    /// It was in time.
    case onTime
    /// It was late and no refresh was lost by it, which is latency and no hitch (M-2).
    case lateWithoutHitch
    /// It was never shown; what was late is attributed to the next one (M-3).
    case dropped
    /// Nothing had to change at this refresh.
    case notRequested
    /// It began, and nobody knows that it ever ended.
    case neverEnded
    /// Too little is known of it.
    case notEvaluated
  }

  /// What became of the frame; what says most comes first.
  package var answer: Answer {
    if hitch != nil { return .hitch }
    if frame.outcome == .notRequested { return .notRequested }
    if isLateWithoutHitch { return .lateWithoutHitch }
    guard isEvaluated else {
      let isOpen =
        frame.outcome == .unknown && frame.start != nil && frame.commitEnd == nil
        && frame.presented == nil
      return isOpen ? .neverEnded : .notEvaluated
    }
    return frame.outcome == .dropped ? .dropped : .onTime
  }
}
