package import ScrollTraceModel

/// Reads the results of Android's Macrobenchmark and Microbenchmark, `…-benchmarkData.json`.
///
/// What becomes of them is described in the article *Results of benchmarks* of this module.
package struct MacrobenchmarkImporter: TraceImporter {
  /// `macrobenchmark`
  package static let name = "macrobenchmark"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the text is an object with a member that only such results have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    JSONSniff.sniff(prefix, of: ["\"sampledMetrics\"", "\"thermalThrottleSleepSeconds\""])
  }

  /// Adds everything the results tell to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = MacrobenchmarkReader()
    try reader.read(bytes, into: &builder)
  }
}
