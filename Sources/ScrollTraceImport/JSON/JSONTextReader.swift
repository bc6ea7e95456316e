import ScrollTraceModel

/// Reads a text of JSON that holds one value, which is walked through, and keeps what stands before
/// damage.
protocol JSONTextReader: ~Copyable {
  /// What there is of in the text: what is kept where its end cannot be read.
  static var parts: String { get }
  /// Whether nothing was read that could be told.
  var isEmpty: Bool { get }
  /// Passes the value that the text is.
  mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault)
  /// Adds what had to wait for the end of the text.
  mutating func finish(in builder: inout TraceBuilder) throws(ImportError)
}

extension JSONTextReader where Self: ~Copyable {
  /// Adds everything to `builder`.
  mutating func read(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var scanner = JSONScanner(bytes)
    do throws(ScanFault) {
      try scanner.skipByteOrderMark()
      try readText(&scanner, &builder)
      try scanner.passEnd()
      builder.source.wasClosed = true
    } catch {
      try scanner.report(error, keeping: isEmpty ? nil : Self.parts, to: &builder)
    }
    builder.offset = nil
    try finish(in: &builder)
  }
}
