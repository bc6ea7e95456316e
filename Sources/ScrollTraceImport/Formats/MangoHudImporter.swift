import ScrollTraceLayout
package import ScrollTraceModel

/// Reads MangoHud's logs, of all its generations.
///
/// The article *Tables of frames* of this module describes the mapping of each column.
package struct MangoHudImporter: TraceImporter {
  package static let name = "mangohud"
  package static let files = "MangoHud .csv"
  package static let recipe = "MANGOHUD_CONFIG=output_folder=X mangohud Y"

  package static let fileEndings = ["csv"]

  /// The maximum number of lines before the header: the machine and the version.
  private static let maximumLinesBefore = 16

  /// Returns whether the first line is one with which logs start.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        let isText = !bytes.contains { $0 < 0x09 }
        return isText && bytes.count < 4096 ? .needMoreBytes : .no
      }
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if MangoHudHeader(line) != nil { return .yes }
      if line.starts(with: "os,cpu,gpu,".utf8) { return .yes }
      let isVersioned = line.starts(with: "v1".utf8) && line.count <= 3
      return isVersioned && isNamed(bytes[(end + 1)...]) ? .yes : .no
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    while let line = try lines.next() {
      if let header = MangoHudHeader(line) {
        var log = MangoHudLog(header, &builder)
        return try log.read(&lines, into: &builder)
      }
      guard lines.number < Self.maximumLinesBefore else { break }
    }
    throw ImportError("no line names the frame columns", advice: "is the log truncated?")
  }

  /// Returns whether the lines after a version number are those of a log.
  private static func isNamed(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    let text = String(decoding: rest.prefix(512), as: UTF8.self)
    return text.includes("SYSTEM INFO---") || text.includes("FRAME METRICS---")
  }
}

/// Converts the rows of a MangoHud log into frames and counters.
struct MangoHudLog: ~Copyable {
  /// A row: the time it was written, if known, and the duration of the frame, in millionths of the
  /// log's unit.
  private struct Row {
    var elapsed: Int64?
    var length: Int64
  }

  private let header: MangoHudHeader
  private let counters: [(index: Int, label: LabelID)]
  private var row = TableRow()
  private var rows: [Row] = []
  private var rowCount = 0
  private var invalidCount: UInt64 = 0
  private var lastElapsed: Int64?
  /// The number of rows whose rate or time indicates milliseconds or microseconds.
  private var votes = (milliseconds: 0, microseconds: 0)

  init(_ header: MangoHudHeader, _ builder: inout TraceBuilder) {
    self.header = header
    counters = header.others.map { ($0.index, Self.label($0.name, &builder)) }
  }

  mutating func read(
    _ lines: inout LineReader, into builder: inout TraceBuilder
  ) throws(ImportError) {
    let process = builder.process(1)
    builder.setHost(process)
    // A thread takes samples. It is not the main thread, and nothing else is known about it.
    builder.setName("MangoHud", of: builder.track(2, of: process))
    var faults = TableFaults()
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      // A row ends with a line feed; without it the time, its last number, can be truncated.
      guard !lines.isUnfinished else {
        faults.lose("", of: lines, in: &builder)
        continue
      }
      do throws(LineFault) {
        try add(line, to: &builder)
      } catch {
        faults.lose(error.reason, of: lines, in: &builder)
      }
    }
    try faults.finish(hasRows: rowCount > 0, in: &builder)
    builder.countLoss(.invalidValue, count: invalidCount)
    reportColumns(in: &builder)
    finish(in: &builder)
  }

  /// Reports the columns that do not become counters.
  private func reportColumns(in builder: inout TraceBuilder) {
    if header.elapsed == nil, !counters.isEmpty {
      builder.addNotice("the times of the log's rows are unknown: its counters are omitted")
    }
    builder.addNotice(
      "columns omitted, because there are too many or their names are too long or repeated",
      count: header.leftCount)
  }

  private mutating func add(
    _ line: UnsafeRawBufferPointer, to builder: inout TraceBuilder
  ) throws(LineFault) {
    guard row.read(line, delimiter: UInt8(ascii: ",")), row.count == header.count else {
      throw LineFault(fieldCount: row.count, columnCount: header.count)
    }
    let elapsed = try number(header.elapsed, timesTenTo: 0, "time since the start of the log")
    if header.elapsed != nil, elapsed == nil { throw LineFault("the row has no time", at: 0) }
    if let length = try number(header.frameTime, timesTenTo: 6, "frame time") {
      vote(length, since: elapsed)
      rows.append(Row(elapsed: elapsed, length: length))
      lastElapsed = elapsed
    } else if header.frameTime != nil {
      throw LineFault("the row has no frame time", at: 0)
    }
    rowCount += 1
    guard let time = elapsed.flatMap(Timestamp.init) else { return }
    for counter in counters {
      let bytes = row.bytes(counter.index)
      guard !bytes.isEmpty else { continue }
      if let value = JSONNumber.double(bytes) {
        builder.addSample(value, of: counter.label, at: time)
      } else {
        invalidCount += 1
      }
    }
    if header.frameTime == nil, let rate = JSONNumber.double(row.bytes(header.rate)) {
      builder.addSample(rate, of: Self.label("fps", &builder), at: time)
    }
  }

  private func number(
    _ column: Int?, timesTenTo power: Int, _ what: String
  ) throws(LineFault) -> Int64? {
    switch row.number(column, timesTenTo: power) {
    case .missing: return nil
    case .value(let number) where number >= 0: return number
    case .value, .invalid:
      throw LineFault("'\(row.text(column).prefix(40))' is not a \(what)", at: 0)
    }
  }

  /// Determines the unit of the duration: 1 000 divided by milliseconds is the rate.
  private mutating func vote(_ length: Int64, since elapsed: Int64?) {
    guard length > 0 else { return }
    var ratio: Double?
    if let rate = JSONNumber.double(row.bytes(header.rate)), rate > 0 {
      ratio = rate * Double(length) / 1e9
    } else if let elapsed, let lastElapsed, elapsed > lastElapsed {
      ratio = Double(length) / Double(elapsed - lastElapsed)
    }
    guard let ratio else { return }
    if 0.5...2 ~= ratio { votes.milliseconds += 1 }
    if 500...2000 ~= ratio { votes.microseconds += 1 }
  }

  // MARK: - Frames

  private var divisor: Int64 { votes.microseconds > votes.milliseconds ? 1000 : 1 }

  private func finish(in builder: inout TraceBuilder) {
    guard header.frameTime != nil else {
      return builder.addNotice(
        "this version of MangoHud recorded rates and no frame times, so the lateness of"
          + " single frames is unknown")
    }
    if let interval = samplingInterval {
      addSamples(every: interval, to: &builder)
    } else {
      addFrames(to: &builder)
    }
  }

  /// The distance of the rows if they are samples instead of all frames.
  private var samplingInterval: Int64? {
    var gaps: [Int64] = []
    var inStep = 0
    for (index, row) in rows.enumerated().dropFirst() {
      guard let begin = rows[index - 1].elapsed, let end = row.elapsed, end > begin else {
        continue
      }
      gaps.append(end - begin)
      let length = row.length / divisor
      if (end - begin - length).magnitude <= max(1_000_000, length.magnitude / 10) { inStep += 1 }
    }
    guard gaps.count >= 4, inStep * 2 < gaps.count else { return nil }
    return gaps.sorted()[gaps.count / 2]
  }

  private static func label(_ name: String, _ builder: inout TraceBuilder) -> LabelID {
    builder.label(category: "\(Vocabulary.Category.counter)", name: name)
  }

  private func addSamples(every refreshInterval: Int64, to builder: inout TraceBuilder) {
    let label = Self.label("frametime", &builder)
    for row in rows {
      guard let time = row.elapsed.flatMap(Timestamp.init) else { continue }
      builder.addSample(Double(row.length / divisor) / 1e6, of: label, at: time)
    }
    builder.addNotice(
      "the log has a row every \(refreshInterval / 1_000_000) ms, not for every frame: set"
        + " log_interval=0 to record frames")
  }

  /// Adds a frame for each row at the time of its submission. The row's frame time is the time before
  /// that.
  private func addFrames(to builder: inout TraceBuilder) {
    let surface = builder.surface("display")
    var end: Int64 = 0
    for (index, row) in rows.enumerated() {
      let length = row.length / divisor
      end = row.elapsed ?? end.saturatingAdd(length)
      // The time before the first one can have started before the log did.
      if index == 0 { builder.extend(to: Timestamp(clamping: end.saturatingAdd(-length))) }
      var frame = Frame(id: UInt64(index + 1))
      frame.start = Timestamp(clamping: end)
      builder.updateFrame(frame, of: surface)
    }
  }
}

struct MangoHudHeader {
  let count: Int
  /// The column of the rate, whose derivation differs by version.
  let rate: Int?
  let frameTime: Int?
  /// The column of the time since the log's start.
  let elapsed: Int?
  /// The other columns that can be counters, by name.
  let others: [(index: Int, name: String)]
  /// The number of other columns that cannot: there are too many, or their names are too long or
  /// repeated.
  let leftCount: Int

  private static let maximumCounters = 64

  /// Creates the columns in `line`, or returns `nil` if they are not those of a log.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard line.starts(with: "fps,".utf8), row.read(line, delimiter: UInt8(ascii: ",")) else {
      return nil
    }
    var indexes: [String: Int] = [:]
    var others: [(index: Int, name: String)] = []
    var leftCount = 0
    for index in 0..<row.count where !row.bytes(index).isEmpty {
      let name = row.bytes(index).count < 64 ? row.text(index).lowercased() : ""
      guard !name.isEmpty, indexes[name] == nil else {
        leftCount += 1
        continue
      }
      if ["fps", "frametime", "elapsed"].contains(name) {
        indexes[name] = index
      } else if others.count < Self.maximumCounters {
        indexes[name] = index
        others.append((index, name))
      } else {
        leftCount += 1
      }
    }
    count = row.count
    rate = indexes["fps"]
    frameTime = indexes["frametime"]
    elapsed = indexes["elapsed"]
    self.others = others
    self.leftCount = leftCount
    guard frameTime != nil || elapsed != nil || indexes["cpu_load"] != nil else { return nil }
  }
}
