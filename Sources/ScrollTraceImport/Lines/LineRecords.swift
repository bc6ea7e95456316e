import ScrollTraceLayout
import ScrollTraceModel

/// Turns lines into what a trace is made of.
struct LineRecords: ~Copyable {
  let process: ProcessID
  var tracks: [String: TrackID] = [:]
  var recentTracks = RecentNames<TrackID>()
  var surfaces: [LineSurface] = []
  var surfaceIndices: [String: Int] = [:]
  var recentSurfaces = RecentNames<Int>()
  var recentLabels = RecentNames<LabelID>()
  var unknownKeys: Set<String> = []
  var spans = SpanBatch()
  let categories: (work: StringID, frame: StringID, counter: StringID, item: StringID)
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
      | LineKey.interaction.bit | LineKey.state.bit | LineKey.hitch.bit
    var kind = row.present & kinds
    // Tables of frames have had a column of that name since before hitches could be listed.
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
        "it is no frame, span, mark, counter, interaction, state, hitch, thread or surface", at: 0)
    default: throw LineFault("it is two things at once", at: 0)
    }
    count += 1
  }

  /// Adds what is still to be added, and says what was left out, once for all lines.
  mutating func finish(in builder: inout TraceBuilder) {
    spans.flush(into: &builder)
    guard !unknownKeys.isEmpty else { return }
    let names = unknownKeys.sorted().prefix(8).joined(separator: ", ")
    builder.addNotice(
      .source("frames or hitches say more than is understood, which is left out: \(names)"))
  }

  /// Names the process.
  func setProcessName(_ name: String, in builder: inout TraceBuilder) {
    builder.setName(name, of: process)
  }

  // MARK: - Kinds

  private mutating func addSpan(_ row: borrowing LineRow, to builder: inout TraceBuilder)
    throws(LineFault)
  {
    guard let begin = try time(.start, or: .at, row) else {
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
    guard let time = try time(.at, or: .start, row) else {
      throw LineFault("the mark has no time", at: 0)
    }
    builder.addMark(
      on: track(row, in: &builder), at: time, label: label(.mark, row, &builder),
      arguments: arguments(row, &builder))
  }

  private func addSample(_ row: borrowing LineRow, to builder: inout TraceBuilder) throws(LineFault)
  {
    guard let time = try time(.at, or: .start, row) else {
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
    guard let begin = try time(.start, or: .at, row) else {
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
        kind: kind, name: row.text(.name) ?? "", start: begin, end: end, surface: surface))
  }

  private func addState(_ row: borrowing LineRow, to builder: inout TraceBuilder) throws(LineFault)
  {
    guard let time = try time(.at, or: .start, row) else {
      throw LineFault("the state has no time", at: 0)
    }
    builder.addState(
      StateChange(time: time, key: row.text(.state) ?? "", value: row.text(.value)))
  }
}
