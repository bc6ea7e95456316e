public import ScrollTraceModel

/// A format that traces can be converted to.
public struct TraceFormat: Sendable {
  package let name: String
  package let fileEndings: [String]
  private let writing: @Sendable (Trace, inout ExportOutput) -> ExportOmissions

  /// Perfetto's binary format, which ui.perfetto.dev opens.
  public static let perfetto = TraceFormat(
    name: "perfetto", fileEndings: ["pftrace", "perfetto-trace"],
    writing: { PerfettoWriter.write($0, to: &$1) })
  /// The JSON of Chrome's trace viewer.
  public static let chromeJSON = TraceFormat(
    name: "chrome-json", fileEndings: ["json"], writing: { ChromeJSONWriter.write($0, to: &$1) })
  /// One JSON object a line: frames, spans, marks, counters, interactions and states.
  public static let ndjson = TraceFormat(
    name: "ndjson", fileEndings: ["ndjson", "jsonl"], writing: { NDJSONWriter.write($0, to: &$1) })

  /// Writes `trace` to `output` and returns what the format cannot represent.
  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    writing(trace, &output)
  }
}

extension TraceFormat: ExportFormat {
  package static let all = [perfetto, chromeJSON, ndjson]
}

/// A trace as the bytes of a file.
public struct ConvertedTrace: Sendable {
  /// The content of the file.
  public let bytes: [UInt8]
  /// What the format cannot hold, such as `4123 spans, 1 loss`; empty if the file holds everything.
  public let omissions: String
}

extension Trace {
  /// Returns the trace in another format. The same trace gives the same bytes.
  ///
  /// ```swift
  /// let trace = try TraceFile.open("run.fxt")
  /// let file = trace.converted(to: .perfetto)
  /// ```
  public func converted(to format: TraceFormat) -> ConvertedTrace {
    var bytes: [UInt8] = []
    var omissions = ExportOmissions()
    withUnsafeMutablePointer(to: &bytes) { bytes in
      var output = ExportOutput {
        bytes.pointee += $0
        return 0
      }
      omissions = format.write(self, to: &output)
      _ = output.finish()
    }
    return ConvertedTrace(bytes: bytes, omissions: omissions.text)
  }
}
