package import ScrollTraceModel

/// Reads one foreign format.
///
/// "Not my format" (`sniff`) and "my format but broken" (an error with its offset) are different
/// answers. The readable part of a broken source is kept, and missing parts are counted as losses.
package protocol TraceImporter: Sendable {
  /// The format's short name in reports.
  static var name: String { get }

  /// The files of this format, as the list of formats names them.
  static var files: String { get }

  /// How to make such a file.
  static var recipe: String { get }

  /// The file extensions of this format, without the dot, for searching a directory.
  static var fileEndings: [String] { get }

  /// Returns whether bytes that start with `prefix` have this format. The file's name does not
  /// matter.
  static func sniff(_ prefix: Span<UInt8>) -> Sniff

  static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError)
}

extension TraceBuilder {
  mutating func addNotice(_ text: String) { addNotice(.source(text)) }

  /// Adds a notice of how many times something happened, if it did.
  mutating func addNotice(_ what: String, count: some BinaryInteger) {
    if count > 0 { addNotice("\(what): \(count)") }
  }
}

package enum TraceImporters {
  /// All importers, in the order in which they inspect a file.
  package static let all: [any TraceImporter.Type] = [
    FXTImporter.self,
    PerfettoImporter.self,
    FlutterImporter.self,
    ChromeJSONImporter.self,
    XctraceImporter.self,
    NDJSONImporter.self,
    PresentMonImporter.self,
    MangoHudImporter.self,
    GfxinfoImporter.self,
    SystraceImporter.self,
    CSVImporter.self,
  ]

  /// The file extensions of traces, without the dot.
  package static var fileEndings: [String] {
    all.flatMap { $0.fileEndings }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
