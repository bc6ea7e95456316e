public import ScrollTraceModel

/// Writes a trace of Perfetto: frames as Android's frame timeline, spans, marks and samples as track
/// events.
public struct PerfettoExporter: TraceExporter {
  /// `perfetto`
  public static let name = "perfetto"

  /// `pftrace`, `perfetto-trace`
  public static let fileEndings = ["pftrace", "perfetto-trace"]

  /// An exporter.
  public init() {}

  /// Writes `trace`.
  public func write(_ trace: Trace, to output: inout ExportOutput) -> LeftOut {
    var writer = PerfettoWriter(trace, output)
    writer.writeAll()
    output = writer.output
    return writer.leftOut
  }
}
