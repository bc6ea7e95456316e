package import ScrollTraceModel

extension LiveAnalysis {
  /// The samples of the thread that makes the frames, or `nil` if there are none.
  package var sampleTimeline: SampleTimeline? { SampleTimeline(of: trace, attributor: nil) }
}

extension SampleTimeline {
  /// Returns the host's function that most of the sampled time of a window is in, or `nil` if there are
  /// too few samples or none is in most of it.
  package func heaviestFunction(in window: TimeRange) -> String? {
    let account = account(of: TimeRangeSet(union: [window]))
    guard !account.isOnlyOrder, let code = account.unrecorded, code.isMost else { return nil }
    return code.function
  }
}
