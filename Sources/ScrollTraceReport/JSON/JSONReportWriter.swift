package import ScrollTraceAnalysis

/// Writes the JSON report on runs in pieces, so that only one run at a time needs to be in memory.
package struct JSONReportWriter: Sendable {
  private let includesSeries: Bool
  /// The text behind the runs, or `nil` before the first.
  private var ending: String?

  /// Creates a writer. Only if `includesSeries`, surfaces list their work per frame (M-12).
  package init(includesSeries: Bool = false) {
    self.includesSeries = includesSeries
  }

  /// Returns the next piece, which ends with `run`.
  package mutating func next(_ run: Analysis) -> String {
    let text = JSONValue(encoding: AnalysisResults.Run(run, includesSeries: includesSeries))
      .text(indent: 4)
    guard ending == nil else { return ",\n    " + text }
    // What surrounds the runs does not depend on them.
    guard case .object(let members) = JSONValue(encoding: AnalysisResults(Report([run]), runs: [])),
      let index = members.firstIndex(where: { $0.0 == "runs" })
    else { preconditionFailure("a report has runs") }
    let before = JSONValue.object(Array(members[..<index])).text.dropLast("\n}\n".count)
    let after = JSONValue.object(Array(members[(index + 1)...])).text.dropFirst("{".count)
    ending = "\n  ]," + after
    return before + ",\n  \"runs\": [\n    " + text
  }

  /// The last piece; empty if there is no run.
  package var end: String { ending ?? "" }
}
