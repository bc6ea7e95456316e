package import ScrollTraceModel

/// Writes one format.
///
/// The same trace gives the same bytes. What the format has no place for is left out and counted.
package protocol TraceExporter: Sendable {
  /// The format's short name, as its importer is called.
  static var name: String { get }

  /// What names of files of this format end in, without the dot; the first is the usual one.
  static var fileEndings: [String] { get }

  /// An exporter.
  init()

  /// Writes `trace` to `output`, and gives what is not in it.
  func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions
}
