package import ScrollTraceModel

/// Reads what performance tests of XCTest measured, as `xcresulttool get test-results metrics` tells it.
///
/// What becomes of it is described in the article *Results of benchmarks* of this module.
package struct XCTestImporter: TraceImporter {
  /// `xctest`
  package static let name = "xctest"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the text is an array or an object with a metric of XCTest in it.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let words: [StaticString] = ["\"com.apple.dt.XCTMetric", "\"unitOfMeasurement\""]
    return JSONSniff.sniff(prefix, of: words, allowsArray: true)
  }

  /// Adds everything that was measured to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = XCTestReader()
    try reader.read(bytes, into: &builder)
  }
}
