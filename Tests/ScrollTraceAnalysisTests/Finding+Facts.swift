import ScrollTraceModel
import ScrollTraceTestSupport

@testable import ScrollTraceAnalysis

extension Finding {
  /// The value of the finding's own evidence with a key, or `nil` if it has none.
  func fact(_ key: String) -> Value? { facts.first { $0.key == key }?.value }
}

extension FindingTrace {
  /// Returns the findings of the analysis.
  func findings(_ options: AnalysisOptions = AnalysisOptions()) -> [Finding] {
    TraceAnalyzer(options).analyze(trace()).findings
  }
}
