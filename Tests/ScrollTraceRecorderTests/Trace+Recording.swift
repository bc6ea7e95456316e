import ScrollTraceImport
import ScrollTraceModel

extension Trace {
  static func read(_ bytes: [UInt8]) throws -> Trace {
    var builder = TraceBuilder(format: "fxt")
    try FXTImporter.importTrace(
      MemoryByteSource(bytes), options: ImportOptions(), into: &builder)
    return builder.finish()
  }

  /// The number of spans of all threads.
  var spanCount: Int { tracks.reduce(0) { $0 + $1.spans.count } }
}
