import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as lines of JSON.
struct NDJSONWriter: TraceWriter, ~Copyable {
  private let trace: Trace
  private var output: ExportOutput
  private(set) var leftOut = ExportOmissions()
  /// The names as JSON strings.
  private var names: WrittenTexts
  /// The keys of arguments, up to their values.
  private var keys: WrittenTexts
  private var labels: WrittenTexts
  /// The names of threads in lines as JSON strings, or `nil` for threads that lines do not contain.
  private let threads: [[UInt8]?]
  private let changedThreadCount: Int
  private var commits: CommitSpans
  /// The keys of lines as they begin a line, and as they stand between two values.
  private var lineStarts, lineKeys: WrittenTexts
  private let item: StringID?
  private let counterCategory: StringID?
  private var counterCounts: [StringID: Int] = [:]
  /// The number of counters in lines with each name.
  private var counterNames: [String: Int] = [:]

  init(_ trace: Trace, _ output: consuming ExportOutput) {
    self.trace = trace
    self.output = output
    names = WrittenTexts(trace.strings, ExportOutput.quoted)
    lineStarts = WrittenTexts(count: LineKey.allCases.count) {
      Self.lineStart(LineKey.allCases[$0])
    }
    lineKeys = WrittenTexts(count: LineKey.allCases.count) { Self.key(LineKey.allCases[$0]) }
    keys = WrittenTexts(trace.strings) {
      Array(",".utf8) + ExportOutput.quoted(LineArgument.key(of: $0)) + Array(":".utf8)
    }
    labels = WrittenTexts(trace) { category, name in
      ExportOutput.quoted(name) + Self.key(.category) + ExportOutput.quoted(category)
    }
    let threads = LineThreads(trace)
    self.threads = threads.names.map { $0.map(ExportOutput.quoted) }
    changedThreadCount = threads.changedCount
    commits = CommitSpans(trace)
    item = trace.strings.firstID(of: Vocabulary.Key.item.description)
    counterCategory = trace.strings.firstID(of: Vocabulary.Category.counter.description)
    for counter in trace.counters {
      counterCounts[trace.labels[counter.label].name, default: 0] += 1
    }
  }

  consuming func finish() -> ExportOutput { output }

  /// Writes everything that lines can represent, and counts the rest.
  mutating func writeAll() {
    beginLine(.scrolltrace)
    output.appendJSON("ndjson/1")
    addKey(.unit)
    output.appendJSON("ns")
    add(.begin, trace.range.start)
    add(.end, trace.range.end)
    if let host = trace.processes.first(where: \.isHost), !host.name.isEmpty {
      addKey(.process)
      output.appendJSON(host.name)
    }
    if !trace.source.hasKnownLength { add(.tellsLength, false) }
    output.append("}\n")
    for (id, track) in trace.numberedTracks { writeThread(id, track) }
    for surface in trace.surfaces { writeSurface(surface) }
    for interaction in trace.interactions { write(interaction) }
    for change in trace.states { write(change) }
    for surface in trace.surfaces { writeFrames(of: surface) }
    for (id, track) in trace.numberedTracks { write(track.spans, on: id) }
    for span in trace.openSpans { write(span) }
    for mark in trace.marks { write(mark) }
    for counter in trace.counters { write(counter) }
    writeThreadTimes()
    leftOut.add(.asyncSpan, trace.asyncSpans.count)
    leftOut.add(.flowPoint, trace.flows.count)
    leftOut.addFacts(about: trace)
    leftOut.add(.changedName, changedThreadCount)
  }

  // MARK: - Threads and surfaces

  private mutating func writeThread(_ id: TrackID, _ track: Track) {
    guard let name = threads[id.index] else { return leftOut.add(.thread) }
    beginLine(.thread)
    output.append(name)
    addKey(.id)
    output.append(decimal: track.systemID)
    addKey(.main)
    track.isMain ? output.append("true") : output.append("false")
    if track.isCompletelyRecorded { add(.complete, true) }
    output.append("}\n")
  }

  private mutating func writeSurface(_ surface: Surface) {
    beginLine(.surface)
    output.appendJSON(surface.name)
    for property in surface.properties(holdsHitches: true) {
      addKey(property.key)
      property.key == .basis ? output.appendJSON(property.text) : output.append(text: property.text)
    }
    output.append("}\n")
  }

  private mutating func writeFrames(of surface: Surface) {
    let name = ExportOutput.quoted(surface.name)
    let id = trace.strings.firstID(of: surface.name)
    for index in 0..<surface.frames.count {
      write(surface.frames[index], of: name, id)
      guard !output.hasFailed else { return }
    }
    for hitch in surface.listedHitches { write(hitch, of: name) }
  }

  private mutating func write(_ frame: Frame, of surface: [UInt8], _ id: StringID?) {
    beginLine(.frame)
    output.append(decimal: frame.id)
    addKey(.surface)
    output.append(surface)
    add(.begin, frame.start)
    add(.commitStart, frame.commitStart)
    add(.commitEnd, frame.commitEnd)
    add(.deadline, frame.deadline)
    add(.target, frame.target)
    add(.presented, frame.presented)
    add(.interval, frame.refreshInterval.map { .zero + $0 })
    if let word = frame.outcomeWord {
      addKey(.outcome)
      output.append("\"")
      output.append(word)
      output.append("\"")
    }
    if let track = frame.track, let thread = threads[track.index] {
      addKey(.thread)
      output.append(thread)
    }
    if let label = frame.sourceLabel {
      addKey(.label)
      names.append(label, to: &output)
    }
    if frame.commitEnd != nil, !commits.consume(frame, of: id) {
      add(.commitSpan, false)
    }
    output.append("}\n")
  }

  private mutating func write(_ hitch: ListedHitch, of surface: [UInt8]) {
    beginLine(.hitch)
    names.append(hitch.sourceLabel ?? .empty, to: &output)
    addKey(.surface)
    output.append(surface)
    add(.begin, hitch.start)
    addKey(.duration)
    output.append(decimal: hitch.length.nanoseconds)
    add(.interval, hitch.refreshInterval.map { .zero + $0 })
    output.append("}\n")
  }

  // MARK: - Spans, marks, samples

  private mutating func write(_ spans: SpanColumns, on track: TrackID) {
    guard let thread = threads[track.index] else { return leftOut.add(.span, spans.count) }
    let suffix = Self.key(.thread) + thread + Self.key(.begin)
    let (table, arguments) = (trace.labels, trace.arguments)
    spans.forEachGroup { group in
      // Of those with equal times, readers take the last as the outermost.
      for span in group.reversed() where !output.hasFailed {
        if commits.isTold(span, table[span.label], on: track) { continue }
        beginLine(.span)
        labels.append(span.label, to: &output)
        output.append(suffix)
        output.append(decimal: span.range.start.nanoseconds)
        addKey(.end)
        output.append(decimal: span.range.end.nanoseconds)
        if span.arguments != .none { add(span.arguments, of: arguments) }
        output.append("}\n")
      }
    }
  }

  private mutating func write(_ span: OpenSpan) {
    guard let thread = threads[span.track.index] else { return leftOut.add(.openSpan) }
    beginLine(.span)
    labels.append(span.label, to: &output)
    addKey(.thread)
    output.append(thread)
    add(.begin, span.since)
    if let item = span.item {
      addKey(.item)
      output.appendJSON(item, &names)
    }
    output.append("}\n")
  }

  private mutating func write(_ mark: Mark) {
    guard let thread = threads[mark.track.index] else { return leftOut.add(.mark) }
    beginLine(.mark)
    labels.append(mark.label, to: &output)
    addKey(.thread)
    output.append(thread)
    add(.at, mark.time)
    add(mark.arguments, of: trace.arguments)
    output.append("}\n")
  }

  private mutating func write(_ counter: Counter) {
    let label = trace.labels[counter.label]
    let plain = trace.strings[label.name]
    let name = name(of: counter, label)
    if name != plain || label.category != counterCategory { leftOut.add(.changedName) }
    let prefix = Self.lineStart(.counter) + ExportOutput.quoted(name) + Self.key(.value)
    let suffix = Self.key(.at)
    for (time, value) in zip(counter.times, counter.values) {
      guard value.isFinite else {
        leftOut.add(.sample)
        continue
      }
      output.append(prefix)
      output.append(value)
      output.append(suffix)
      output.append(decimal: time)
      output.append("}\n")
      guard !output.hasFailed else { return }
    }
  }

  /// Returns the name of a counter in lines, which identify counters by name only.
  private mutating func name(of counter: Counter, _ label: Label) -> String {
    var name = trace.strings[label.name]
    if counterCounts[label.name, default: 0] > 1 {
      let parts = [name, trace.strings[label.category], trace.strings[counter.series]]
      name = parts.joined(separator: "/") + "/\(counter.id)"
    }
    var unique = name
    while counterNames[unique] != nil {
      let number = counterNames[name, default: 1] + 1
      counterNames[name] = number
      unique = "\(name) (\(number))"
    }
    counterNames[unique] = 1
    return unique
  }

  // MARK: - The counts and states of threads

  /// Writes the samples and slices of all threads that lines contain.
  private mutating func writeThreadTimes() {
    for (id, track) in trace.numberedTracks {
      guard let name = threads[id.index] else {
        leftOut.add(.threadTime, track.threadTimes.count)
        leftOut.add(.threadState, track.threadStates.count)
        continue
      }
      for index in 0..<track.threadTimes.count {
        write(track.threadTimes[index], of: name, at: track.threadTimes.time(at: index))
        guard !output.hasFailed else { return }
      }
      for index in 0..<track.threadStates.count {
        write(track.threadStates, at: index, of: name)
        guard !output.hasFailed else { return }
      }
    }
  }

  private mutating func write(_ sample: ThreadTimeSample, of name: [UInt8], at time: Int64) {
    typealias Key = Vocabulary.Key
    beginLine(.threadTime)
    output.append(name)
    addKey(.at)
    output.append(decimal: time)
    add(Key.cpu, sample.cpu)
    add(Key.ready, sample.ready)
    add(Key.preemptions, sample.preemptions)
    add(Key.waits, sample.waits)
    add(Key.faults, sample.faults)
    add(Key.diskFaults, sample.diskFaults)
    output.append("}\n")
  }

  private mutating func write(_ states: ThreadStateColumns, at index: Int, of name: [UInt8]) {
    beginLine(.threadState)
    output.append("\"")
    switch states.states[index] {
    case .running: output.append(Vocabulary.Thread.running)
    case .ready: output.append(Vocabulary.Thread.ready)
    case .blocked: output.append(Vocabulary.Thread.blocked)
    }
    output.append("\"")
    addKey(.thread)
    output.append(name)
    addKey(.begin)
    output.append(decimal: states.starts[index])
    addKey(.end)
    output.append(decimal: states.ends[index])
    if states.cores[index] >= 0 {
      addWord(Vocabulary.Key.core.description)
      output.append(decimal: Int64(states.cores[index]))
    }
    if let waker = states.waker(at: index) {
      if let name = threads[waker.index] {
        addWord(Vocabulary.Key.waker.description)
        output.append(name)
      } else {
        leftOut.add(.threadState)
      }
    }
    output.append("}\n")
  }

  // MARK: - Interactions and states

  private mutating func write(_ interaction: Interaction) {
    beginLine(.interaction)
    output.appendJSON(interaction.kind)
    if !interaction.name.isEmpty {
      addKey(.name)
      output.appendJSON(interaction.name)
    }
    add(.begin, interaction.start)
    add(.end, interaction.end)
    if let surface = interaction.surface {
      addKey(.surface)
      output.appendJSON(trace.surfaces[surface.index].name)
    }
    output.append("}\n")
  }

  private mutating func write(_ change: StateChange) {
    beginLine(.state)
    output.appendJSON(change.key)
    if let value = change.value {
      addKey(.value)
      output.appendJSON(value)
    }
    add(.at, change.time)
    output.append("}\n")
  }

  // MARK: - Members

  /// Begins a line with the key that says what it is.
  private mutating func beginLine(_ key: LineKey) { lineStarts.append(key.rawValue, to: &output) }

  private mutating func addKey(_ key: LineKey) { lineKeys.append(key.rawValue, to: &output) }

  private mutating func addKey(_ detail: LineDetail) { addWord(detail.rawValue) }

  private mutating func addWord(_ word: String) {
    output.append(",\"")
    output.append(text: word)
    output.append("\":")
  }

  private static func lineStart(_ key: LineKey) -> [UInt8] { Array("{\"\(key)\":".utf8) }

  /// Returns a key as it stands between two values.
  private static func key(_ key: LineKey) -> [UInt8] { Array(",\"\(key)\":".utf8) }

  private mutating func add(_ key: LineKey, _ time: Timestamp?) {
    guard let time else { return }
    addKey(key)
    output.append(decimal: time.nanoseconds)
  }

  private mutating func add(_ key: Vocabulary.Key, _ count: Int64?) {
    guard let count else { return }
    addWord(key.description)
    output.append(decimal: count)
  }

  private mutating func add(_ detail: LineDetail, _ truth: Bool) {
    addKey(detail)
    truth ? output.append("true") : output.append("false")
  }

  private mutating func add(_ list: ArgumentListID, of table: ArgumentTable) {
    var hasItem = false
    table.forEach(in: list) { argument in
      let isItem = argument.key == item && !hasItem && argument.value != .null
      hasItem = hasItem || isItem
      if isItem {
        output.append(UInt8(ascii: ","))
        names.append(argument.key, to: &output)
        output.append(UInt8(ascii: ":"))
      } else {
        keys.append(argument.key, to: &output)
      }
      output.appendJSON(argument.value, &names)
    }
  }
}
