package import ScrollTraceModel

/// Reads recordings, and other programs' files in the Fuchsia trace format.
package struct FXTImporter: TraceImporter {
  package static let name = "fxt"
  package static let files = "ScrollTrace, Fuchsia"
  package static let recipe = "record with ScrollTraceRecorder, or from C"

  package static let fileEndings = ["fxt"]

  /// Returns whether the bytes start with the format's magic number, or contain chunks at a
  /// recording's offsets.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      if FXTReader.recognizes(bytes) { return .yes }
      return bytes.count < FXTReader.recognizedByteCount ? .needMoreBytes : .no
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    try FXTReader.read(bytes, into: &builder)
  }
}
