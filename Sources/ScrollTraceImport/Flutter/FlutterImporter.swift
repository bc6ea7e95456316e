package import ScrollTraceModel

/// Reads what Flutter's DevTools export of the Performance screen, and what `flutter drive` sums up.
///
/// What becomes of both is described in the article *Traces of Flutter* of this module. Timelines in
/// Chrome's JSON format are read by `ChromeJSONImporter`, which makes the same frames of them.
package struct FlutterImporter: TraceImporter {
  private let options: ImportOptions

  /// `flutter`
  package static let name = "flutter"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the text is an object with a member that only such files have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let words: [StaticString] = [
      "\"devToolsSnapshot\"", "\"flutterFrames\"", FlutterSummary.mark,
    ]
    return JSONSniff.sniff(prefix, of: words)
  }

  /// Adds everything the file tells to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = FlutterReader(options: options)
    try reader.read(bytes, into: &builder)
  }
}
