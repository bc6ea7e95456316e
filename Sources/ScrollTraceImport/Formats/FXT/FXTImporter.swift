public import ScrollTraceModel

/// Reads recordings, and what other programs write in the Fuchsia trace format.
public struct FXTImporter: TraceImporter {
  /// `fxt`
  public static let name = "fxt"

  /// `fxt`
  public static let fileEndings = ["fxt"]

  /// An importer; the format says everything itself, so no option changes anything.
  public init(options: ImportOptions) {}

  /// Whether the bytes start with the format's magic, or hold chunks where a recording has them.
  public static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      if FXTReader.recognizes(bytes) { return .yes }
      return bytes.count < FXTReader.recognizedByteCount ? .needMoreBytes : .no
    }
  }

  /// Adds everything the trace tells to `builder`.
  public func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    try FXTReader.read(bytes, into: &builder)
  }
}
