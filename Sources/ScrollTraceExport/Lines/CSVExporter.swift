package import ScrollTraceModel

/// Writes the frames as comma-separated values, with times in nanoseconds, and nothing else.
package struct CSVExporter: TraceExporter {
  package static let name = "csv"

  package static let fileEndings = ["csv"]

  package init() {}

  /// Writes the frames of `trace`.
  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var writer = CSVWriter(trace, output)
    writer.writeAll()
    let omissions = writer.leftOut
    output = writer.finish()
    return omissions
  }
}
