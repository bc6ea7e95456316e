import ScrollTraceModel

extension AnalysisOptions {
  /// The trace, as long as the user's ranges say where it does not tell its length itself.
  ///
  /// Who names a range says that it was recorded. In a trace that tells its length a range that
  /// reaches behind its end is cut there.
  func completing(_ trace: Trace) -> Trace {
    guard !trace.source.tellsLength, let end = interactions.map(\.to).max() else { return trace }
    return trace.extended(to: trace.range.start + max(.zero, end))
  }

  /// Whether anyone says how long was recorded: the trace, or the user with a range of it.
  func knowLength(of trace: Trace) -> Bool {
    trace.source.tellsLength || !interactions.isEmpty
  }
}
