package import ScrollTraceModel

/// Writes the JSON of Chrome's traces, which most viewers open: times in microseconds with three
/// decimals, so that no nanosecond is lost.
package struct ChromeJSONExporter: TraceExporter {
  /// `chrome-json`
  package static let name = "chrome-json"

  /// `json`
  package static let fileEndings = ["json"]

  /// An exporter.
  package init() {}

  /// Writes `trace`.
  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var writer = ChromeJSONWriter(trace, output)
    writer.writeAll()
    output = writer.output
    return writer.leftOut
  }
}
