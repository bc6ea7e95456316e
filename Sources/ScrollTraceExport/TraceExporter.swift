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

  init()

  /// Writes `trace` to `output` and returns the omissions.
  func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions
}
