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

  init(options: ImportOptions)

  func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError)
}
