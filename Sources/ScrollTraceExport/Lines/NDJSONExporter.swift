public import ScrollTraceModel

/// Writes lines of JSON, one object a line, times in nanoseconds.
///
/// The keys are those that the importer of such lines understands. Lines know the host's process only,
/// and threads by their names.
public struct NDJSONExporter: TraceExporter {
  /// `ndjson`
  public static let name = "ndjson"

  /// `ndjson`, `jsonl`
  public static let fileEndings = ["ndjson", "jsonl"]

  /// An exporter.
  public init() {}

  /// Writes `trace`.
  public func write(_ trace: Trace, to output: inout ExportOutput) -> LeftOut {
    var writer = NDJSONWriter(trace, output)
    writer.writeAll()
    output = writer.output
    return writer.leftOut
  }
}
