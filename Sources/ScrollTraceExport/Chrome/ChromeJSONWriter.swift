import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as events, one per line.
struct ChromeJSONWriter {
  let trace: Trace
  private(set) var output: ExportOutput
  var leftOut = ExportOmissions()
  private var names: QuotedNames
  private let numbers: SmallNumbers
  /// The track of events without their own, or `nil` if the trace has no track.
  private let anyTrack: TrackID?
  private var isFirst = true
  /// The ID of the next asynchronous event. Each has its own.
  private var nextID: UInt64 = 1

  /// Creates a writer of `trace`.
  init(_ trace: Trace, _ output: ExportOutput) {
    self.trace = trace
    self.output = output
    names = QuotedNames(trace)
    numbers = SmallNumbers(trace)
    anyTrack = trace.mainTrack ?? trace.numberedTracks.first?.id
  }

  /// Writes everything that events can represent, and counts the rest.
  mutating func writeAll() {
    output.append("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
    writeNames()
    writeFrames()
    for interaction in trace.interactions { write(interaction) }
    for change in trace.states { write(change) }
    for (id, track) in trace.numberedTracks { write(track.spans, on: id) }
    for span in trace.openSpans { write(span) }
    for span in trace.asyncSpans { write(span.range, span.label, span.arguments, on: span.track) }
    for mark in trace.marks {
      begin("i", names: trace.labels[mark.label], on: mark.track, at: mark.time)
      output.append(",\"s\":\"t\"")
      end(mark.arguments)
    }
    for counter in trace.counters { write(counter) }
    for point in trace.flows { write(point) }
    output.append("\n]}\n")
    leftOut.add(.threadState, trace.tracks.reduce(0) { $0 + $1.threadStates.count })
    leftOut.add(.loss, trace.losses.count)
    leftOut.add(.aggregate, trace.aggregates.count)
    leftOut.add(.notice, trace.notices.count { $0.isOfSource })
    leftOut.add(.changedName, numbers.changedCount)
  }

  // MARK: - Events

  /// Starts an event, up to its arguments.
  private mutating func begin(
    _ phase: StaticString, _ category: [UInt8], _ name: [UInt8], on track: TrackID?,
    at time: Timestamp
  ) {
    output.append(isFirst ? "\n" : ",\n")
    isFirst = false
    output.append("{\"ph\":\"\(phase)\",\"pid\":\(process(of: track)),\"tid\":\(thread(of: track))")
    output.append(",\"ts\":")
    append(time.nanoseconds)
    output.append(",\"cat\":")
    output.append(category)
    output.append(",\"name\":")
    output.append(name)
  }

  private mutating func begin(
    _ phase: StaticString, names label: Label, on track: TrackID, at time: Timestamp
  ) {
    begin(phase, names[label.category], names[label.name], on: track, at: time)
  }

  /// Appends a time in microseconds, which is exact.
  private mutating func append(_ nanoseconds: Int64) {
    output.append(Self.microseconds(nanoseconds))
  }

  private static func microseconds(_ nanoseconds: Int64) -> String {
    let fraction = String(1000 + nanoseconds % 1000).dropFirst()
    return "\(nanoseconds / 1000).\(fraction)"
  }

  /// Ends an event with its arguments, if any.
  private mutating func end(_ list: ArgumentListID) {
    guard list != .none else { return output.append("}") }
    var seen: Set<StringID> = []
    output.append(",\"args\":{")
    for argument in trace.arguments[list] {
      // Of two members with the same name, readers keep one.
      guard !seen.contains(argument.key) else {
        leftOut.add(.argument)
        continue
      }
      if !seen.isEmpty { output.append(UInt8(ascii: ",")) }
      seen.insert(argument.key)
      output.append(names[argument.key])
      output.append(UInt8(ascii: ":"))
      output.appendJSON(argument.value, &names)
    }
    output.append("}}")
  }

  /// Ends an event with arguments that are already JSON.
  private mutating func end(_ arguments: [(name: String, value: [UInt8])]) {
    guard !arguments.isEmpty else { return output.append("}") }
    output.append(",\"args\":{")
    for (index, argument) in arguments.enumerated() {
      output.append("\(index > 0 ? "," : "")\"\(argument.name)\":")
      output.append(argument.value)
    }
    output.append("}}")
  }

  private func process(of track: TrackID?) -> Int64 {
    guard let track = track ?? anyTrack else { return 1 }
    return numbers.processes[trace.tracks[track.index].process.index]
  }

  private func thread(of track: TrackID?) -> Int64 {
    guard let track = track ?? anyTrack else { return 1 }
    return numbers.threads[track.index]
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
    output.append(isFirst ? "\n" : ",\n")
    isFirst = false
    output.append(
      "{\"ph\":\"M\",\"pid\":\(process),\"tid\":\(thread),\"ts\":0,\"name\":\"\(kind)\"")
    end([("name", ExportOutput.quoted(name))])
  }

  // MARK: - Spans

  private mutating func write(_ spans: SpanColumns, on track: TrackID) {
    var crossing = NonNestedSpans()
    var times = ChromeSpanCPUTimes(trace.tracks[track.index].threadTimes)
    defer { leftOut.add(.threadTime, times.omittedCount) }
    for index in 0..<spans.count {
      let span = spans[index]
      if crossing.cross(span.range) {
        // Viewers drop a span that overlaps the end of the one around it.
        leftOut.add(.crossingSpan)
        write(span.range, span.label, span.arguments, on: track)
      } else {
        begin("X", names: trace.labels[span.label], on: track, at: span.range.start)
        output.append(",\"dur\":")
        append(span.range.length.nanoseconds)
        if let (start, length) = times.take(span.range) {
          output.append(",\"tts\":" + Self.microseconds(start))
          output.append(",\"tdur\":" + Self.microseconds(length))
        }
        end(span.arguments)
      }
      guard !output.hasFailed else { return }
    }
  }

  /// Writes an asynchronous span.
  private mutating func write(
    _ range: TimeRange, _ label: LabelID, _ list: ArgumentListID, on track: TrackID
  ) {
    let label = trace.labels[label]
    begin("b", names: label, on: track, at: range.start)
    output.append(",\"id2\":{\"local\":\"0x\(String(nextID, radix: 16))\"}")
    end(list)
    begin("e", names: label, on: track, at: range.end)
    output.append(",\"id2\":{\"local\":\"0x\(String(nextID, radix: 16))\"}}")
    nextID += 1
  }

  private mutating func write(_ span: OpenSpan) {
    begin("B", names: trace.labels[span.label], on: span.track, at: span.since)
    guard let item = span.item else { return output.append("}") }
    output.append(",\"args\":{\"item\":")
    output.appendJSON(item, &names)
    output.append("}}")
  }

  // MARK: - Frames

  private mutating func writeFrames() {
    for surface in trace.surfaces {
      for index in 0..<surface.frames.count {
        write(surface.frames[index], of: surface.name)
        guard !output.hasFailed else { return }
      }
      for hitch in surface.listedHitches {
        var arguments: [(name: String, value: [UInt8])] = []
        if let interval = hitch.refreshInterval?.nanoseconds {
          arguments.append(("interval", Array(Self.microseconds(interval).utf8)))
        }
        if let label = hitch.sourceLabel { arguments.append(("label", names[label])) }
        writeAsync(
          Vocabulary.Category.hitch, surface.name, from: hitch.start,
          to: hitch.start + hitch.length, arguments)
      }
    }
  }

  /// Writes a frame from its start to its presentation, or to its commit end.
  private mutating func write(_ frame: Frame, of surface: String) {
    let end = frame.presented ?? frame.commitEnd ?? frame.target ?? frame.deadline
    guard let begin = frame.place ?? end else { return leftOut.add(.frame) }
    var arguments: [(name: String, value: [UInt8])] = [
      ("frame", Array("\(frame.id)".utf8))
    ]
    let times: [(String, Int64?)] = [
      ("begin", frame.start?.nanoseconds), ("commitStart", frame.commitStart?.nanoseconds),
      ("commitEnd", frame.commitEnd?.nanoseconds), ("deadline", frame.deadline?.nanoseconds),
      ("target", frame.target?.nanoseconds), ("presented", frame.presented?.nanoseconds),
      ("interval", frame.refreshInterval?.nanoseconds),
    ]
    for (name, time) in times {
      guard let time else { continue }
      arguments.append((name, Array(Self.microseconds(time).utf8)))
    }
    if let word = frame.outcomeWord { arguments.append(("outcome", Array("\"\(word)\"".utf8))) }
    if let label = frame.sourceLabel { arguments.append(("label", names[label])) }
    writeAsync(
      Vocabulary.Category.frame, surface, from: begin, to: max(begin, end ?? begin), arguments,
      on: frame.track)
  }

  private mutating func writeAsync(
    _ category: StaticString, _ name: String, from start: Timestamp, to end: Timestamp?,
    _ arguments: [(name: String, value: [UInt8])], on track: TrackID? = nil
  ) {
    let category = ExportOutput.quoted(category.description)
    let name = ExportOutput.quoted(name)
    self.begin("b", category, name, on: track, at: start)
    output.append(",\"id2\":{\"local\":\"0x\(String(nextID, radix: 16))\"}")
    self.end(arguments)
    if let end {
      self.begin("e", category, name, on: track, at: end)
      output.append(",\"id2\":{\"local\":\"0x\(String(nextID, radix: 16))\"}}")
    }
    nextID += 1
  }

  // MARK: - Others

  private mutating func write(_ interaction: Interaction) {
    var arguments: [(name: String, value: [UInt8])] = []
    if !interaction.name.isEmpty {
      arguments.append(("name", ExportOutput.quoted(interaction.name)))
    }
    if let surface = interaction.surface {
      let name = trace.surfaces[surface.index].name
      arguments.append(("surface", ExportOutput.quoted(name)))
    }
    writeAsync(
      Vocabulary.Category.interaction, interaction.kind, from: interaction.start,
      to: interaction.end, arguments)
  }

  private mutating func write(_ change: StateChange) {
    begin(
      "i", ExportOutput.quoted(Vocabulary.Category.state.description),
      ExportOutput.quoted(change.key), on: nil, at: change.time)
    output.append(",\"s\":\"p\"")
    end(change.value.map { [("value", ExportOutput.quoted($0))] } ?? [])
  }

  private mutating func write(_ counter: Counter) {
    let label = trace.labels[counter.label]
    let category = names[label.category]
    let name = names[label.name]
    let series = names[counter.series]
    for (time, value) in zip(counter.times, counter.values) {
      guard value.isFinite else {
        leftOut.add(.sample)
        continue
      }
      begin("C", category, name, on: nil, at: Timestamp(clamping: time))
      if counter.id != 0 { output.append(",\"id\":\"0x\(String(counter.id, radix: 16))\"") }
      output.append(",\"args\":{")
      output.append(series)
      output.append(":\(value)}}")
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
    begin(phase, names: trace.labels[point.label], on: point.track, at: point.time)
    output.append(",\"id\":\"0x\(String(point.id, radix: 16))\",\"bp\":\"e\"}")
  }
}
