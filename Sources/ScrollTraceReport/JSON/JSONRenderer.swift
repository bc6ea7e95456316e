package import ScrollTraceAnalysis

/// Renders a report as JSON in the schema `scrolltrace.report/2`, the stable form for programs.
///
/// Times are nanoseconds from the trace's start, shares are 0 ... 1, and unknown values are null.
/// All keys are always present, in the documented order. Equal reports have equal bytes.
public struct JSONRenderer: ReportRenderer {
  /// Whether surfaces list their main-thread work per frame (M-12).
  package let includesSeries: Bool

  /// The number of the only frame to report, or `nil` for the whole report.
  package let frame: UInt64?

  /// Creates a renderer of whole reports, or of one frame.
  public init(includesSeries: Bool = false, frame: UInt64? = nil) {
    self.includesSeries = includesSeries
    self.frame = frame
  }

  /// Renders the report as one JSON object and a final newline.
  public func render(_ report: Report) -> String {
    frame.map { JSONValue(encoding: FrameResults(report, frame: $0)).text }
      ?? AnalysisResults(report, includesSeries: includesSeries).json
  }
}

/// Writes the JSON report on runs in pieces, so that only one run at a time needs to be in memory.
package struct JSONReportWriter: Sendable {
  private let includesSeries: Bool
  /// The text behind the runs, or `nil` before the first.
  private var ending: String?

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
