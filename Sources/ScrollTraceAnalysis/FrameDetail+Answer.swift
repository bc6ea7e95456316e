import ScrollTraceModel

extension FrameDetail {
  /// What became of a frame, in one word.
  public enum Answer: String, Sendable, CaseIterable {
    /// It reached the glass late.
    case hitch
    /// It was in time.
    case inTime
    /// It was late and no refresh was lost by it, which is latency and no hitch (M-2).
    case stuffed
    /// It was never shown; what was late is charged to the next one (M-3).
    case dropped
    /// Nothing had to change at this refresh.
    case notRequested
    /// It began, and nobody knows that it ever ended.
    case neverEnded
    /// Too little is known of it.
    case notJudged
  }

  /// What became of the frame; what says most comes first.
  public var answer: Answer {
    if hitch != nil { return .hitch }
    if frame.outcome == .notRequested { return .notRequested }
    if isLateWithoutHitch { return .stuffed }
    guard isJudged else {
      let isOpen =
        frame.outcome == .unknown && frame.begin != nil && frame.commitEnd == nil
        && frame.presented == nil
      return isOpen ? .neverEnded : .notJudged
    }
    return frame.outcome == .dropped ? .dropped : .inTime
  }
}
