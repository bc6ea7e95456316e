package import ScrollTraceModel

/// Reads the output of Android's `dumpsys gfxinfo`, with or without `framestats`.
///
/// The article *Tables of frames* of this module describes the mapping of each column and line.
package struct GfxinfoImporter: TraceImporter {
  package static let name = "gfxinfo"
  package static let files = "Android framestats"
  package static let recipe = "adb shell dumpsys gfxinfo PACKAGE framestats"

  package static let fileEndings = ["gfxinfo.txt", "framestats.txt"]

  /// Returns whether a line near the start is one that only such a dump has.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      var rest = bytes.prefix(Sniff.searchedByteCount)
      guard !rest.contains(where: { $0 < 0x09 }) else { return .no }
      let answer: Sniff? = Sniff.answer(ofLinesIn: &rest) { bytes in
        let line = GfxinfoLine(bytes)
        if line.isMark || GfxinfoColumns(line.bytes) != nil { return .yes }
        // Another format is recognized by its first characters.
        if let first = line.bytes.first, [UInt8(ascii: "{"), UInt8(ascii: "<")].contains(first) {
          return .no
        }
        return nil
      }
      return answer ?? (bytes.count < Sniff.searchedByteCount ? .needMoreBytes : .no)
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var reader = GfxinfoReader()
    while let line = try lines.next() { reader.read(line, of: lines, into: &builder) }
    try reader.finish(in: &builder)
  }
}

/// Reads a dump line by line: processes contain windows, and windows contain tables of frames.
struct GfxinfoReader: ~Copyable {
  private var row = TableRow()
  private var process: (id: UInt64, name: String)?
  /// The window of the following lines, or `nil` if they belong to the whole process.
  private var window: String?
  private var columns: GfxinfoColumns?
  /// Whether a table with unknown columns has started.
  private var isUnnamed = false
  /// Whether a mark began the current table, so that another ends it.
  private var isMarked = false
  private var surfaces = GfxinfoSurfaces()
  private var faults = TableFaults()
  /// Whether a row could be read, including rows that do not count.
  private var hasRows = false
  /// Whether the dump has totals, or durations without times.
  private var hasTotals = false
  private var flaggedCount = 0
  private var unfinishedCount = 0
  private var repeatedCount = 0

  mutating func read(
    _ bytes: UnsafeRawBufferPointer, of lines: borrowing LineReader,
    into builder: inout TraceBuilder
  ) {
    guard !lines.isTooLong else { return faults.lose("", of: lines, in: &builder) }
    let line = GfxinfoLine(bytes)
    guard !line.bytes.isEmpty else { return }
    if let columns = GfxinfoColumns(line.bytes) {
      self.columns = columns
      isMarked = isUnnamed
      isUnnamed = false
    } else if line.endsTable {
      isUnnamed = line.isProfileMark && columns == nil && !isUnnamed
      columns = nil
      if !line.isProfileMark { readText(line) }
    } else if columns != nil {
      readRow(line, of: lines, into: &builder)
    } else if isUnnamed, line.isOfTable {
      faults.lose("no frame columns are named before it", of: lines, in: &builder)
    } else {
      readText(line)
    }
  }

  /// Adds the pending data at the dump's end, and reports omissions.
  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    surfaces.finish(in: &builder)
    if columns != nil, isMarked { builder.countLoss(.cutAtEnd) }
    let isEmpty = !hasRows && !hasTotals
    try faults.finish(hasRows: !isEmpty || faults.isEmpty, in: &builder)
    guard !isEmpty else {
      throw ImportError(
        "has no frames", advice: "scroll, then dump with framestats")
    }
    if surfaces.frameCount == 0, hasTotals {
      builder.source.hasKnownLength = false
      builder.addNotice(
        "the dump reports totals, not frames; adb shell dumpsys gfxinfo PACKAGE framestats lists"
          + " the last 120 frames")
    }
    builder.addNotice("rows that Android marks to be ignored", count: flaggedCount)
    builder.addNotice("rows of unfinished frames, omitted", count: unfinishedCount)
    builder.addNotice("rows repeated from an earlier dump, counted once", count: repeatedCount)
  }

  // MARK: - Rows

  private mutating func readRow(
    _ line: GfxinfoLine, of lines: borrowing LineReader, into builder: inout TraceBuilder
  ) {
    guard let columns else { return }
    guard let first = line.bytes.first, first.isDigit || first == UInt8(ascii: "-") else {
      // The caller of `adb` can have printed text too.
      return faults.lose("it is not a row of the surrounding table", of: lines, in: &builder)
    }
    _ = row.read(line.bytes, delimiter: UInt8(ascii: ","))
    guard row.count >= columns.neededCount else {
      let fault = LineFault(fieldCount: row.count, columnCount: columns.neededCount)
      return faults.lose(fault.reason, of: lines, in: &builder)
    }
    do throws(LineFault) {
      let number = UInt64(surfaces.frameCount + 1)
      let frame = try GfxinfoFrame(row, columns, number: number)
      if frame.kind != .torn { hasRows = true }
      switch frame.kind {
      case .frame:
        let window = GfxinfoSurfaces.WindowID(
          process: process?.id ?? 1, processName: process?.name ?? "", window: window ?? "")
        if !surfaces.add(frame, of: window, to: &builder) { repeatedCount += 1 }
      case .flagged: flaggedCount += 1
      case .unfinished: unfinishedCount += 1
      case .torn: faults.lose("the frame's times contradict each other", of: lines, in: &builder)
      }
    } catch { faults.lose(error.reason, of: lines, in: &builder) }
  }

  // MARK: - Texts

  private mutating func readText(_ line: GfxinfoLine) {
    if let process = line.process {
      self.process = process
      window = nil
    } else if let name = line.text(behind: "Window:") {
      window = String(name.drop { $0 == " " })
    } else if let name = line.window {
      window = name
    } else if line.starts(with: "View hierarchy:") {
      window = nil
    } else if line.starts(with: "Total frames rendered:") || line.starts(with: "Draw\t") {
      hasTotals = true
    }
  }
}

/// A line of a dump, without surrounding white space.
struct GfxinfoLine {
  let bytes: UnsafeRawBufferPointer

  /// Creates the line without surrounding white space and without the second carriage return of old
  /// `adb` versions.
  init(_ line: UnsafeRawBufferPointer) {
    let blanks: [UInt8] = [0x20, 0x09, 0x0D]
    guard let first = line.firstIndex(where: { !blanks.contains($0) }),
      let last = line.lastIndex(where: { !blanks.contains($0) })
    else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    bytes = UnsafeRawBufferPointer(rebasing: line[first...last])
  }

  func starts(with text: StaticString) -> Bool { bytes.hasPrefix(text) }

  /// Whether only dumps of `gfxinfo` have such a line.
  var isMark: Bool {
    starts(with: "Applications Graphics Acceleration Info:")
      || starts(with: "** Graphics info for pid ") || isProfileMark
  }

  /// Whether the line starts or ends a table of frames.
  var isProfileMark: Bool { starts(with: "---PROFILEDATA---") }

  /// Whether the line cannot belong to a table of frames, so that the previous table has ended.
  var endsTable: Bool {
    isMark || starts(with: "View hierarchy:") || starts(with: "Window:")
      || starts(with: "Draw\t") || window != nil
  }

  /// Whether the line has as many fields as only table rows have.
  var isOfTable: Bool { bytes.count { $0 == UInt8(ascii: ",") } > 8 }

  /// Returns the text after `name`, or `nil` if the line does not start with it.
  func text(behind name: StaticString) -> String? {
    starts(with: name)
      ? String(decoding: bytes.dropFirst(name.utf8CodeUnitCount).prefix(4096), as: UTF8.self) : nil
  }

  /// The process of a line such as `** Graphics info for pid 12 [com.example] **`.
  var process: (id: UInt64, name: String)? {
    guard let text = text(behind: "** Graphics info for pid ") else { return nil }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, let id = UInt64(first) else { return nil }
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let name = rest.split(separator: "[", maxSplits: 1).last?.prefix { $0 != "]" } ?? ""
    return (id, String(name))
  }

  /// The window of a line such as `com.example/…Activity/…ViewRootImpl@1a2b (visibility=0)`.
  var window: String? {
    guard bytes.last == UInt8(ascii: ")"), bytes.count < 4096 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.indices.last { text[$0...].hasPrefix(" (visibility=") }.map { String(text[..<$0]) }
  }
}
