import ScrollTraceLayout
import ScrollTraceModel

/// Frames, and what lines say of their surfaces.
extension LineRecords {
  /// Adds a frame, and its commit as a span of its thread.
  mutating func addFrame(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let surface = surface(row, in: &builder)
    surfaces[surface].frameCount += 1
    let count = surfaces[surface].frameCount
    let isNumbered = row[.frame].kind != .null
    var frame = Frame(id: isNumbered ? try row.number(.frame) ?? count : count)
    frame.start = try time(.start, row)
    frame.commitStart = try time(.commitStart, row)
    frame.commitEnd = try time(.commitEnd, or: .end, row)
    frame.deadline = try time(.deadline, row)
    frame.target = try time(.target, row)
    frame.presented = try time(.presented, row)
    frame.refreshInterval = try row.time(.refreshInterval).flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
    if let length = try row.time(.duration) {
      let start = frame.commitStart ?? frame.start
      frame.commitStart = start
      frame.commitEnd = try end(start, length, row)
    }
    frame.outcome = try outcome(row)
    if frame.outcome == .presented {
      frame.wasOnTime = row.text(.outcome) == Vocabulary.Outcome.presentedOnTime.description
    }
    var isSpan = true
    for extra in row.extras {
      switch key(of: extra, in: row) {
      case "label" where extra.value.kind != .null:
        frame.sourceLabel = string(extra.value, row, &builder)
      case "commitSpan": isSpan = row.text(extra.value) != "false"
      case let key: leaveOut(key)
      }
    }
    guard isSpan else {
      if frame.commitEnd != nil || row.has(.thread) { frame.track = track(row, in: &builder) }
      return builder.updateFrame(frame, of: surfaces[surface].id)
    }
    if frame.commitStart == nil, frame.commitEnd != nil { frame.commitStart = frame.start }
    if let start = frame.commitStart, let end = frame.commitEnd, start <= end {
      let track = track(row, in: &builder)
      frame.track = track
      spans.select(track, of: &builder)
      spans.append(
        start.nanoseconds, end.nanoseconds, surfaces[surface].commitLabel, .none)
    }
    builder.updateFrame(frame, of: surfaces[surface].id)
  }

  /// Adds a hitch that the source lists; its surface is judged by such hitches alone.
  mutating func addHitch(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    guard let begin = try time(.start, or: .at, row) else {
      throw LineFault("the hitch has no begin", at: 0)
    }
    var end = try time(.end, row)
    if let length = try row.time(.duration) { end = try self.end(begin, length, row) }
    guard let end else { throw LineFault("the hitch has neither end nor duration", at: 0) }
    guard end >= begin else { throw LineFault("the hitch ends before it begins", at: 0) }
    let interval = try row.time(.refreshInterval).flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
    for extra in row.extras { leaveOut(key(of: extra, in: row)) }
    let surface = surfaces[surface(row, in: &builder)].id
    let isNamed = row[.hitch].kind != .null && row.text(.hitch) != ""
    builder.addListedHitch(
      ListedHitch(
        start: begin, length: end - begin, refreshInterval: interval,
        sourceLabel: isNamed ? string(.hitch, row, &builder) : nil),
      of: surface)
  }

  /// Counts a key that says what is left out.
  mutating func leaveOut(_ key: String) {
    if unknownKeys.count < 64 { unknownKeys.insert(key) }
  }

  /// Adds what a line says of a surface.
  mutating func addSurface(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let id = surfaces[surface(row, in: &builder)].id
    for extra in row.extras {
      let text = row.text(extra.value)
      switch key(of: extra, in: row) {
      case "tolerance":
        guard extra.value.kind == .number,
          let length = JSONNumber.integer(row.bytes(of: extra.value))
        else { throw LineFault("the tolerance is no number of nanoseconds", at: extra.value.start) }
        builder.setPresentationTolerance(TimeSpan(nanoseconds: length), of: id)
      case "grid": if text == "true" { builder.setOnRefreshGrid(id) }
      case "numbered": if text == "true" { builder.setNumbersEveryFrame(id) }
      case "basis": if let basis = Basis(rawValue: text) { builder.setBasis(basis, of: id) }
      default: break
      }
    }
  }

  private func outcome(_ row: borrowing LineRow) throws(LineFault) -> FrameOutcome {
    switch row.text(.outcome) {
    case nil, "": return .unknown
    case "presented", "presentedOnTime": return .presented
    case "dropped": return .dropped
    case "notRequested": return .notRequested
    default:
      throw LineFault(
        "the outcome is none of presented, presentedOnTime, dropped, notRequested",
        at: row[.outcome].start)
    }
  }
}
