import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as events, one per line.
struct ChromeJSONWriter: TraceWriter, ~Copyable {
  let trace: Trace
  private var output: ExportOutput
  private(set) var leftOut = ExportOmissions()
  private var names: WrittenTexts
  /// The members of events for the category and name of a label.
  private var labels: WrittenTexts
  /// The members of an event for each track and its process, up to the time.
  private let tracks: [[UInt8]]
  /// The same for events without a track.
  private let anyTrack: [UInt8]
  private let numbers: SmallNumbers
  private var isFirst = true
  private var hasArguments = false
  /// The last list of arguments in which each name occurred.
  private var lists: [UInt32]
  private var listCount: UInt32 = 0
  /// The ID of the next asynchronous event. Each has its own.
  private var nextID: UInt64 = 1

  init(_ trace: Trace, _ output: consuming ExportOutput) {
    self.trace = trace
    self.output = output
    names = WrittenTexts(trace.strings, ExportOutput.quoted)
    labels = WrittenTexts(trace, Self.members)
    let numbers = SmallNumbers(trace)
    self.numbers = numbers
    lists = Array(repeating: 0, count: trace.strings.count)
    func track(_ process: Int64, _ thread: Int64) -> [UInt8] {
      Array("\",\"pid\":\(process),\"tid\":\(thread),\"ts\":".utf8)
    }
    let tracks = trace.tracks.indices.map {
      track(numbers.processes[trace.tracks[$0].process.index], numbers.threads[$0])
    }
    self.tracks = tracks
    let any = trace.mainTrack ?? trace.numberedTracks.first?.id
    anyTrack = any.map { tracks[$0.index] } ?? track(1, 1)
  }

  consuming func finish() -> ExportOutput { output }

  private static func members(category: String, name: String) -> [UInt8] {
    Array(",\"cat\":".utf8) + ExportOutput.quoted(category) + Array(",\"name\":".utf8)
      + ExportOutput.quoted(name)
  }

  /// Writes everything that events can represent, and counts the rest.
  mutating func writeAll() {
    output.append("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
    writeNames()
    for surface in trace.surfaces { writeFrames(of: surface) }
    for interaction in trace.interactions { write(interaction) }
    for change in trace.states { write(change) }
    for (id, track) in trace.numberedTracks { write(track.spans, on: id) }
    for span in trace.openSpans { write(span) }
    for span in trace.asyncSpans {
      write(span.range, span.arguments, of: trace.arguments, on: span.track) {
        $0.labels.append(span.label, to: &$0.output)
      }
    }
    for mark in trace.marks {
      begin("i", mark.label, on: mark.track, at: mark.time)
      output.append(",\"s\":\"t\"")
      end(mark.arguments, of: trace.arguments)
    }
    for counter in trace.counters { write(counter) }
    for point in trace.flows { write(point) }
    output.append("\n]}\n")
    leftOut.add(.threadState, trace.tracks.reduce(0) { $0 + $1.threadStates.count })
    leftOut.addSurfaces(of: trace)
    leftOut.addFacts(about: trace)
    leftOut.add(.changedName, numbers.changedCount)
  }

  // MARK: - Events

  /// Starts an event, up to its category and name.
  private mutating func begin(_ phase: StaticString, on track: TrackID?, at time: Timestamp) {
    separate()
    output.append("{\"ph\":\"")
    output.append(phase)
    output.append(track.map { tracks[$0.index] } ?? anyTrack)
    output.append(microseconds: time.nanoseconds)
    hasArguments = false
  }

  /// Starts an event, up to its arguments.
  private mutating func begin(
    _ phase: StaticString, _ label: LabelID, on track: TrackID, at time: Timestamp
  ) {
    begin(phase, on: track, at: time)
    labels.append(label, to: &output)
  }

  /// Starts an event, up to its arguments.
  private mutating func begin(
    _ phase: StaticString, _ members: [UInt8], on track: TrackID?, at time: Timestamp
  ) {
    begin(phase, on: track, at: time)
    output.append(members)
  }

  /// Ends the line of the previous event.
  private mutating func separate() {
    isFirst ? output.append("\n") : output.append(",\n")
    isFirst = false
  }

  private mutating func end(_ list: ArgumentListID, of table: ArgumentTable) {
    guard list != .none else { return output.append("}") }
    listCount &+= 1
    output.append(",\"args\":{")
    table.forEach(in: list) { argument in
      let key = Int(argument.key.rawValue)
      // Of two members with the same name, readers keep one.
      guard key >= lists.count || lists[key] != listCount else { return leftOut.add(.argument) }
      if hasArguments { output.append(UInt8(ascii: ",")) }
      hasArguments = true
      if key < lists.count { lists[key] = listCount }
      names.append(argument.key, to: &output)
      output.append(UInt8(ascii: ":"))
      output.appendJSON(argument.value, &names)
    }
    output.append("}}")
  }

  /// Appends the name of an argument, whose value must follow.
  private mutating func addArgument(_ key: Vocabulary.Key) { addArgument(key.description) }

  private mutating func addArgument(_ key: String) {
    hasArguments ? output.append(",\"") : output.append(",\"args\":{\"")
    hasArguments = true
    output.append(text: key)
    output.append("\":")
  }

  private mutating func end() { hasArguments ? output.append("}}") : output.append("}") }

  private mutating func appendHexadecimal(_ number: UInt64) {
    output.append("\"0x")
    let digits: StaticString = "0123456789abcdef"
    let count = max(1, (67 - number.leadingZeroBitCount) / 4)
    for digit in stride(from: count - 1, through: 0, by: -1) {
      output.append(digits.utf8Start[Int(number >> UInt64(digit * 4) & 15)])
    }
    output.append("\"")
  }

  /// Appends the ID of an asynchronous event.
  private mutating func appendID() {
    output.append(",\"id2\":{\"local\":")
    appendHexadecimal(nextID)
    output.append("}")
  }

  // MARK: - Processes and threads

  private mutating func writeNames() {
    for (index, process) in trace.processes.enumerated() where !process.name.isEmpty {
      writeName("process_name", process.name, numbers.processes[index], 0)
    }
    for (index, track) in trace.tracks.enumerated() where !track.name.isEmpty {
      writeName(
        "thread_name", track.name, numbers.processes[track.process.index], numbers.threads[index])
    }
  }

  private mutating func writeName(
    _ kind: StaticString, _ name: String, _ process: Int64, _ thread: Int64
  ) {
    separate()
    output.append("{\"ph\":\"M\",\"pid\":")
    output.append(decimal: process)
    output.append(",\"tid\":")
    output.append(decimal: thread)
    output.append(",\"ts\":0,\"name\":\"")
    output.append(kind)
    output.append("\",\"args\":{\"name\":")
    output.appendJSON(name)
    output.append("}}")
  }

  // MARK: - Spans

  private mutating func write(_ spans: SpanColumns, on track: TrackID) {
    var crossing = NonNestedSpans()
    var times = ChromeSpanCPUTimes(trace.tracks[track.index].threadTimes)
    defer { leftOut.add(.threadTime, times.omittedCount) }
    let arguments = trace.arguments
    for span in spans {
      if crossing.cross(span.range) {
        // Viewers drop a span that overlaps the end of the one around it.
        leftOut.add(.crossingSpan)
        let members = Self.members(
          category: trace.overlapCategory(of: span.label), name: trace.name(of: span.label))
        write(span.range, span.arguments, of: arguments, on: track) { $0.output.append(members) }
      } else {
        begin("X", span.label, on: track, at: span.range.start)
        output.append(",\"dur\":")
        output.append(microseconds: span.range.length.nanoseconds)
        if let (start, length) = times.consume(span.range) {
          output.append(",\"tts\":")
          output.append(microseconds: start)
          output.append(",\"tdur\":")
          output.append(microseconds: length)
        }
        end(span.arguments, of: arguments)
      }
      guard !output.hasFailed else { return }
    }
  }

  /// Writes an asynchronous span, of whose two events `appendName` appends the category and name.
  private mutating func write(
    _ range: TimeRange, _ list: ArgumentListID, of table: ArgumentTable, on track: TrackID,
    _ appendName: (inout Self) -> Void
  ) {
    begin("b", on: track, at: range.start)
    appendName(&self)
    appendID()
    end(list, of: table)
    begin("e", on: track, at: range.end)
    appendName(&self)
    appendID()
    output.append("}")
    nextID += 1
  }

  private mutating func write(_ span: OpenSpan) {
    begin("B", span.label, on: span.track, at: span.since)
    if let item = span.item {
      addArgument(.item)
      output.appendJSON(item, &names)
    }
    end()
  }

  // MARK: - Frames

  private mutating func writeFrames(of surface: Surface) {
    if !surface.frames.isEmpty { writeProperties(of: surface) }
    let members = Self.members(
      category: Vocabulary.Category.frame.description, name: surface.name)
    for index in 0..<surface.frames.count {
      write(surface.frames[index], members)
      guard !output.hasFailed else { return }
    }
    let hitchMembers = Self.members(
      category: Vocabulary.Category.hitch.description, name: surface.name)
    for hitch in surface.listedHitches {
      beginAsync(hitchMembers, from: hitch.start)
      add(.interval, hitch.refreshInterval?.nanoseconds)
      addLabel(hitch.sourceLabel)
      endAsync(hitchMembers, at: hitch.start + hitch.length)
    }
  }

  private mutating func writeProperties(of surface: Surface) {
    let members = Self.members(
      category: Vocabulary.Category.surface.description, name: surface.name)
    begin("i", members, on: nil, at: trace.range.start)
    output.append(",\"s\":\"p\"")
    for property in surface.properties() {
      addArgument(property.key.rawValue)
      property.key == .basis ? output.appendJSON(property.text) : output.append(text: property.text)
    }
    end()
  }

  private mutating func write(_ frame: Frame, _ members: [UInt8]) {
    guard let range = frame.shownRange else { return }
    beginAsync(members, on: frame.track, from: range.start)
    addArgument(.frame)
    output.append(decimal: frame.id)
    frame.forEachKeyedTime { add($0, $1) }
    if let word = frame.outcomeWord {
      addArgument(.outcome)
      output.append(UInt8(ascii: "\""))
      output.append(word)
      output.append(UInt8(ascii: "\""))
    }
    addLabel(frame.sourceLabel)
    endAsync(members, on: frame.track, at: range.end)
  }

  private mutating func add(_ key: Vocabulary.Key, _ time: Int64?) {
    guard let time else { return }
    addArgument(key)
    output.append(microseconds: time)
  }

  private mutating func addLabel(_ label: StringID?) {
    guard let label else { return }
    addArgument(.label)
    names.append(label, to: &output)
  }

  /// Starts an asynchronous event, up to its arguments.
  private mutating func beginAsync(
    _ members: [UInt8], on track: TrackID? = nil, from start: Timestamp
  ) {
    begin("b", members, on: track, at: start)
    appendID()
  }

  /// Ends an asynchronous event after its arguments.
  private mutating func endAsync(
    _ members: [UInt8], on track: TrackID? = nil, at end: Timestamp?
  ) {
    self.end()
    if let end {
      begin("e", members, on: track, at: end)
      appendID()
      output.append("}")
    }
    nextID += 1
  }

  // MARK: - Others

  private mutating func write(_ interaction: Interaction) {
    let members = Self.members(
      category: Vocabulary.Category.interaction.description, name: interaction.kind)
    beginAsync(members, from: interaction.start)
    if !interaction.name.isEmpty {
      addArgument("name")
      output.appendJSON(interaction.name)
    }
    if let surface = interaction.surface {
      addArgument(.surface)
      output.appendJSON(trace.surfaces[surface.index].name)
    }
    endAsync(members, at: interaction.end)
  }

  private mutating func write(_ change: StateChange) {
    let members = Self.members(
      category: Vocabulary.Category.state.description, name: change.key)
    begin("i", members, on: nil, at: change.time)
    output.append(",\"s\":\"p\"")
    if let value = change.value {
      addArgument(.value)
      output.appendJSON(value)
    }
    end()
  }

  private mutating func write(_ counter: Counter) {
    for (time, value) in zip(counter.times, counter.values) {
      guard value.isFinite else {
        leftOut.add(.sample)
        continue
      }
      begin("C", on: nil, at: Timestamp(clamping: time))
      labels.append(counter.label, to: &output)
      if counter.id != 0 {
        output.append(",\"id\":")
        appendHexadecimal(counter.id)
      }
      output.append(",\"args\":{")
      names.append(counter.series, to: &output)
      output.append(":")
      output.append(value)
      output.append("}}")
      guard !output.hasFailed else { return }
    }
  }

  private mutating func write(_ point: FlowPoint) {
    let phase: StaticString =
      switch point.kind {
      case .start: "s"
      case .step: "t"
      case .end: "f"
      }
    begin(phase, point.label, on: point.track, at: point.time)
    output.append(",\"id\":")
    appendHexadecimal(point.id)
    output.append(",\"bp\":\"e\"}")
  }
}

/// Finds the spans of a thread that overlap the end of a span around them.
///
/// Formats whose threads are stacks cannot represent them there.
struct NonNestedSpans {
  /// The ends of the spans around the next one, outermost first.
  private var ends: [Int64] = []

  /// Returns whether the thread's next span, in order of start, overlaps. Such a span contains no
  /// others.
  mutating func cross(_ range: TimeRange) -> Bool {
    let (begin, end) = (range.start.nanoseconds, range.end.nanoseconds)
    while let last = ends.last, last <= begin { ends.removeLast() }
    if let last = ends.last, end > last { return true }
    ends.append(end)
    return false
  }
}
