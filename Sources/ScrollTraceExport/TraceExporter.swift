package import ScrollTraceModel

/// An exporter for one format.
///
/// The same trace gives the same bytes. Objects that the format cannot represent are omitted and
/// counted.
package protocol TraceExporter: Sendable {
  /// The format's short name, which is also its importer's.
  static var name: String { get }

  /// The file extensions of the format without the dot, the usual one first.
  static var fileEndings: [String] { get }

  /// Writes `trace` to `output` and returns the omissions.
  static func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions
}

/// What writes the parts of one trace, and counts those that its format cannot represent.
protocol TraceWriter: ~Copyable {
  init(_ trace: Trace, _ output: consuming ExportOutput)
  var leftOut: ExportOmissions { get }
  mutating func writeAll()
  consuming func finish() -> ExportOutput
}

extension TraceWriter where Self: ~Copyable {
  static func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var writer = Self(trace, output)
    writer.writeAll()
    let omissions = writer.leftOut
    output = writer.finish()
    return omissions
  }
}
