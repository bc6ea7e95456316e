package import ScrollTraceModel

/// Reads traces of Chrome's JSON format: of Chrome itself, and of the many tools that write it.
///
/// Both forms are read, the object with `traceEvents` and the plain array, from a stream and
/// without a document in memory. Frames come out of a trace of Chrome with the category
/// `disabled-by-default-devtools.timeline.frame`.
package struct ChromeJSONImporter: TraceImporter {
  private let options: ImportOptions

  /// `chrome-json`
  package static let name = "chrome-json"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the text is an object with `traceEvents` or an array of objects with `ph`.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let object = JSONSniff.sniff(prefix, of: ["\"traceEvents\""])
    guard object == .no else { return object }
    return JSONSniff.sniff(prefix, of: ["\"ph\""], allowsArray: true)
  }

  /// Adds everything the trace tells to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var collector = ChromeEventCollector()
    var text = ChromeTraceText(bytes)
    try text.read(into: &collector, &builder)
    collector.finish(in: &builder)
  }
}
