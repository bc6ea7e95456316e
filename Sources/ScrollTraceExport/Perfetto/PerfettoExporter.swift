package import ScrollTraceModel

/// Writes a Perfetto trace: frames as Android's frame timeline; spans, marks and samples as track
/// events.
package struct PerfettoExporter: TraceExporter {
  package static let name = "perfetto"

  package static let fileEndings = ["pftrace", "perfetto-trace"]

  package init() {}

  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var writer = PerfettoWriter(trace, output)
    writer.writeAll()
    let omissions = writer.leftOut
    output = writer.finish()
    return omissions
  }
}
