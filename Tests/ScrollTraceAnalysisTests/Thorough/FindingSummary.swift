import ScrollTraceModel
import ScrollTraceTestSupport

@testable import ScrollTraceAnalysis

/// The rule and the details of a finding, without its evidence.
struct FindingSummary: Equatable {
  let id: FindingID
  let details: Finding.Details

  /// Creates the summary of a finding with these details.
  init(_ id: FindingID, _ change: (inout Finding.Details) -> Void = { _ in }) {
    self.id = id
    var details = Finding.Details()
    change(&details)
    self.details = details
  }

  /// Creates the summary of `finding`.
  init(_ finding: Finding) { (id, details) = (finding.id, finding.details) }
}

extension Finding {
  /// The summary of the finding.
  var summary: FindingSummary { FindingSummary(self) }
}

extension FindingTrace {
  /// Returns the findings of the analysis.
  func findings(_ options: AnalysisOptions = AnalysisOptions()) -> [Finding] {
    TraceAnalyzer(options).analyze(trace()).findings
  }
}
