/// Concludes from a trace what a report says.
public struct TraceAnalyzer: Sendable {
  /// What the analysis is told besides the trace.
  public let options: AnalysisOptions

  /// An analyzer with these options.
  public init(_ options: AnalysisOptions = AnalysisOptions()) {
    self.options = options
  }
}
