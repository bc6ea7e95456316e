/// A format that files are written in.
///
/// The same content gives the same bytes.
package protocol ExportFormat: Sendable {
  /// The format's short name, which is also that of its importer, if it has one.
  var name: String { get }

  /// The file extensions of the format without the dot, the usual one first.
  var fileEndings: [String] { get }

  /// All formats for the same content, in the order of the help.
  static var all: [Self] { get }
}

extension ExportFormat {
  package static func named(_ name: String) -> Self? { all.first { $0.name == name } }

  package static func ending(_ path: String) -> Self? {
    all.first { format in format.fileEndings.contains { path.hasSuffix("." + $0) } }
  }
}
