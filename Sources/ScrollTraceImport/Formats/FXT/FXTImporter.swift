package import ScrollTraceModel

/// Reads recordings, and what other programs write in the Fuchsia trace format.
package struct FXTImporter: TraceImporter {
  /// `fxt`
  package static let name = "fxt"

  /// `fxt`
  package static let fileEndings = ["fxt"]

  /// An importer; the format says everything itself, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the bytes start with the format's magic, or hold chunks where a recording has them.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      if FXTReader.recognizes(bytes) { return .yes }
      return bytes.count < FXTReader.recognizedByteCount ? .needMoreBytes : .no
    }
  }

  /// Adds the content of the trace to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    try FXTReader.read(bytes, into: &builder)
  }
}
