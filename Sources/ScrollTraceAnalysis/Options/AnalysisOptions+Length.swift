import ScrollTraceModel

extension AnalysisOptions {
  /// Returns the trace, extended to the user's ranges if its length is unknown.
  ///
  /// A range that the user names was recorded. If the length of the trace is known, a range that
  /// exceeds it is cut at its end.
  func completing(_ trace: Trace) -> Trace {
    guard !trace.source.hasKnownLength, let end = interactions.map(\.to).max() else { return trace }
    return trace.extended(to: trace.range.start + max(.zero, end))
  }

  /// Returns whether the length of the recording is known, from the trace or from a range that the
  /// user names.
  func knowLength(of trace: Trace) -> Bool {
    trace.source.hasKnownLength || !interactions.isEmpty
  }
}
