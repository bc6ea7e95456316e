import ScrollTraceFormat
import ScrollTraceModel

/// Turns lines into what a trace is made of.
struct LineRecords: ~Copyable {
  private let process: ProcessID
  private var tracks: [String: TrackID] = [:]
  private var recentTracks = RecentNames<TrackID>()
  private var surfaces: [LineSurface] = []
  private var surfaceIndices: [String: Int] = [:]
  private var recentSurfaces = RecentNames<Int>()
  private var recentLabels = RecentNames<LabelID>()
  private var unknownFrameKeys: Set<String> = []
  private var spans = SpanBatch()
  private let categories: (work: StringID, frame: StringID, counter: StringID, item: StringID)
  /// How many lines were taken.
  private(set) var count: UInt64 = 0

  /// Records of one process.
  init(_ builder: inout TraceBuilder) {
    process = builder.process(1)
    builder.setHost(process)
    categories = (
      builder.string("\(Vocabulary.Category.work)"),
      builder.string("\(Vocabulary.Category.frame)"),
      builder.string("\(Vocabulary.Category.counter)"), builder.string("\(Vocabulary.Key.item)")
    )
  }

  /// Adds what a line says.
  ///
  /// - Parameter growth: How many times as long as the part that was read the whole source is.
  mutating func add(
    _ row: borrowing LineRow, growth: Double, to builder: inout TraceBuilder
  ) throws(LineFault) {
    spans.growth = growth
    let kinds: UInt32 =
      LineKey.frame.bit | LineKey.span.bit | LineKey.mark.bit | LineKey.counter.bit
      | LineKey.interaction.bit | LineKey.state.bit
    switch row.present & kinds {
    case LineKey.frame.bit: try addFrame(row, to: &builder)
    case LineKey.span.bit: try addSpan(row, to: &builder)
    case LineKey.mark.bit: try addMark(row, to: &builder)
    case LineKey.counter.bit: try addSample(row, to: &builder)
    case LineKey.interaction.bit: try addInteraction(row, to: &builder)
    case LineKey.state.bit: try addState(row, to: &builder)
    case 0 where row.has(.thread):
      let track = track(row, in: &builder)
      if row.extras.contains(where: {
        key(of: $0, in: row) == "complete" && row.text($0.value) == "true"
      }) {
        builder.setCompletelyRecorded(track)
      }
    case 0 where row.has(.surface): try addSurface(row, to: &builder)
    case 0:
      throw LineFault(
        "it is no frame, span, mark, counter, interaction, state, thread or surface", at: 0)
    default: throw LineFault("it is two things at once", at: 0)
    }
    count += 1
  }

  /// Adds what is still to be added, and says what was left out, once for all lines.
  mutating func finish(in builder: inout TraceBuilder) {
    spans.flush(into: &builder)
    guard !unknownFrameKeys.isEmpty else { return }
    let names = unknownFrameKeys.sorted().prefix(8).joined(separator: ", ")
    builder.addNotice(.source("frames say more than is understood, which is left out: \(names)"))
  }

  // MARK: - Kinds

  private mutating func addFrame(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    let surface = surface(row, in: &builder)
    surfaces[surface].frameCount += 1
    let count = surfaces[surface].frameCount
    let isNumbered = row[.frame].kind != .null
    var frame = Frame(id: isNumbered ? try row.number(.frame) ?? count : count)
    frame.begin = try time(.begin, row)
    frame.commitStart = try time(.commitStart, row)
    frame.commitEnd = try time(.commitEnd, or: .end, row)
    frame.deadline = try time(.deadline, row)
    frame.target = try time(.target, row)
    frame.presented = try time(.presented, row)
    frame.interval = try row.time(.interval).flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
    if let length = try row.time(.duration) {
      let start = frame.commitStart ?? frame.begin
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
      case let key: if unknownFrameKeys.count < 64 { unknownFrameKeys.insert(key) }
      }
    }
    guard isSpan else {
      if frame.commitEnd != nil || row.has(.thread) { frame.track = track(row, in: &builder) }
      return builder.updateFrame(frame, of: surfaces[surface].id)
    }
    if frame.commitStart == nil, frame.commitEnd != nil { frame.commitStart = frame.begin }
    if let start = frame.commitStart, let end = frame.commitEnd, start <= end {
      let track = track(row, in: &builder)
      frame.track = track
      spans.select(track, of: &builder)
      spans.append(
        start.nanoseconds, end.nanoseconds, surfaces[surface].commitLabel, .none)
    }
    builder.updateFrame(frame, of: surfaces[surface].id)
  }

  /// Adds what a line says of a surface.
  private mutating func addSurface(
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

  /// Names the process.
  func setProcessName(_ name: String, in builder: inout TraceBuilder) {
    builder.setName(name, of: process)
  }

  private mutating func addSpan(_ row: borrowing LineRow, to builder: inout TraceBuilder)
    throws(LineFault)
  {
    guard let begin = try time(.begin, or: .at, row) else {
      throw LineFault("the span has no begin", at: 0)
    }
    var end = try time(.end, row)
    if let length = try row.time(.duration) { end = try self.end(begin, length, row) }
    let label = label(.span, row, &builder)
    let track = track(row, in: &builder)
    guard let end else {
      builder.addOpenSpan(on: track, since: begin, label: label, item: item(row, &builder))
      builder.extend(to: begin)
      return
    }
    guard end >= begin else { throw LineFault("the span ends before it begins", at: 0) }
    spans.select(track, of: &builder)
    spans.append(begin.nanoseconds, end.nanoseconds, label, arguments(row, &builder))
  }

  private mutating func addMark(_ row: borrowing LineRow, to builder: inout TraceBuilder)
    throws(LineFault)
  {
    guard let time = try time(.at, or: .begin, row) else {
      throw LineFault("the mark has no time", at: 0)
    }
    builder.addMark(
      on: track(row, in: &builder), at: time, label: label(.mark, row, &builder),
      arguments: arguments(row, &builder))
  }

  private func addSample(_ row: borrowing LineRow, to builder: inout TraceBuilder) throws(LineFault)
  {
    guard let time = try time(.at, or: .begin, row) else {
      throw LineFault("the counter has no time", at: 0)
    }
    let value = row[.value]
    guard row.has(.value), value.kind != .unescaped,
      let number = JSONNumber.double(row.bytes(of: value))
    else { throw LineFault("the counter has no value", at: 0) }
    let name = string(.counter, row, &builder)
    builder.addSample(
      number, of: builder.label(category: categories.counter, name: name), at: time)
  }

  private mutating func addInteraction(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    guard let begin = try time(.begin, or: .at, row) else {
      throw LineFault("the interaction has no begin", at: 0)
    }
    var end = try time(.end, row)
    if let length = try row.time(.duration) { end = try self.end(begin, length, row) }
    if let end, end < begin {
      throw LineFault("the interaction ends before it begins", at: 0)
    }
    let kind = row.text(.interaction) ?? ""
    let surface = row.has(.surface) ? surfaces[surface(row, in: &builder)].id : nil
    builder.addInteraction(
      Interaction(
        kind: kind, name: row.text(.name) ?? "", begin: begin, end: end, surface: surface))
  }

  private func addState(_ row: borrowing LineRow, to builder: inout TraceBuilder) throws(LineFault)
  {
    guard let time = try time(.at, or: .begin, row) else {
      throw LineFault("the state has no time", at: 0)
    }
    builder.addState(
      StateChange(time: time, key: row.text(.state) ?? "", value: row.text(.value)))
  }

  // MARK: - Parts

  private func time(_ key: LineKey, _ row: borrowing LineRow) throws(LineFault) -> Timestamp? {
    guard let time = try row.time(key) else { return nil }
    guard let instant = Timestamp(nanoseconds: time) else {
      throw LineFault("\(key) is negative", at: row[key].start)
    }
    return instant
  }

  private func time(
    _ key: LineKey, or other: LineKey, _ row: borrowing LineRow
  ) throws(LineFault) -> Timestamp? {
    try time(row.has(key) ? key : other, row)
  }

  private func end(
    _ begin: Timestamp?, _ length: Int64, _ row: borrowing LineRow
  ) throws(LineFault) -> Timestamp? {
    guard let begin else { return nil }
    let (end, overflow) = begin.nanoseconds.addingReportingOverflow(length)
    guard !overflow, length >= 0, let instant = Timestamp(nanoseconds: end) else {
      throw LineFault("the duration is negative or too long", at: 0)
    }
    return instant
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

  private func string(
    _ key: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> StringID {
    string(row[key], row, &builder)
  }

  private func string(
    _ value: LineRow.Value, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> StringID {
    guard value.kind != .unescaped else { return builder.string(row.unescaped[value.start]) }
    return builder.string(row.bytes(of: value).assumingMemoryBound(to: UInt8.self))
  }

  private mutating func label(
    _ name: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> LabelID {
    let hasCategory = row.has(.category)
    guard let bytes = row.plainBytes(name),
      let category = hasCategory ? row.plainBytes(.category) : .text(Vocabulary.Category.work)
    else { return newLabel(name, row, &builder) }
    if let label = recentLabels.find(bytes, category) { return label }
    let label = newLabel(name, row, &builder)
    recentLabels.keep(label, for: bytes, category)
    return label
  }

  private func newLabel(
    _ name: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> LabelID {
    let category = row.has(.category) ? string(.category, row, &builder) : categories.work
    return builder.label(category: category, name: string(name, row, &builder))
  }

  private func item(_ row: borrowing LineRow, _ builder: inout TraceBuilder) -> ArgumentValue? {
    row.has(.item) ? argument(row[.item], row, &builder) : nil
  }

  private func arguments(_ row: borrowing LineRow, _ builder: inout TraceBuilder) -> ArgumentListID
  {
    guard row.has(.item) || !row.extras.isEmpty else { return .none }
    var list: [Argument] = []
    if let item = item(row, &builder) { list.append(Argument(key: categories.item, value: item)) }
    for extra in row.extras {
      list.append(
        Argument(
          key: builder.string(argumentName(of: extra, in: row)),
          value: argument(extra.value, row, &builder))
      )
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
    case .number:
      let bytes = row.bytes(of: value)
      if let number = JSONNumber.integer(bytes) {
        return number >= 0 ? .unsigned(UInt64(number)) : .integer(number)
      }
      if let number = JSONNumber.unsigned(bytes) { return .unsigned(number) }
      return JSONNumber.double(bytes).map(ArgumentValue.double) ?? .null
    }
  }

  private func key(of extra: LineRow.Extra, in row: borrowing LineRow) -> String {
    extra.key.kind == .null ? row.headers[extra.key.start] : row.text(extra.key)
  }

  /// The name of an argument: behind `arg:` it may be one of our keys.
  private func argumentName(of extra: LineRow.Extra, in row: borrowing LineRow) -> String {
    let key = key(of: extra, in: row)
    return key.hasPrefix("arg:") ? String(key.dropFirst(4)) : key
  }

  // MARK: - Threads and surfaces

  /// The index of the surface a line names, `display` where it names none.
  private mutating func surface(
    _ row: borrowing LineRow, in builder: inout TraceBuilder
  ) -> Int {
    let bytes = row.has(.surface) ? row.plainBytes(.surface) : .text("display")
    if let bytes, let index = recentSurfaces.find(bytes) { return index }
    let name = row.text(.surface) ?? "display"
    let index = surfaceIndices[name] ?? surfaces.count
    if index == surfaces.count {
      let label = builder.label(category: categories.frame, name: builder.string(name))
      surfaces.append(LineSurface(id: builder.surface(name), commitLabel: label))
      surfaceIndices[name] = index
    }
    if let bytes { recentSurfaces.keep(index, for: bytes) }
    return index
  }

  /// The track a line names, `main` where it names none.
  private mutating func track(
    _ row: borrowing LineRow, in builder: inout TraceBuilder
  ) -> TrackID {
    let bytes = row.has(.thread) ? row.plainBytes(.thread) : .text("main")
    let isPlain = !row.has(.main)
    if isPlain, let bytes, let id = recentTracks.find(bytes) { return id }
    let name = row.text(.thread) ?? "main"
    let id: TrackID
    if let known = tracks[name] {
      id = known
    } else {
      let number = (try? row.number(.id)) ?? nil
      id = builder.track(number ?? UInt64(tracks.count + 1), of: process)
      builder.setName(name, of: id)
      if name == "main", row.text(.main) != "false" { builder.setMain(id) }
      tracks[name] = id
    }
    if row.text(.main) == "true" || row.text(.main) == "1" { builder.setMain(id) }
    if isPlain, let bytes { recentTracks.keep(id, for: bytes) }
    return id
  }
}

/// A surface that lines name.
private struct LineSurface {
  var id: SurfaceID
  /// The label of the spans that its commits are.
  var commitLabel: LabelID
  /// How many frames it has, which numbers those without a number.
  var frameCount: UInt64 = 0
}

extension UnsafeRawBufferPointer {
  /// The bytes of a text that is in the program.
  @inline(__always)
  fileprivate static func text(_ text: StaticString) -> UnsafeRawBufferPointer? {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
