package import ScrollTraceModel

/// Reads frames and spans from comma-separated values, which any host and any spreadsheet can
/// write.
///
/// The article *Lines of JSON and CSV* of this module describes the columns.
package struct CSVImporter: TraceImporter {
  package static let name = "csv"
  package static let files = "any app's table"
  package static let recipe = "print a row for each frame, below names"

  package static let fileEndings = ["csv", "tsv"]

  /// Returns whether the first line has known columns: a frame or a kind, and a time.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      guard let end = bytes.firstIndex(of: 0x0A) else {
        let isText = !bytes.contains { $0 < 0x09 }
        return isText && bytes.count < 1 << 16 ? .needMoreBytes : .no
      }
      var line = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
      if line.starts(with: [0xEF, 0xBB, 0xBF]) {
        line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3))
      }
      guard let header = CSVHeader(line) else { return .no }
      return header.isOurs ? .yes : .no
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    guard let first = try lines.next(), let header = CSVHeader(first) else {
      throw ImportError("line 1 names no columns", at: 0)
    }
    if let name = header.repeated {
      throw ImportError("line 1 names the column '\(name)' twice", at: 0)
    }
    var row = header.row
    var records = LineRecords(&builder)
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      do throws(LineFault) {
        guard !lines.isTooLong else {
          row.reset(line)
          throw LineFault("the line is too long", at: 0)
        }
        try header.read(line, into: &row)
      } catch {
        records.lose(error, row, of: lines, in: &builder)
        continue
      }
      records.add(row, of: lines, to: &builder)
    }
    if lines.isUnfinished, !lines.isTooLong {
      builder.addNotice("the last row has no line end; its last value may be truncated")
    }
    try records.finish(in: &builder)
  }
}
