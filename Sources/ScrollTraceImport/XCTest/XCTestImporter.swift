public import ScrollTraceModel

/// Reads what performance tests of XCTest measured, as `xcresulttool get test-results metrics` tells it.
///
/// What becomes of it is described in the article *Results of benchmarks* of this module.
public struct XCTestImporter: TraceImporter {
  /// `xctest`
  public static let name = "xctest"

  /// `json`
  public static let fileEndings = ["json"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  public init(options: ImportOptions) {}

  /// Whether the text is an array or an object with a metric of XCTest in it.
  public static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let words: [StaticString] = ["\"com.apple.dt.XCTMetric", "\"unitOfMeasurement\""]
    return JSONSniff.sniff(prefix, of: words, allowsArray: true)
  }

  /// Adds everything that was measured to `builder`.
  public func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = XCTestReader()
    try reader.read(bytes, into: &builder)
  }
}
