package import ScrollTraceModel

/// Writes lines of JSON, one object per line, with times in nanoseconds.
///
/// The keys are those of the NDJSON importer. Lines contain only the host's process, and identify
/// threads by name.
package struct NDJSONExporter: TraceExporter {
  package static let name = "ndjson"

  package static let fileEndings = ["ndjson", "jsonl"]

  package static func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    NDJSONWriter.write(trace, to: &output)
  }
}
