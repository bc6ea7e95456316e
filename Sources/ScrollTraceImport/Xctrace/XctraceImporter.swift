package import ScrollTraceModel

/// Reads what `xcrun xctrace export` writes of a recording of Instruments: tables as XML.
///
/// What becomes of each table is described in the article *Traces of Instruments* of this module.
package struct XctraceImporter: TraceImporter {
  /// `xctrace`
  package static let name = "xctrace"

  /// `xml`
  package static let fileEndings = ["xml"]

  /// An importer; the limits of XML are fixed, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the root element is the one of an export, of tables or of the table of contents.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      switch (bytes.first, bytes.dropFirst().first) {
      case (0xFF, 0xFE): XctraceSniffer(everySecondOf: bytes.dropFirst(2)).answer
      case (0xFE, 0xFF): XctraceSniffer(everySecondOf: bytes.dropFirst(3)).answer
      default: XctraceSniffer(bytes[...]).answer
      }
    }
  }

  /// Adds everything the tables tell to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = XctraceReader(bytes)
    try reader.read(into: &builder)
  }
}
