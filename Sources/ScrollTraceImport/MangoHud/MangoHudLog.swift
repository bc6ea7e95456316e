import ScrollTraceLayout
import ScrollTraceModel

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

  /// Reads all rows, and adds what they tell to `builder`.
  mutating func read(
    _ lines: inout LineReader, into builder: inout TraceBuilder
  ) throws(ImportError) {
    let process = builder.process(1)
    builder.setHost(process)
    // Samples are taken by a thread, of which nothing else is told; it is not the main one.
    builder.setName("MangoHud", of: builder.track(2, of: process))
    var faults = TableFaults()
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      // A row ends with a line feed; without it the time, its last number, may be the begin of one.
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
