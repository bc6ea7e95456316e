package import ScrollTraceModel

/// Reads what Flashlight measures of React Native, Flutter and native apps.
///
/// What becomes of it is described in the article *Results of benchmarks* of this module.
package struct FlashlightImporter: TraceImporter {
  /// `flashlight`
  package static let name = "flashlight"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the text is an object, or an array of them, with a member that only measures have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    JSONSniff.sniff(prefix, of: ["\"perName\"", "\"perCore\""], allowsArray: true)
  }

  /// Adds everything that was measured to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = FlashlightReader()
    try reader.read(bytes, into: &builder)
  }
}
