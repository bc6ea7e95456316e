import ScrollTraceModel

/// The status of a frame.
public enum FrameStatus: String, Codable, Sendable, CaseIterable {
  /// The frame was presented late.
  case hitch
  case onTime
  /// The frame was late without a lost refresh, which is latency, not a hitch (M-2).
  case lateWithoutHitch
  /// The frame was never presented. Its lateness is attributed to the next one (M-3).
  case dropped
  /// Nothing had to change at this refresh.
  case notRequested
  /// The frame started, and no end is known.
  case neverEnded
  /// Too little is known about the frame.
  case notEvaluated
}

extension FrameDetail {
  /// The most specific status of the frame.
  package var status: FrameStatus {
    if hitch != nil { return .hitch }
    if frame.outcome == .notRequested { return .notRequested }
    if isLateWithoutHitch { return .lateWithoutHitch }
    guard isEvaluated else { return frame.isOpen ? .neverEnded : .notEvaluated }
    return frame.outcome == .dropped ? .dropped : .onTime
  }
}
