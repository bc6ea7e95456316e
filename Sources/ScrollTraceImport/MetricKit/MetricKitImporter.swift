package import ScrollTraceModel

/// Reads payloads of Apple's MetricKit as `jsonRepresentation()` gives them, one or an array.
///
/// What becomes of them is described in the article *Results of benchmarks* of this module.
package struct MetricKitImporter: TraceImporter {
  /// `metrickit`
  package static let name = "metrickit"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the text is an object, or an array of them, with a member that only payloads have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let words: [StaticString] = [
      "\"animationMetrics\"", "\"applicationResponsivenessMetrics\"", "\"signpostMetrics\"",
      "\"applicationTimeMetrics\"",
    ]
    return JSONSniff.sniff(prefix, of: words, allowsArray: true)
  }

  /// Adds everything the payloads tell of hitches and hangs to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = MetricKitReader()
    try reader.read(bytes, into: &builder)
  }
}
