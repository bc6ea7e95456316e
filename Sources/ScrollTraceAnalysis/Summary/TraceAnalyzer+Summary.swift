public import ScrollTraceModel
public import ScrollTraceSummary

extension TraceAnalyzer {
  /// Returns the sums of a trace, to be added to those of others.
  public func summarize(_ trace: Trace) -> TraceSummary {
    summarize(trace, identity: SummaryIdentity(), attributes: SummaryAttributes())
  }

  /// Returns the sums of a trace; each kept one stands for `weight` traces. What leads to the recording, its
  /// session and its start, is kept only if `hasSession`.
  package func summarize(
    _ trace: Trace, identity: SummaryIdentity, attributes: SummaryAttributes, weight: Int64 = 1,
    hasSession: Bool = true
  ) -> TraceSummary {
    var options = options
    options.countsHistograms = true
    return TraceAnalyzer(options).analyze(trace)
      .summary(
        identity: identity, attributes: attributes, weight: weight, hasSession: hasSession)
  }
}
