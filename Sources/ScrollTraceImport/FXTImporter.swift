public import ScrollTraceFormat
public import ScrollTraceModel

/// Reads recordings, and what other programs write in the Fuchsia trace format.
public struct FXTImporter: TraceImporter {
  /// `fxt`
  public static let name = "fxt"

  /// An importer; the format says everything itself, so no option changes anything.
  public init(options: ImportOptions) {}

  /// Whether the bytes start with the format's magic, in either order of bytes.
  ///
  /// The other order is recognized so that the reader can refuse it by name.
  public static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    var word: UInt64 = 0
    for index in 0..<min(8, prefix.count) { word |= UInt64(prefix[index]) << UInt64(index * 8) }
    let magic = ProfileLayout.magic
    if prefix.count >= 8 { return word == magic || word == magic.byteSwapped ? .yes : .no }
    let known: UInt64 = 1 << UInt64(prefix.count * 8) &- 1
    return word == magic & known || word == magic.byteSwapped & known ? .needMoreBytes : .no
  }

  /// Adds everything the trace tells to `builder`.
  public func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    try FXTReader.read(bytes, into: &builder)
  }
}
