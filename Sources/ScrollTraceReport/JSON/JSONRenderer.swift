/// Renders a report as JSON in the schema `scrolltrace.report/2`, the stable form for programs.
///
/// Times are nanoseconds from the trace's start, shares are 0 ... 1, and unknown values are null.
/// All keys are always present, in the documented order. Equal reports have equal bytes.
public struct JSONRenderer: ReportRenderer {
  /// A Boolean value indicating whether surfaces list their main-thread work per frame (M-12).
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
