import ScrollTraceLayout
import ScrollTraceModel

/// The thread times and thread states in lines.
extension LineRecords {
  /// Adds a system's counts for a thread up to a time.
  mutating func addThreadTime(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    guard let time = try time(.at, or: .begin, row) else {
      throw LineFault("the thread's time has no timestamp", at: 0)
    }
    var sample = ThreadTimeSample()
    for extra in row.extras where extra.value.kind != .null {
      switch word(of: extra, in: row) {
      case .cpu: sample.cpu = try duration(extra, row)
      case .ready: sample.ready = try duration(extra, row)
      case .preemptions: sample.preemptions = try number(extra, row)
      case .waits: sample.waits = try number(extra, row)
      case .faults: sample.faults = try number(extra, row)
      case .diskFaults: sample.diskFaults = try number(extra, row)
      default: break
      }
    }
    guard !sample.isEmpty else { throw LineFault("the thread's time is empty", at: 0) }
    let name = row.text(.threadTime) ?? ""
    builder.addThreadTime(sample, on: track(named: name, in: &builder), at: time)
  }

  /// Adds a thread state between two times.
  mutating func addThreadState(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    typealias Word = Vocabulary.Thread
    let state: ThreadState
    switch row.text(.threadState) {
    case Word.running.description: state = .running
    case Word.ready.description: state = .ready
    case Word.blocked.description: state = .blocked
    default:
      throw LineFault(
        "the state must be running, ready or blocked", at: row[.threadState].start)
    }
    guard let start = try time(.begin, or: .at, row) else {
      throw LineFault("the thread's state has no start", at: 0)
    }
    var end = try time(.end, row)
    if let length = try row.time(.duration) { end = try self.end(start, length, row) }
    guard let end else { throw LineFault("the thread's state has neither end nor duration", at: 0) }
    guard end >= start else { throw LineFault("the thread's state ends before it starts", at: 0) }
    var (core, waker) = (Int16?.none, TrackID?.none)
    for extra in row.extras where extra.value.kind != .null {
      switch word(of: extra, in: row) {
      case .core where state == .running:
        core = Int16(exactly: try number(extra, row))
      case .waker where state == .ready:
        waker = track(named: row.text(extra.value), in: &builder)
      default: break
      }
    }
    builder.addThreadState(
      state, on: track(row, in: &builder), from: start, to: end, core: core, waker: waker)
  }

  private func word(of extra: LineRow.Extra, in row: borrowing LineRow) -> Vocabulary.Key? {
    Vocabulary.Key(stringValue: key(of: extra, in: row))
  }

  /// Returns a duration in the unit of the line's times.
  private func duration(
    _ extra: LineRow.Extra, _ row: borrowing LineRow
  ) throws(LineFault) -> Int64 {
    let value = extra.value
    guard value.kind == .number || value.kind == .text,
      let length = JSONNumber.scaled(
        row.bytes(of: value), timesTenTo: row.powers[LineKey.at.rawValue]), length >= 0
    else { throw LineFault("a thread's time is not a time", at: value.start) }
    return length
  }

  private func number(
    _ extra: LineRow.Extra, _ row: borrowing LineRow
  ) throws(LineFault) -> Int64 {
    let value = extra.value
    guard value.kind == .number || value.kind == .text,
      let number = JSONNumber.integer(row.bytes(of: value)), number >= 0
    else { throw LineFault("a count is not a whole number of at least 0", at: value.start) }
    return number
  }
}
