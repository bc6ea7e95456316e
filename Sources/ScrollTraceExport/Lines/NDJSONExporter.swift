package import ScrollTraceModel

/// Writes lines of JSON, one object a line, times in nanoseconds.
///
/// The keys are those that the importer of such lines understands. Lines know the host's process only,
/// and threads by their names.
package struct NDJSONExporter: TraceExporter {
  /// `ndjson`
  package static let name = "ndjson"

  /// `ndjson`, `jsonl`
  package static let fileEndings = ["ndjson", "jsonl"]

  /// An exporter.
  package init() {}

  /// Writes `trace`.
  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var writer = NDJSONWriter(trace, output)
    writer.writeAll()
    output = writer.output
    return writer.leftOut
  }
}
