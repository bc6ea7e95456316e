public import ScrollTraceFormat
public import ScrollTraceModel

/// Reads traces of Chrome's JSON format: of Chrome itself, and of the many tools that write it.
///
/// Both forms are read, the object with `traceEvents` and the plain array, from a stream and
/// without a document in memory. Frames come out of a trace of Chrome with the category
/// `disabled-by-default-devtools.timeline.frame`.
public struct ChromeJSONImporter: TraceImporter {
  private let options: ImportOptions

  /// `chrome-json`
  public static let name = "chrome-json"

  /// `json`
  public static let fileEndings = ["json"]

  /// An importer that follows `options`.
  public init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the text is an object with `traceEvents` or an array of objects with `ph`.
  public static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    var index = 0
    if prefix.count >= 3, prefix[0] == 0xEF, prefix[1] == 0xBB, prefix[2] == 0xBF { index = 3 }
    while index < prefix.count, [0x20, 0x09, 0x0A, 0x0D].contains(prefix[index]) { index += 1 }
    guard index < prefix.count else { return .needMoreBytes }
    switch prefix[index] {
    case UInt8(ascii: "{"): return contains("\"traceEvents\"", prefix) ? .yes : .needMoreBytes
    case UInt8(ascii: "["): return contains("\"ph\"", prefix) ? .yes : .needMoreBytes
    default: return .no
    }
  }

  /// Adds everything the trace tells to `builder`.
  public func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var collector = ChromeEventCollector()
    var text = ChromeTraceText(bytes)
    try text.read(into: &collector, &builder)
    collector.finish(in: &builder)
  }

  /// Whether `word`, which starts with a quote, is somewhere in `bytes`.
  private static func contains(_ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count >= count else { return false }
    for start in 0...(bytes.count - count) where bytes[start] == UInt8(ascii: "\"") {
      var matched = 1
      while matched < count, bytes[start + matched] == word.utf8Start[matched] { matched += 1 }
      if matched == count { return true }
    }
    return false
  }
}
