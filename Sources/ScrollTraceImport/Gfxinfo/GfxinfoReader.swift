import ScrollTraceFormat
import ScrollTraceModel

/// Reads a dump line by line: processes, in them windows, in them tables of frames and summaries.
struct GfxinfoReader: ~Copyable {
  /// More than any dump tells.
  private static let maximumAggregateCount = 10_000

  private var row = TableRow()
  private var process: (id: UInt64, name: String)?
  /// The window that the lines to come are of; `nil` where they are of the whole process.
  private var window: String?
  private var columns: GfxinfoColumns?
  private var summaries: [GfxinfoSummary] = []
  private var surfaces = GfxinfoSurfaces()
  private var faults = TableFaults()
  private var hasRows = false
  /// The sums of rows of a table that tells lengths and no times.
  private var lengths: [Double]?
  private var flaggedCount = 0
  private var unfinishedCount = 0
  private var repeatedCount = 0
  private var inconsistentCount = 0

  /// Takes a line.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, of lines: borrowing LineReader,
    into builder: inout TraceBuilder
  ) {
    guard !lines.isTooLong else { return faults.lose("", of: lines, in: &builder) }
    let line = GfxinfoLine(bytes)
    guard !line.bytes.isEmpty else { return }
    if let columns = GfxinfoColumns(line.bytes) {
      self.columns = columns
    } else if columns != nil, !line.isProfileMark, line.bytes.first.map(Self.isOfNumber) == true {
      readRow(line, of: lines, into: &builder)
    } else {
      columns = nil
      if !line.isProfileMark { readText(line) }
    }
  }

  /// Adds what waited for the dump's end, and says what was left out.
  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    endSummary()
    endLengths()
    surfaces.finish(in: &builder)
    try faults.finish(hasRows: true, in: &builder)
    guard hasRows || summaries.contains(where: { !$0.aggregates.isEmpty }) else {
      throw ImportError(
        "the dump holds no frames: was the app drawing?",
        advice: "adb shell dumpsys gfxinfo PACKAGE framestats")
    }
    addSummaries(to: &builder)
    note(flaggedCount, "rows that Android marks as not to be counted", in: &builder)
    note(unfinishedCount, "rows of frames that were not done yet, left out", in: &builder)
    note(repeatedCount, "rows that an earlier dump has too, counted once", in: &builder)
    note(
      inconsistentCount, "summaries whose histogram does not hold all frames of the total",
      in: &builder)
  }

  // MARK: - Rows

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || byte == UInt8(ascii: "-")
  }

  private mutating func readRow(
    _ line: GfxinfoLine, of lines: borrowing LineReader, into builder: inout TraceBuilder
  ) {
    guard let columns else { return }
    _ = row.read(line.bytes, delimiter: UInt8(ascii: ","))
    guard row.count >= columns.neededCount else {
      return faults.lose(
        "there are \(row.count) fields for \(columns.neededCount) columns", of: lines,
        in: &builder)
    }
    do throws(LineFault) {
      let number = UInt64(surfaces.frameCount + 1)
      let frame = try GfxinfoFrame(row, columns, number: number)
      hasRows = true
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
    if summaries.isEmpty { summaries.append(GfxinfoSummary(of: name)) }
    _ = summaries[summaries.count - 1].read(line)
  }

  /// What the lines are of, in words.
  private var name: String {
    window.map { "\(owner): \($0)" } ?? owner
  }

  /// What process the lines are of.
  private var owner: String {
    process.map { $0.name.isEmpty ? "process \($0.id)" : $0.name } ?? "app"
  }

  private mutating func endSummary() {
    guard let last = summaries.last else { return }
    if !last.isConsistent { inconsistentCount += 1 }
    if last.aggregates.isEmpty { summaries.removeLast() }
  }

  /// Ends a table that tells lengths and no times, of which frames cannot be made.
  private mutating func endLengths() {
    guard let lengths else { return }
    self.lengths = nil
    guard !lengths.isEmpty else { return }
    var summary = GfxinfoSummary(of: name, surface: owner)
    summary.add(lengths)
    summaries.insert(summary, at: max(0, summaries.count - 1))
  }

  private func addSummaries(to builder: inout TraceBuilder) {
    var count = 0
    for summary in summaries {
      for aggregate in summary.aggregates where count < Self.maximumAggregateCount {
        builder.addAggregate(aggregate)
        count += 1
      }
      guard !hasRows, !summary.aggregates.isEmpty else { continue }
      builder.setBasis(.aggregate, of: builder.surface(summary.surface))
    }
    let left = summaries.reduce(0) { $0 + $1.aggregates.count } - count
    builder.countLoss(.limitReached, count: UInt64(left))
    guard !hasRows else { return }
    builder.source.tellsLength = false
    builder.addNotice(
      .source(
        "the dump holds sums and no frames; adb shell dumpsys gfxinfo PACKAGE framestats tells of"
          + " the last 120 frames"))
  }

  private func note(_ count: Int, _ what: String, in builder: inout TraceBuilder) {
    if count > 0 { builder.addNotice(.source("\(what): \(count)")) }
  }
}

extension String {
  /// The text without blanks at its begin.
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
