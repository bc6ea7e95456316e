import ScrollTraceLayout
import ScrollTraceModel

/// Converts lines into the content of a trace.
struct LineRecords: ~Copyable {
  let process: ProcessID
  var tracks: [String: TrackID] = [:]
  var recentTracks = RecentValues<RecentTexts, TrackID>(count: 256)
  var surfaces: [LineSurface] = []
  var surfaceIndices: [String: Int] = [:]
  var recentSurfaces = RecentValues<RecentTexts, Int>(count: 256)
  var recentLabels = RecentValues<RecentTexts, LabelID>(count: 256)
  var unknownKeys: Set<String> = []
  var spans = SpanBatch()
  let categories: (work: StringID, frame: StringID, counter: StringID, item: StringID)
  /// Whether a header declares the end of the recording.
  var isEndDeclared = false
  private var count: UInt64 = 0
  private var faults = TableFaults()
  private(set) var lost = LostLines()
  /// The lines that were lost before the last frame.
  private var lostBeforeFrame = LostLines()

  init(_ builder: inout TraceBuilder) {
    process = builder.process(1)
    builder.setHost(process)
    categories = (
      builder.string("\(Vocabulary.Category.work)"), builder.string("\(Vocabulary.Category.frame)"),
      builder.string("\(Vocabulary.Category.counter)"), builder.string("\(Vocabulary.Key.item)")
    )
  }

  mutating func add(
    _ row: borrowing LineRow, of lines: borrowing LineReader, to builder: inout TraceBuilder
  ) {
    spans.growth = lines.growth
    do throws(LineFault) {
      try add(row, to: &builder)
    } catch {
      lose(error, row, of: lines, in: &builder)
    }
  }

  private mutating func add(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    var kind =
      row.present & (LineKey.kinds | LineKey.threadTime.bit | LineKey.threadState.bit)
    // Tables of frames had a column with that name before hitches could be listed.
    if kind != LineKey.hitch.bit, kind & LineKey.hitch.bit != 0 {
      kind &= ~LineKey.hitch.bit
      leaveOut("hitch")
    }
    switch kind {
    case LineKey.frame.bit: try addFrame(row, to: &builder)
    case LineKey.span.bit: try addSpan(row, to: &builder)
    case LineKey.mark.bit: try addMark(row, to: &builder)
    case LineKey.counter.bit: try addSample(row, to: &builder)
    case LineKey.interaction.bit: try addInteraction(row, to: &builder)
    case LineKey.state.bit: try addState(row, to: &builder)
    case LineKey.hitch.bit: try addHitch(row, to: &builder)
    case LineKey.threadTime.bit: try addThreadTime(row, to: &builder)
    case LineKey.threadState.bit: try addThreadState(row, to: &builder)
    case 0 where row.has(.thread):
      let track = track(row, in: &builder)
      if row.extras.contains(where: {
        detail(of: $0, in: row) == .complete && row.text($0.value) == "true"
      }) {
        builder.setCompletelyRecorded(track)
      }
    case 0 where row.has(.surface): try addSurface(row, to: &builder)
    case 0:
      throw LineFault(
        "it is not a frame, span, mark, counter, interaction, state, hitch, thread or surface",
        at: 0)
    default: throw LineFault("it has two kinds", at: 0)
    }
    count += 1
  }

  /// Counts a line as lost; `row` has what could be read of it.
  mutating func lose(
    _ fault: LineFault, _ row: borrowing LineRow, of lines: borrowing LineReader,
    in builder: inout TraceBuilder
  ) {
    faults.lose(fault, of: lines, in: &builder)
    lost.add(row)
    // Nobody knows what followed.
    if lines.isUnfinished { builder.keepsOnlyFirstEvents = true }
  }

  /// Adds a frame to its surface, and what was lost before it.
  private mutating func add(
    _ frame: Frame, isNumbered: Bool, to surface: Int, of builder: inout TraceBuilder
  ) {
    let id = surfaces[surface].id
    surfaces[surface].gaps.add(
      frame, isNumbered: isNumbered, of: id, lost: lost, to: &builder)
    lostBeforeFrame = lost
    builder.updateFrame(frame, of: id)
  }

  /// Adds the pending data, and reports omissions once for all lines.
  ///
  /// - Throws: An error if no line could be read.
  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    spans.flush(into: &builder)
    for index in surfaces.indices {
      surfaces[index].gaps.finish(
        surfaces[index].id, isEndLost: lost.frames != lostBeforeFrame.frames, in: &builder)
    }
    builder.putLaterSpansOutside(outermost: categories.frame)
    if !unknownKeys.isEmpty {
      let names = unknownKeys.sorted().prefix(8).joined(separator: ", ")
      builder.addNotice("unknown keys of frames or hitches, ignored: \(names)")
    }
    if !faults.isEmpty { try faults.finish(hasRows: count > 0, in: &builder) }
  }

  func setProcessName(_ name: String, in builder: inout TraceBuilder) {
    builder.setName(name, of: process)
  }

  // MARK: - Kinds

  private mutating func addSpan(_ row: borrowing LineRow, to builder: inout TraceBuilder)
    throws(LineFault)
  {
    let (begin, end) = try range(of: "the span", row)
    let label = label(.span, row, &builder)
    let track = track(row, in: &builder)
    guard let end else {
      builder.addOpenSpan(on: track, since: begin, label: label, item: item(row, &builder))
      builder.extend(to: begin)
      return
    }
    spans.select(track, of: &builder)
    spans.append(begin.nanoseconds, end.nanoseconds, label, arguments(row, &builder))
  }

  private mutating func addMark(_ row: borrowing LineRow, to builder: inout TraceBuilder)
    throws(LineFault)
  {
    let time = try time(of: "the mark", row)
    builder.addMark(
      on: track(row, in: &builder), at: time, label: label(.mark, row, &builder),
      arguments: arguments(row, &builder))
  }

  private func addSample(_ row: borrowing LineRow, to builder: inout TraceBuilder) throws(LineFault)
  {
    let time = try time(of: "the counter", row)
    let value = row[.value]
    guard row.has(.value), value.kind != .unescaped,
      let number = JSONNumber.double(row.bytes(of: value))
    else { throw LineFault("the counter has no value", at: 0) }
    let name = string(.counter, row, &builder)
    builder.addSample(number, of: builder.label(category: categories.counter, name: name), at: time)
  }

  private mutating func addInteraction(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let (begin, end) = try range(of: "the interaction", row)
    let kind = row.text(.interaction) ?? ""
    let surface = row.has(.surface) ? surfaces[surface(row, in: &builder)].id : nil
    builder.addInteraction(
      Interaction(
        kind: kind, name: row.text(.name) ?? "", start: begin, end: end, surface: surface))
  }

  private func addState(_ row: borrowing LineRow, to builder: inout TraceBuilder) throws(LineFault)
  {
    let time = try time(of: "the state", row)
    builder.addState(StateChange(time: time, key: row.text(.state) ?? "", value: row.text(.value)))
  }
}

extension LineRecords {
  /// Adds a frame, and its commit as a span of its thread.
  mutating func addFrame(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let surface = surface(row, in: &builder)
    surfaces[surface].frameCount += 1
    let count = surfaces[surface].frameCount
    let isNumbered = row[.frame].kind != .null
    var frame = try frame(isNumbered ? row.number(.frame) ?? count : count, row)
    var isSpan = true
    for extra in row.extras {
      switch detail(of: extra, in: row) {
      case .label where extra.value.kind != .null:
        frame.sourceLabel = string(extra.value, row, &builder)
      case .commitSpan: isSpan = row.text(extra.value) != "false"
      default: leaveOut(key(of: extra, in: row))
      }
    }
    // Without a declared end, a frame's target implies that the recording lasts until then.
    if !isEndDeclared, let target = frame.target { builder.extend(to: target) }
    guard isSpan else {
      // A frame without a thread is the display's own.
      if row.has(.thread) { frame.track = track(row, in: &builder) }
      return add(frame, isNumbered: isNumbered, to: surface, of: &builder)
    }
    if frame.commitStart == nil, let end = frame.commitEnd {
      // A begin after it is of another clock.
      frame.commitStart = frame.start.flatMap { $0 <= end ? $0 : nil }
    }
    if let start = frame.commitStart, let end = frame.commitEnd, start <= end {
      let track = track(row, in: &builder)
      frame.track = track
      spans.select(track, of: &builder)
      spans.append(start.nanoseconds, end.nanoseconds, surfaces[surface].commitLabel, .none)
    }
    add(frame, isNumbered: isNumbered, to: surface, of: &builder)
  }

  /// Returns the frame of a row with its times and its outcome.
  private func frame(_ id: UInt64, _ row: borrowing LineRow) throws(LineFault) -> Frame {
    var frame = Frame(id: id)
    frame.start = try time(.begin, row)
    frame.commitStart = try time(.commitStart, row)
    frame.commitEnd = try time(.commitEnd, or: .end, row)
    frame.deadline = try time(.deadline, row)
    frame.target = try time(.target, row)
    frame.presented = try time(.presented, row)
    frame.refreshInterval = try row.time(.interval).flatMap {
      $0 > 0 ? TimeSpan(nanoseconds: $0) : nil
    }
    if let length = try row.time(.duration) {
      let start = frame.commitStart ?? frame.start
      frame.commitStart = start
      frame.commitEnd = try end(start, length, row)
    }
    if let text = row.text(.outcome), !text.isEmpty {
      guard let said = Vocabulary.Outcome.meanings.first(where: { $0.word.description == text })
      else {
        throw LineFault(
          "the outcome must be presented, presentedOnTime, dropped or notRequested",
          at: row[.outcome].start)
      }
      (frame.outcome, frame.wasOnTime) = (said.outcome, said.wasOnTime)
    }
    return frame
  }

  /// Adds a hitch listed by the source; its surface is evaluated by such hitches alone.
  mutating func addHitch(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let (begin, end) = try range(of: "the hitch", row)
    guard let end else { throw LineFault("the hitch has neither end nor duration", at: 0) }
    let interval = try row.time(.interval).flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
    for extra in row.extras { leaveOut(key(of: extra, in: row)) }
    let surface = surfaces[surface(row, in: &builder)].id
    let isNamed = row[.hitch].kind != .null && row.text(.hitch) != ""
    builder.addListedHitch(
      ListedHitch(
        start: begin, length: end - begin, refreshInterval: interval,
        sourceLabel: isNamed ? string(.hitch, row, &builder) : nil), of: surface)
  }

  mutating func leaveOut(_ key: String) { if unknownKeys.count < 64 { unknownKeys.insert(key) } }

  mutating func addSurface(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let id = surfaces[surface(row, in: &builder)].id
    for extra in row.extras {
      let isSet = builder.set(detail(of: extra, in: row), to: row.text(extra.value), of: id)
      guard isSet else {
        throw LineFault("the tolerance is not a whole number", at: extra.value.start)
      }
    }
  }
}

/// The values of a line, converted to those of a trace.
extension LineRecords {
  func time(_ key: LineKey, _ row: borrowing LineRow) throws(LineFault) -> Timestamp? {
    guard let time = try row.time(key) else { return nil }
    guard let instant = Timestamp(nanoseconds: time) else {
      throw LineFault("\(key) is negative", at: row[key].start)
    }
    return instant
  }

  /// Returns a time that can have either of two keys.
  func time(
    _ key: LineKey, or other: LineKey, _ row: borrowing LineRow
  ) throws(LineFault) -> Timestamp? {
    try time(row.has(key) ? key : other, row)
  }

  /// Returns the time of `noun`, which a line with one time describes.
  private func time(of noun: String, _ row: borrowing LineRow) throws(LineFault) -> Timestamp {
    guard let time = try time(.at, or: .begin, row) else {
      throw LineFault("\(noun) has no time", at: 0)
    }
    return time
  }

  /// Returns the start and the end of `noun`, with a `nil` end if the line has none.
  func range(
    of noun: String, _ row: borrowing LineRow
  ) throws(LineFault) -> (start: Timestamp, end: Timestamp?) {
    guard let start = try time(.begin, or: .at, row) else {
      throw LineFault("\(noun) has no start", at: 0)
    }
    var end = try time(.end, row)
    if let length = try row.time(.duration) { end = try self.end(start, length, row) }
    if let end, end < start { throw LineFault("\(noun) ends before it starts", at: 0) }
    return (start, end)
  }

  /// Returns the end of something with this duration, or `nil` if its start is unknown.
  func end(
    _ start: Timestamp?, _ length: Int64, _ row: borrowing LineRow
  ) throws(LineFault) -> Timestamp? {
    guard let start else { return nil }
    guard length >= 0, let end = start.nanoseconds.plus(length) else {
      throw LineFault("the duration is negative or too long", at: 0)
    }
    return Timestamp(nanoseconds: end)
  }

  func string(_ key: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder) -> StringID {
    string(row[key], row, &builder)
  }

  func string(
    _ value: LineRow.Value, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> StringID {
    guard value.kind != .unescaped else { return builder.string(row.unescaped[value.start]) }
    return builder.string(row.bytes(of: value).assumingMemoryBound(to: UInt8.self))
  }

  func item(_ row: borrowing LineRow, _ builder: inout TraceBuilder) -> ArgumentValue? {
    row.has(.item) ? argument(row[.item], row, &builder) : nil
  }

  /// Returns the arguments of a span or mark, in the order of the line.
  func arguments(_ row: borrowing LineRow, _ builder: inout TraceBuilder) -> ArgumentListID {
    guard row.has(.item) || !row.extras.isEmpty else { return .none }
    var list: [Argument] = []
    for extra in row.extras {
      list.append(
        Argument(
          key: builder.string(LineArgument.name(of: key(of: extra, in: row))),
          value: argument(extra.value, row, &builder)))
    }
    if let item = item(row, &builder) {
      // The first argument with that name is the item.
      let other = list.firstIndex { $0.key == categories.item && $0.value != .null }
      list.insert(
        Argument(key: categories.item, value: item), at: min(row.itemIndex, other ?? .max))
    }
    return builder.argumentList(list)
  }

  private func argument(
    _ value: LineRow.Value, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> ArgumentValue {
    switch value.kind {
    case .null: return .null
    case .bool: return .bool(value.count == 4)
    case .text, .unescaped: return .string(string(value, row, &builder))
    case .number: return JSONNumber.argument(row.bytes(of: value))
    }
  }

  func key(of extra: LineRow.Extra, in row: borrowing LineRow) -> String {
    extra.key.kind == .null ? row.headers[extra.key.start] : row.text(extra.key)
  }

  /// Returns the meaning of an unknown key in a line that holds no arguments.
  private func detail(of extra: LineRow.Extra, in row: borrowing LineRow) -> LineDetail? {
    LineDetail(rawValue: key(of: extra, in: row))
  }
}
