import ScrollTraceLayout
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

  /// Adds the content of the log to `builder`.
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

/// Turns the rows of a MangoHud log into frames and counters.
struct MangoHudLog: ~Copyable {
  /// A row: when it was written, where that is told, and how long the frame took, in millionths of
  /// the unit that the log has it in.
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
  /// How many rows say, by their rate or by when they were written, that they are in milliseconds or
  /// in microseconds.
  private var votes = (milliseconds: 0, microseconds: 0)

  /// A log with these columns.
  init(_ header: MangoHudHeader, _ builder: inout TraceBuilder) {
    self.header = header
    let category = builder.string("\(Vocabulary.Category.counter)")
    func label(_ name: String) -> LabelID {
      builder.label(category: category, name: builder.string(name))
    }
    counters = header.others.map { ($0.index, label($0.name)) }
  }

  /// Reads all rows and adds their content to `builder`.
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
      // A row ends with a line feed; without it the time, its last number, may be the start of one.
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
    noteColumns(in: &builder)
    finish(in: &builder)
  }

  /// Says which columns do not become counters.
  private func noteColumns(in builder: inout TraceBuilder) {
    if header.elapsed == nil, !counters.isEmpty {
      builder.addNotice(
        .source("the log does not tell when its rows were written: its counters are left out"))
    }
    if header.leftCount > 0 {
      builder.addNotice(
        .source(
          "columns left out, since there are too many or their names are too long or repeated:"
            + " \(header.leftCount)"))
    }
  }

  private mutating func add(
    _ line: UnsafeRawBufferPointer, to builder: inout TraceBuilder
  ) throws(LineFault) {
    guard row.read(line, delimiter: UInt8(ascii: ",")), row.count == header.count else {
      throw LineFault("there are \(row.count) fields for \(header.count) columns", at: 0)
    }
    let elapsed = try number(header.elapsed, timesTenTo: 0, "time since the log began")
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
      throw LineFault("'\(row.text(column).prefix(40))' is no \(what)", at: 0)
    }
  }

  /// Finds out what the length is in: 1 000 divided by milliseconds is the rate.
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
        .source(
          "this version of MangoHud wrote down rates and no frame times, which say nothing of"
            + " single frames"))
    }
    if let interval = samplingInterval {
      addSamples(every: interval, to: &builder)
    } else {
      addFrames(to: &builder)
    }
  }

  /// How far apart the rows are, where they are samples and not all frames.
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
      builder.addSample(
        Double(row.length / divisor) / 1e6, of: label, at: time)
    }
    builder.addNotice(
      .source(
        "the log has a row every \(refreshInterval / 1_000_000) ms and not for every frame: set"
          + " log_interval=0 to record frames"))
  }

  /// Adds a frame for each row: it began when the one before was handed over.
  private func addFrames(to builder: inout TraceBuilder) {
    let surface = builder.surface("display")
    var end: Int64 = 0
    for (index, row) in rows.enumerated() {
      let length = row.length / divisor
      let (sum, overflow) = end.addingReportingOverflow(length)
      end = row.elapsed ?? (overflow ? Int64.max : sum)
      var frame = Frame(id: UInt64(index + 1))
      // The first may have begun before the log did.
      frame.start = Timestamp(clamping: end - length)
      builder.updateFrame(frame, of: surface)
      builder.extend(to: Timestamp(clamping: end))
    }
  }
}

/// The columns of a MangoHud log.
struct MangoHudHeader {
  /// How many columns there are.
  let count: Int
  /// The rate; what it is made of differs by version.
  let rate: Int?
  /// How long the frame took.
  let frameTime: Int?
  /// When it was handed over, from the log's begin on.
  let elapsed: Int?
  /// The other columns, by name, as far as they can be counters.
  let others: [(index: Int, name: String)]
  /// How many other columns are none: there are too many, or their names are too long or repeated.
  let leftCount: Int

  /// The most columns that become counters.
  private static let mostCounters = 64

  /// The columns that `line` names, or `nil` if they are not those of a log.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard line.starts(with: "fps,".utf8), row.read(line, delimiter: UInt8(ascii: ",")) else {
      return nil
    }
    var places: [String: Int] = [:]
    var others: [(index: Int, name: String)] = []
    var leftCount = 0
    for index in 0..<row.count where !row.bytes(index).isEmpty {
      let name = row.bytes(index).count < 64 ? row.text(index).lowercased() : ""
      guard !name.isEmpty, places[name] == nil else {
        leftCount += 1
        continue
      }
      if ["fps", "frametime", "elapsed"].contains(name) {
        places[name] = index
      } else if others.count < Self.mostCounters {
        places[name] = index
        others.append((index, name))
      } else {
        leftCount += 1
      }
    }
    count = row.count
    rate = places["fps"]
    frameTime = places["frametime"]
    elapsed = places["elapsed"]
    self.others = others
    self.leftCount = leftCount
    guard frameTime != nil || elapsed != nil || places["cpu_load"] != nil else { return nil }
  }
}

/// The summary that MangoHud writes beside a log: a line of names and one of numbers.
struct MangoHudSummary {
  private let names: [String]

  /// The names of a summary's numbers, or `nil` if `line` is none.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard row.read(line, delimiter: UInt8(ascii: ",")), row.count <= 64 else { return nil }
    names = (0..<row.count).map { row.text($0) }
    guard names.contains("Average FPS"), names.contains(where: { $0.hasSuffix("Min FPS") }) else {
      return nil
    }
  }

  /// Adds the numbers to `builder`.
  func read(_ lines: inout LineReader, into builder: inout TraceBuilder) throws(ImportError) {
    var row = TableRow()
    guard let line = try lines.next(), row.read(line, delimiter: UInt8(ascii: ",")) else {
      throw ImportError("the summary has no line of numbers")
    }
    var isEmpty = true
    for (index, name) in names.enumerated() {
      guard let value = JSONNumber.double(row.bytes(index)) else {
        builder.countLoss(.invalidValue)
        continue
      }
      let unit = name.hasSuffix("FPS") ? "fps" : name.hasSuffix("Load") ? "%" : ""
      builder.addAggregate(Aggregate(name, unit: unit, values: [value], source: "display"))
      isEmpty = false
    }
    guard !isEmpty else { throw ImportError("the summary has no line of numbers") }
    builder.setBasis(.aggregate, of: builder.surface("display"))
    builder.source.hasKnownLength = false
    builder.addNotice(
      .source("this is MangoHud's summary: the log beside it, without _summary, has the frames"))
  }
}
