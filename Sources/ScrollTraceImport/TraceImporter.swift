package import ScrollTraceModel

/// Reads one foreign format.
///
/// "Not mine" (`sniff`) and "mine but broken" (an error with its place) are different answers.
/// What can be read of a broken source is kept, and what is missing counted as a loss.
package protocol TraceImporter: Sendable {
  /// The format's short name, as the report prints it.
  static var name: String { get }

  /// What names of files of this format end in, without the dot: for who looks through a folder.
  static var fileEndings: [String] { get }

  /// Whether bytes that start with `prefix` are of this format. The file's name plays no part.
  static func sniff(_ prefix: Span<UInt8>) -> Sniff

  /// An importer that follows `options`.
  init(options: ImportOptions)

  /// Adds the content of `bytes` to `builder`.
  func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError)
}
