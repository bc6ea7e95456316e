public import ScrollTraceModel

/// Writes the JSON of Chrome's traces, which most viewers open: times in microseconds with three
/// decimals, so that no nanosecond is lost.
public struct ChromeJSONExporter: TraceExporter {
  /// `chrome-json`
  public static let name = "chrome-json"

  /// `json`
  public static let fileEndings = ["json"]

  /// An exporter.
  public init() {}

  /// Writes `trace`.
  public func write(_ trace: Trace, to output: inout ExportOutput) -> LeftOut {
    var writer = ChromeJSONWriter(trace, output)
    writer.writeAll()
    output = writer.output
    return writer.leftOut
  }
}
