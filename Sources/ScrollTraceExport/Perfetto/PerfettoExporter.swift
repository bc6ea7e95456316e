package import ScrollTraceModel

/// Writes a Perfetto trace: frames as Android's frame timeline; spans, marks and samples as track
/// events.
package struct PerfettoExporter: TraceExporter {
  package static let name = "perfetto"

  package static let fileEndings = ["pftrace", "perfetto-trace"]

  package static func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    PerfettoWriter.write(trace, to: &output)
  }
}
