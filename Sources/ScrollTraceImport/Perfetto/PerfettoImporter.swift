package import ScrollTraceModel

/// Reads what Perfetto records, of Android and of Chrome: packets in the wire format of protocol
/// buffers.
///
/// What becomes of each packet is described in the article *Traces of Perfetto* of this module.
package struct PerfettoImporter: TraceImporter {
  /// `perfetto`
  package static let name = "perfetto"

  /// `pftrace`, `perfetto-trace`
  package static let fileEndings = ["pftrace", "perfetto-trace"]

  private let options: ImportOptions

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether packets stand where a trace begins, or at least some one after another behind damage.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { PerfettoPacketShape.sniff($0) }
  }

  /// Adds everything the trace tells to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = PerfettoReader(bytes, options: options)
    try reader.read(into: &builder)
  }
}
