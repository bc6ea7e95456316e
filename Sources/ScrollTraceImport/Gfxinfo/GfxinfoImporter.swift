package import ScrollTraceModel

/// Reads what Android's `dumpsys gfxinfo`, with or without `framestats`, prints.
///
/// What becomes of each column and line is described in the article *Tables of frames* of this
/// module.
package struct GfxinfoImporter: TraceImporter {
  private let options: ImportOptions

  /// `gfxinfo`
  package static let name = "gfxinfo"

  /// `gfxinfo.txt`, `framestats.txt`
  package static let fileEndings = ["gfxinfo.txt", "framestats.txt"]

  /// How far into a file the first words may come: whatever called `adb` may have printed some too.
  private static let sniffedByteCount = 1 << 16

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether a line near the begin is one of those that only such a dump has.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      var rest = bytes.prefix(sniffedByteCount)
      guard !rest.contains(where: { $0 < 0x09 }) else { return .no }
      while let end = rest.firstIndex(of: 0x0A) {
        let line = GfxinfoLine(UnsafeRawBufferPointer(rebasing: rest[..<end]))
        rest = rest[(end + 1)...]
        if line.isMark || GfxinfoColumns(line.bytes) != nil { return .yes }
        // What is of another format is told by its first signs.
        if let first = line.bytes.first, [UInt8(ascii: "{"), UInt8(ascii: "<")].contains(first) {
          return .no
        }
      }
      return bytes.count < sniffedByteCount ? .needMoreBytes : .no
    }
  }

  /// Adds everything the dump tells to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var reader = GfxinfoReader()
    while let line = try lines.next() {
      reader.read(line, of: lines, into: &builder)
    }
    try reader.finish(in: &builder)
  }
}
