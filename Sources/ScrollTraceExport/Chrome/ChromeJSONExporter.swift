package import ScrollTraceModel

/// Writes Chrome's JSON traces, which most viewers can open. Times are in microseconds with three
/// decimals, so that they keep their nanoseconds.
package struct ChromeJSONExporter: TraceExporter {
  package static let name = "chrome-json"

  package static let fileEndings = ["json"]

  package static func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    ChromeJSONWriter.write(trace, to: &output)
  }
}
