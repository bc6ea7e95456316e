package import ScrollTraceModel

/// Reads the logs that MangoHud writes, of all its generations, and their summaries.
///
/// What becomes of each column is described in the article *Tables of frames* of this module.
package struct MangoHudImporter: TraceImporter {
  private let options: ImportOptions

  /// `mangohud`
  package static let name = "mangohud"

  /// `csv`
  package static let fileEndings = ["csv"]

  /// How many lines may come before the names of the columns: the machine, and which version it was.
  private static let mostLinesBefore = 16

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the first line is one of those that logs begin with.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        let isText = !bytes.contains { $0 < 0x09 }
        return isText && bytes.count < 4096 ? .needMoreBytes : .no
      }
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if MangoHudHeader(line) != nil || MangoHudSummary(line) != nil { return .yes }
      if line.starts(with: "os,cpu,gpu,".utf8) { return .yes }
      let isVersioned = line.starts(with: "v1".utf8) && line.count <= 3
      return isVersioned && isNamed(bytes[(end + 1)...]) ? .yes : .no
    }
  }

  /// Adds what the log tells to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    while let line = try lines.next() {
      if let summary = MangoHudSummary(line) {
        return try summary.read(&lines, into: &builder)
      }
      if let header = MangoHudHeader(line) {
        var log = MangoHudLog(header, &builder)
        return try log.read(&lines, into: &builder)
      }
      guard lines.number < Self.mostLinesBefore else { break }
    }
    throw ImportError("no line names the columns of frames", advice: "is the log cut?")
  }

  /// Whether the lines behind a version's number are those of a log.
  private static func isNamed(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    let text = String(decoding: rest.prefix(512), as: UTF8.self)
    return text.contains("SYSTEM INFO---") || text.contains("FRAME METRICS---")
  }
}
