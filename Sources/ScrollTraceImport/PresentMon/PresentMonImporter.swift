package import ScrollTraceModel

/// Reads the tables of PresentMon, of all its generations, and of what is built on it: OCAT,
/// CapFrameX, FrameView.
///
/// What becomes of each column is described in the article *Tables of frames* of this module.
package struct PresentMonImporter: TraceImporter {
  private let options: ImportOptions

  /// `presentmon`
  package static let name = "presentmon"

  /// `csv`
  package static let fileEndings = ["csv"]

  /// How far into a file the names of the columns may come: CapFrameX writes some lines before them.
  private static let mostBytesBefore = 1 << 16

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the first line that is no remark names an application or process, and a time of frames.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while let end = bytes[place...].firstIndex(of: 0x0A) {
        let line = UnsafeRawBufferPointer(rebasing: bytes[place..<end])
        place = end + 1
        if isRemark(line) { continue }
        return PresentMonHeader(withoutReturn(line)) == nil ? .no : .yes
      }
      let isText = !bytes.contains { $0 < 0x09 }
      return isText && bytes.count < mostBytesBefore ? .needMoreBytes : .no
    }
  }

  /// Adds a surface with its frames for each swap chain to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var header: PresentMonHeader?
    while header == nil {
      guard let line = try lines.next() else { throw ImportError("names no columns", at: 0) }
      header = Self.isRemark(line) ? nil : PresentMonHeader(line)
      if header == nil, !Self.isRemark(line) || lines.offset > Self.mostBytesBefore {
        throw ImportError("line \(lines.number) names no columns of frames", at: lines.offset)
      }
    }
    guard let header else { return }
    var reader = PresentMonReader(header)
    var faults = TableFaults()
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      guard !lines.isTooLong else {
        faults.lose("", of: lines, in: &builder)
        continue
      }
      do throws(LineFault) {
        try reader.read(line, isUnfinished: lines.isUnfinished)
      } catch {
        faults.lose(error.reason, of: lines, in: &builder)
      }
    }
    try faults.finish(hasRows: reader.hasRows, in: &builder)
    try reader.finish(in: &builder)
  }

  /// Whether the line is empty or one of the remarks that CapFrameX writes before the table.
  private static func isRemark(_ line: UnsafeRawBufferPointer) -> Bool {
    line.starts(with: "//".utf8) || line.first == UInt8(ascii: "#")
      || line.allSatisfy { $0 == 0x0D || $0 == 0x20 }
  }

  private static func withoutReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
  }
}
