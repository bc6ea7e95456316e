package import ScrollTraceModel

/// Reads the output of Android's `dumpsys gfxinfo`, with or without `framestats`.
///
/// The article *Tables of frames* of this module describes the mapping of each column and line.
package struct GfxinfoImporter: TraceImporter {
  private let options: ImportOptions

  package static let name = "gfxinfo"

  package static let fileEndings = ["gfxinfo.txt", "framestats.txt"]

  package init(options: ImportOptions) {
    self.options = options
  }

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

/// Reads a dump line by line: processes contain windows, and windows contain tables of frames and
/// summaries.
struct GfxinfoReader: ~Copyable {
  /// More than any dump contains.
  private static let maximumAggregateCount = 10_000

  private var row = TableRow()
  private var process: (id: UInt64, name: String)?
  /// The window of the following lines, or `nil` if they belong to the whole process.
  private var window: String?
  private var columns: GfxinfoColumns?
  /// A Boolean value indicating whether a table with unknown columns has started.
  private var isUnnamed = false
  private var summaries: [GfxinfoSummary] = []
  private var aggregateCount = 0
  private var leftAggregateCount = 0
  private var surfaces = GfxinfoSurfaces()
  private var faults = TableFaults()
  /// A Boolean value indicating whether a row could be read, including rows that do not count.
  private var hasRows = false
  /// The sums of the rows of a table with durations but no times.
  private var lengths: [Double]?
  private var flaggedCount = 0
  private var unfinishedCount = 0
  private var repeatedCount = 0
  private var inconsistentCount = 0

  /// Reads a line.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, of lines: borrowing LineReader,
    into builder: inout TraceBuilder
  ) {
    guard !lines.isTooLong else { return faults.lose("", of: lines, in: &builder) }
    let line = GfxinfoLine(bytes)
    guard !line.bytes.isEmpty else { return }
    if let columns = GfxinfoColumns(line.bytes) {
      self.columns = columns
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
    endSummary()
    endLengths()
    surfaces.finish(in: &builder)
    let isEmpty = !hasRows && !summaries.contains { !$0.aggregates.isEmpty }
    try faults.finish(hasRows: !isEmpty || faults.isEmpty, in: &builder)
    guard !isEmpty else {
      throw ImportError(
        "the dump contains no frames: was the app drawing?",
        advice: "adb shell dumpsys gfxinfo PACKAGE framestats")
    }
    addSummaries(to: &builder)
    note(flaggedCount, "rows that Android marks to be ignored", in: &builder)
    note(unfinishedCount, "rows of unfinished frames, omitted", in: &builder)
    note(repeatedCount, "rows repeated from an earlier dump, counted once", in: &builder)
    note(
      inconsistentCount, "summaries whose histogram lacks frames of the total",
      in: &builder)
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
      return faults.lose(
        "there are \(row.count) fields for \(columns.neededCount) columns", of: lines,
        in: &builder)
    }
    do throws(LineFault) {
      let number = UInt64(surfaces.frameCount + 1)
      let frame = try GfxinfoFrame(row, columns, number: number)
      if frame.kind != .torn { hasRows = true }
      switch frame.kind {
      case .frame:
        if !surfaces.add(frame, of: place, to: &builder) { repeatedCount += 1 }
      case .flagged: flaggedCount += 1
      case .unfinished: unfinishedCount += 1
      case .torn:
        faults.lose("the frame's times contradict each other", of: lines, in: &builder)
      }
    } catch {
      faults.lose(error.reason, of: lines, in: &builder)
    }
  }

  private var place: GfxinfoSurfaces.Place {
    GfxinfoSurfaces.Place(
      process: process?.id ?? 1, processName: process?.name ?? "", window: window ?? "")
  }

  // MARK: - Texts

  private mutating func readText(_ line: GfxinfoLine) {
    if let process = line.process {
      endSummary()
      endLengths()
      self.process = process
      window = nil
      summaries.append(GfxinfoSummary(of: name))
    } else if let name = line.text(behind: "Window:") {
      endSummary()
      window = name.trimmed
      summaries.append(GfxinfoSummary(of: self.name))
    } else if let name = line.window {
      endLengths()
      window = name
    } else if line.starts(with: "View hierarchy:") {
      endLengths()
      window = nil
    } else if line.starts(with: "Draw\t") {
      endLengths()
      lengths = []
    } else if lengths != nil, let numbers = line.numbers {
      lengths?.append(numbers.reduce(0, +))
    } else {
      readSummary(line)
    }
  }

  private mutating func readSummary(_ line: GfxinfoLine) {
    if aggregateCount >= Self.maximumAggregateCount {
      var left = GfxinfoSummary(of: "")
      left.read(line)
      leftAggregateCount += left.aggregates.count
      return
    }
    if summaries.isEmpty { summaries.append(GfxinfoSummary(of: name)) }
    aggregateCount += summaries[summaries.count - 1].read(line)
  }

  /// The name of the lines' process or window.
  private var name: String {
    window.map { "\(owner): \($0)" } ?? owner
  }

  /// The name of the lines' process.
  private var owner: String {
    process.map { $0.name.isEmpty ? "process \($0.id)" : $0.name } ?? "app"
  }

  private mutating func endSummary() {
    guard let last = summaries.last else { return }
    if !last.isConsistent { inconsistentCount += 1 }
    if last.aggregates.isEmpty { summaries.removeLast() }
  }

  /// Ends a table with durations but no times, from which no frames can be derived.
  private mutating func endLengths() {
    guard let lengths else { return }
    self.lengths = nil
    guard !lengths.isEmpty else { return }
    guard aggregateCount < Self.maximumAggregateCount else {
      leftAggregateCount += 1
      return
    }
    aggregateCount += 1
    var summary = GfxinfoSummary(of: name, surface: owner)
    summary.add(lengths)
    summaries.insert(summary, at: max(0, summaries.count - 1))
  }

  private func addSummaries(to builder: inout TraceBuilder) {
    let hasFrames = surfaces.frameCount > 0
    for summary in summaries {
      for aggregate in summary.aggregates { builder.addAggregate(aggregate) }
      guard !hasFrames, !summary.aggregates.isEmpty else { continue }
      builder.setBasis(.aggregate, of: builder.surface(summary.surface))
    }
    builder.countLoss(.limitReached, count: UInt64(leftAggregateCount))
    guard !hasFrames, aggregateCount > 0 else { return }
    builder.source.hasKnownLength = false
    builder.addNotice(
      .source(
        "the dump reports totals, not frames; adb shell dumpsys gfxinfo PACKAGE framestats lists"
          + " the last 120 frames"))
  }

  private func note(_ count: Int, _ what: String, in builder: inout TraceBuilder) {
    if count > 0 { builder.addNotice(.source("\(what): \(count)")) }
  }
}

extension String {
  /// The text without leading spaces.
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

/// A line of a dump, without surrounding white space.
struct GfxinfoLine {
  /// The bytes without surrounding white space.
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

  /// Returns whether the line starts with `text`.
  func starts(with text: StaticString) -> Bool {
    bytes.starts(
      with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A Boolean value indicating whether only dumps of `gfxinfo` have such a line.
  var isMark: Bool {
    starts(with: "Applications Graphics Acceleration Info:")
      || starts(with: "** Graphics info for pid ") || isProfileMark
  }

  /// A Boolean value indicating whether the line starts or ends a table of frames.
  var isProfileMark: Bool { starts(with: "---PROFILEDATA---") }

  /// A Boolean value indicating whether the line cannot belong to a table of frames, so that the
  /// previous table has ended.
  var endsTable: Bool {
    isMark || starts(with: "View hierarchy:") || starts(with: "Window:")
      || starts(with: "Draw\t") || window != nil
  }

  /// A Boolean value indicating whether the line has as many fields as only table rows have.
  var isOfTable: Bool {
    var count = 0
    for byte in bytes where byte == UInt8(ascii: ",") { count += 1 }
    return count > 8
  }

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
    guard let range = text.lastRange(of: " (visibility=") else { return nil }
    return String(text[..<range])
  }

  /// The numbers of a line that contains nothing else, such as those under `Draw Prepare Process
  /// Execute`.
  var numbers: [Double]? {
    let parts = bytes.split { $0 == 0x09 || $0 == 0x20 }
    guard 2...16 ~= parts.count else { return nil }
    var numbers: [Double] = []
    for part in parts {
      guard let number = JSONNumber.double(UnsafeRawBufferPointer(rebasing: part)), number >= 0
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

extension String {
  /// Returns the position of the last occurrence of `text`.
  fileprivate func lastRange(of text: String) -> String.Index? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(text) { return place }
    }
    return nil
  }
}
